/** Chunks: no content is lost by cutting, cuts depend on the content, and every changed bit is detected. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cutter } from "./cutter.ts";
import { vaultKeysOf } from "./keys.ts";
import { comparePaths } from "./manifest.ts";
import { Packer } from "./packer.ts";
import { DamagedChunkError, nameOf, open, type SealedChunk, seal } from "./sealing.ts";

const CHUNK_BYTES_MAX = 2_097_152;

const keys = vaultKeysOf("vault", Buffer.alloc(32, 7));
/** The same bytes at every run. */
function bytesOf(length: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = seed;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}
function cut(content: Buffer, parts: readonly number[] = [65_536]): Buffer[] {
  const chunks: Buffer[] = [];
  const cutter = new Cutter(keys.gear, (chunk) => chunks.push(Buffer.from(chunk)));
  for (let at = 0, turn = 0; at < content.length; turn += 1) {
    const size = parts[turn % parts.length] ?? 1;
    cutter.push(content.subarray(at, at + size));
    at += size;
  }
  cutter.cut();
  return chunks;
}

describe("cutting", () => {
  const content = bytesOf(6_000_000, 1);
  it("leaves nothing out, and does not depend on how the bytes come in", () => {
    const chunks = cut(content);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    expect(chunks.length).toBeGreaterThan(6);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(CHUNK_BYTES_MAX);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 5 }),
        (parts) => {
          expect(cut(content, parts).map((chunk) => chunk.length)).toEqual(
            chunks.map((chunk) => chunk.length),
          );
        },
      ),
      { numRuns: 10 },
    );
  });
  it("finds the same chunks again behind something new", () => {
    const before = new Set(cut(content).map((chunk) => nameOf(keys, chunk)));
    const after = cut(Buffer.concat([bytesOf(1000, 2), content])).map((chunk) => nameOf(keys, chunk));
    expect(after.filter((name) => !before.has(name)).length).toBeLessThanOrEqual(3);
  });
  it("is another in another vault", () => {
    const other = vaultKeysOf("other", Buffer.alloc(32, 7));
    const chunks: Buffer[] = [];
    const cutter = new Cutter(other.gear, (chunk) => chunks.push(Buffer.from(chunk)));
    cutter.push(content);
    cutter.cut();
    expect(chunks.map((chunk) => chunk.length)).not.toEqual(cut(content).map((chunk) => chunk.length));
    expect(nameOf(other, content)).not.toBe(nameOf(keys, content));
  });
});

describe("a sealed chunk", () => {
  it("gives back what it was made of, compressed where that helps", async () => {
    for (const content of [
      Buffer.alloc(0),
      Buffer.from("a"),
      randomBytes(10_000),
      Buffer.alloc(1_000_000, "abc"),
    ]) {
      const chunk = await seal(keys, nameOf(keys, content), content);
      expect((await open(keys, chunk.id, chunk.bytes)).equals(content)).toBe(true);
    }
    const text = Buffer.alloc(100_000, "again and again ");
    expect((await seal(keys, nameOf(keys, text), text)).bytes.length).toBeLessThan(1000);
  });
  it("that was changed in any bit, cut, swapped or sealed with another key is found", async () => {
    const content = Buffer.alloc(5000, "the quick brown fox ");
    const chunk = await seal(keys, nameOf(keys, content), content);
    const other = await seal(keys, nameOf(keys, Buffer.from("other")), Buffer.from("other"));
    const stranger = vaultKeysOf("vault", Buffer.alloc(32, 8));
    await fc.assert(
      fc.asyncProperty(fc.nat(chunk.bytes.length * 8 - 1), async (bit) => {
        const flipped = Buffer.from(chunk.bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
        await expect(open(keys, chunk.id, flipped)).rejects.toBeInstanceOf(DamagedChunkError);
      }),
      { numRuns: 300 },
    );
    for (const bytes of [chunk.bytes.subarray(0, -1), Buffer.alloc(0), other.bytes, undefined])
      await expect(open(keys, chunk.id, bytes)).rejects.toBeInstanceOf(DamagedChunkError);
    await expect(open(stranger, chunk.id, chunk.bytes)).rejects.toBeInstanceOf(DamagedChunkError);
  });
});

describe("packing", () => {
  it("stores what is there twice once, and says where every stretch lies", async () => {
    const kept = new Map<string, SealedChunk>();
    const packer = new Packer(keys, {
      hold: async (ids) => ids.filter((id) => !kept.has(id)),
      store: async (chunks) => {
        for (const chunk of chunks) kept.set(chunk.id, { ...chunk, bytes: Buffer.from(chunk.bytes) });
      },
    });
    const content = bytesOf(3_000_000, 3);
    await packer.write(content);
    packer.align();
    const start = packer.position;
    await packer.write(content);
    await packer.end();
    const stored = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    expect(stored).toBe(content.length);
    const parts: Buffer[] = [];
    for (const [id, offset, length] of packer.extentsOf(start + 10, start + 2_000_000))
      parts.push((await open(keys, id, kept.get(id)?.bytes)).subarray(offset, offset + length));
    expect(Buffer.concat(parts).equals(content.subarray(10, 2_000_000))).toBe(true);
  });
});

it("paths are in the order of a walk", () => {
  const paths = ["", "a", "a/b", "a/b/c", "a-b", "a.b", "b"];
  expect([...paths].reverse().sort(comparePaths)).toEqual(paths);
});
