/** The scan against plain arithmetic, and how often it misses one of the nearest. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { distanceBetween } from "../domain/confidence.ts";
import { DESCRIPTOR_LENGTH, type Descriptor } from "../domain/descriptor.ts";
import { Block, packBlock, queryCodeOf, writeCode } from "./codes.ts";
import { CHUNK_ROWS, DotProducts } from "./dot-products.ts";
import { LoadedIndex } from "./loaded-index.ts";
import { nearestRows } from "./scan.ts";

/** The same numbers on every machine, between -1 and 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}
/** As descriptors are: of length 1 or a little more, and no two people nearer than about 0.5. */
const descriptorFrom = (next: () => number): Descriptor =>
  Float32Array.from({ length: DESCRIPTOR_LENGTH }, () => 0.16 * next());
const near = (to: Descriptor, next: () => number, by: number): Descriptor =>
  to.map((value) => value + by * next());

const idFor = (name: string): string => {
  const hex = createHash("md5").update(name).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
const codeOf = (descriptor: Descriptor): Int8Array => {
  const code = new Int8Array(DESCRIPTOR_LENGTH);
  writeCode(descriptor, code, 0);
  return code;
};
function indexOf(faces: readonly { person: string; descriptor: Descriptor }[]): LoadedIndex {
  const index = new LoadedIndex(faces.length, { hasPersons: faces[0]?.person !== "" });
  for (let first = 0; first < faces.length; first += 100) {
    const entries = faces.slice(first, first + 100).map(({ person, descriptor }, at) => ({
      key: { person: person && idFor(person), id: idFor(`face ${first + at}`) },
      code: codeOf(descriptor),
    }));
    index.add(packBlock(entries));
  }
  return index;
}

it("multiplies as arithmetic does, at the limits of its numbers too", () => {
  const next = numbersFrom(1);
  const rows = 37;
  const codes = Int8Array.from({ length: rows * DESCRIPTOR_LENGTH }, () => Math.round(127 * next()));
  codes.fill(127, 0, DESCRIPTOR_LENGTH);
  codes.fill(-127, DESCRIPTOR_LENGTH, 2 * DESCRIPTOR_LENGTH);
  for (const query of [
    Int16Array.from({ length: DESCRIPTOR_LENGTH }, () => Math.round(2032 * next())),
    new Int16Array(DESCRIPTOR_LENGTH).fill(2032),
    new Int16Array(DESCRIPTOR_LENGTH).fill(-2032),
  ]) {
    const expected = Array.from({ length: rows }, (_, row) =>
      query.reduce((sum, value, at) => sum + value * (codes[row * DESCRIPTOR_LENGTH + at] ?? 0), 0),
    );
    expect([...new DotProducts().of(codes, query).subarray(0, rows)]).toEqual(expected);
  }
});

it("packs a block and reads it again", () => {
  const next = numbersFrom(2);
  const entries = ["", idFor("ann")].map((person, at) => ({
    key: { person, id: idFor(`face ${at}`) },
    code: codeOf(descriptorFrom(next)),
  }));
  expect(new Block(packBlock(entries)).entries()).toEqual(entries);
  expect(new Block(packBlock([])).length).toBe(0);
});

it("finds the nearest faces among thousands, and misses at most one of a hundred of them", () => {
  const next = numbersFrom(3);
  const faces = Array.from({ length: CHUNK_ROWS + 1500 }, () => ({
    person: "",
    descriptor: descriptorFrom(next),
  }));
  const index = indexOf(faces);
  let [found, wanted] = [0, 0];
  for (let query = 0; query < 40; query += 1) {
    const descriptor = query % 2 ? descriptorFrom(next) : near(faces[query]!.descriptor, next, 0.05);
    const nearest = faces
      .map((face, row) => ({ row, distance: distanceBetween(descriptor, face.descriptor) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 10)
      .map(({ row }) => row);
    const candidates = nearestRows(index.scanned, queryCodeOf(descriptor), 50).map(({ row }) => row);
    if (query % 2 === 0) expect(candidates[0]).toBe(query);
    found += nearest.filter((row) => candidates.includes(row)).length;
    wanted += nearest.length;
  }
  expect(found / wanted).toBeGreaterThanOrEqual(0.99);
});

it("answers each person once, by their nearest face, across the borders of blocks and chunks", () => {
  const next = numbersFrom(4);
  const persons = Array.from({ length: 700 }, (_, at) => ({
    person: `person ${at}`,
    own: descriptorFrom(next),
  }));
  const faces = persons.flatMap(({ person, own }) =>
    Array.from({ length: 7 }, () => ({ person, descriptor: near(own, next, 0.04) })),
  );
  expect(faces.length).toBeGreaterThan(CHUNK_ROWS);
  const index = indexOf(faces);
  for (const at of [0, 14, 350, 585, 586, 699]) {
    const wanted = near(persons[at]!.own, next, 0.03);
    const candidates = nearestRows(index.scanned, queryCodeOf(wanted), 20);
    expect(new Set(candidates.map(({ row }) => Math.floor(row / 7))).size).toBe(20);
    const [best] = candidates;
    expect(Math.floor(best!.row / 7)).toBe(at);
    expect(index.keyAt(best!.row)).toEqual({ person: idFor(`person ${at}`), id: idFor(`face ${best!.row}`) });
    expect(index.keysBesides(best!.row)).toHaveLength(6);
  }
});

it("has nothing to say of an empty index", () => {
  const index = new LoadedIndex(0, { hasPersons: true });
  expect(nearestRows(index.scanned, queryCodeOf(new Float32Array(DESCRIPTOR_LENGTH)), 5)).toEqual([]);
});
