/** Pictures wait for memory and for their turn, in order, and no more of them than may. */
import { availableParallelism } from "node:os";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { MemoryBudget } from "#kernel/workers";
import { createRecognizer, type Recognizer } from "./index.ts";
import { DECODED_BYTES_MAX, decodedBytesOf } from "./pictures/declared.ts";

const recognizers: Recognizer[] = [];
afterAll(() => Promise.all(recognizers.map((one) => one.close())));

const BYTES_MAX = 1000;
/** Begins like a picture and says nothing of its size: it takes all the memory there is, and is refused when it is read. */
const BROKEN = Buffer.concat([Buffer.from("ffd8ff", "hex"), Buffer.alloc(2000)]);

describe("while the memory is taken", () => {
  it("pictures wait in order; one too many is 503, one too many of an account is 429, and both say when to come again", async () => {
    const memory = new MemoryBudget(BYTES_MAX);
    const recognizer = createRecognizer(memory, { placesMax: 1, waitingPerCallerMax: 2, waitingMax: 3 });
    recognizers.push(recognizer);
    const ended: string[] = [];
    const look = (account: string, name = account) =>
      recognizer.look(account, { picture: BROKEN, detectionModel: "detection_01" }).then(
        () => "looked at",
        ({ kind, extras }) => {
          ended.push(name);
          return [kind.status, extras.headers?.["retry-after"]];
        },
      );
    let release = (): void => {};
    const holding = memory.run(BYTES_MAX, () => new Promise<void>((resolve) => (release = resolve)));
    const asked = [look("first"), look("ann", "ann 1"), look("ann", "ann 2")];
    expect(await look("ann", "one too many of hers")).toEqual([429, "5"]);
    asked.push(look("ben"));
    expect(await look("cleo", "one too many")).toEqual([503, "5"]);
    expect(memory.held).toBe(BYTES_MAX);
    release();
    await holding;
    expect(await Promise.all(asked)).toEqual(asked.map(() => [400, undefined]));
    expect(ended).toEqual(["one too many of hers", "one too many", "first", "ann 1", "ben", "ann 2"]);
    expect(memory.held).toBe(0);
  });
});

it("two hundred pictures of an account wait, and two thousand of all", async () => {
  const memory = new MemoryBudget(BYTES_MAX);
  const recognizer = createRecognizer(memory);
  recognizers.push(recognizer);
  const statuses: number[] = [];
  const look = (account: string) =>
    void recognizer
      .look(account, { picture: BROKEN, detectionModel: "detection_01" })
      .catch(({ kind }) => kind && statuses.push(kind.status));
  /** A refusal takes no turn of the event loop, so no picture is read meanwhile. */
  const refused = async () => {
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    return statuses;
  };
  // Two to four of the first are looked at, and do not wait.
  for (let picture = 0; picture < 4; picture += 1) look("first");
  for (const account of ["a", "b", "c", "d", "e", "f", "g", "h", "i"])
    for (let picture = 0; picture < 200; picture += 1) look(account);
  expect(await refused()).toEqual([]);
  look("a");
  expect(await refused()).toEqual([429]);
  const atWork = Math.min(4, Math.max(2, availableParallelism()));
  for (let picture = 0; picture < 200 - 4 + atWork; picture += 1) look("j");
  expect(await refused()).toEqual([429]);
  look("k");
  expect(await refused()).toEqual([429, 503]);
});

describe("a picture takes as much as it says of itself", () => {
  const SIZE = { width: 300, height: 200 };
  const drawn = () => sharp({ create: { ...SIZE, channels: 3, background: "#aa7744" } });
  const bmp = Buffer.alloc(64);
  bmp.write("BM");
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(SIZE.width, 18);
  bmp.writeInt32LE(-SIZE.height, 22);
  bmp.writeUInt16LE(24, 28);
  it.each([
    ["a JPEG", () => drawn().jpeg().toBuffer(), 4],
    ["a progressive JPEG", () => drawn().jpeg({ progressive: true }).toBuffer(), 4],
    [
      "a JPEG with notes before it",
      () =>
        drawn()
          .withExif({ IFD0: { Copyright: "x" } })
          .jpeg()
          .toBuffer(),
      4,
    ],
    ["a PNG", () => drawn().png().toBuffer(), 4],
    ["a deep PNG", () => drawn().toColourspace("rgb16").png().toBuffer(), 8],
    ["a GIF", () => drawn().gif().toBuffer(), 4],
    ["a BMP", async () => bmp, 4],
    ["a WebP", () => drawn().webp().toBuffer(), 4],
    ["a WebP without loss", () => drawn().webp({ lossless: true }).toBuffer(), 4],
    ["a WebP with a transparent part", () => drawn().ensureAlpha(0.5).webp().toBuffer(), 4],
  ])("%s", async (_what, make, bytesPerPixel) => {
    expect(decodedBytesOf(await make())).toBe(SIZE.width * SIZE.height * bytesPerPixel);
  });
  it("as much as any where it does not say, or says more, and nothing where it is none", async () => {
    const png = await drawn().png().toBuffer();
    png.writeUInt32BE(1_000_000, 16);
    for (const bytes of [png, BROKEN, png.subarray(0, 18), bmp.subarray(0, 20)])
      expect(decodedBytesOf(bytes)).toBe(DECODED_BYTES_MAX);
    expect(decodedBytesOf(Buffer.from("no picture"))).toBe(0);
  });
});
