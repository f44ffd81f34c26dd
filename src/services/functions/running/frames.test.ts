/** Frames between the server and the process of a function, which may send anything. */
import { expect, it } from "vitest";
import { growthRatio, LINEAR_RATIO_MAX } from "../../../../tests/support/growth.ts";
import { FrameReader, frameOf } from "./runner/frames.ts";

const FRAME_BYTES_MAX = 1_114_112;

function readIn(pieceBytes: number, bytes: Buffer): { sizes: number[]; isValid: boolean } {
  const sizes: number[] = [];
  const reader = new FrameReader((_kind, _id, { length }) => sizes.push(length));
  let isValid = true;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    isValid &&= reader.read(bytes.subarray(at, at + pieceBytes));
  return { sizes, isValid };
}

it("are the same in pieces of any size", () => {
  const bytes = Buffer.concat([0, 1, 300, 0, 70_000, 5].map((size) => frameOf(3, 7, Buffer.alloc(size))));
  for (const pieceBytes of [1, 2, 8, 9, 10, 1000, bytes.length])
    expect([pieceBytes, readIn(pieceBytes, bytes)]).toEqual([
      pieceBytes,
      { sizes: [0, 1, 300, 0, 70_000, 5], isValid: true },
    ]);
});

it("have a limit", () => {
  const longest = frameOf(3, 7, Buffer.alloc(FRAME_BYTES_MAX));
  expect(readIn(100_000, longest)).toEqual({ sizes: [1_114_112], isValid: true });
  const longer = frameOf(3, 7, Buffer.alloc(FRAME_BYTES_MAX + 1));
  expect(readIn(100_000, longer)).toEqual({ sizes: [], isValid: false });
});

it("in very small pieces take linear time", () => {
  const work = (size: number) => void readIn(16, frameOf(3, 7, Buffer.alloc(size)));
  expect(growthRatio(work, 100_000)).toBeLessThan(LINEAR_RATIO_MAX);
});
