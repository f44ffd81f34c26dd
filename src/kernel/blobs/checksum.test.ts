/** Checksums of what comes in pieces, several at a time, are those of the whole. */
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Checksum } from "./checksum.ts";

const KILOBYTE = 1024;
const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
/** Given away, so they are copies. */
async function checksumOf(whole: Buffer, pieceBytes: number): Promise<string> {
  const checksum = new Checksum();
  for (let at = 0; at < whole.length; at += pieceBytes)
    await checksum.add(Uint8Array.from(whole.subarray(at, at + pieceBytes)));
  return checksum.digest();
}

describe("a checksum made from piece to piece", () => {
  it("is that of the whole, whatever the sizes of pieces", async () => {
    for (const [bytes, pieceBytes] of [
      [0, 1],
      [1, 1],
      [64 * KILOBYTE, 64 * KILOBYTE],
      [64 * KILOBYTE + 1, 64 * KILOBYTE],
      [64 * KILOBYTE + 1, 64 * KILOBYTE + 1],
      [3000 * KILOBYTE + 7, 1024 * KILOBYTE],
      [200 * KILOBYTE, 900],
    ] as const) {
      const whole = randomBytes(bytes);
      expect(await checksumOf(whole, pieceBytes), `${bytes} in ${pieceBytes}`).toBe(sha256Of(whole));
    }
  });
  it("is kept apart from others that are made at the same time", async () => {
    const wholes = Array.from({ length: 8 }, (_, at) => randomBytes(300 * KILOBYTE + at));
    expect(await Promise.all(wholes.map((whole) => checksumOf(whole, 70 * KILOBYTE)))).toEqual(
      wholes.map(sha256Of),
    );
  });
  it("leaves alone what others have of a buffer, and takes what nobody else has", async () => {
    const whole = Buffer.from(randomBytes(300 * KILOBYTE));
    const shared = new Checksum();
    await shared.add(whole.subarray(0, 100 * KILOBYTE));
    await shared.add(whole.subarray(100 * KILOBYTE));
    expect(await shared.digest()).toBe(sha256Of(whole));

    const own = Uint8Array.from(whole);
    const taking = new Checksum();
    await taking.add(own);
    expect(await taking.digest()).toBe(sha256Of(whole));
    expect(own.length).toBe(0);
  });
  it("can be given up, and the next is not disturbed", async () => {
    const givenUp = new Checksum();
    await givenUp.add(randomBytes(100 * KILOBYTE));
    givenUp.forget();
    new Checksum().forget();
    const whole = randomBytes(100 * KILOBYTE);
    expect(await checksumOf(whole, 70 * KILOBYTE)).toBe(sha256Of(whole));
  });
});
