/** Which indexes stay in memory. */
import { afterAll, expect, it } from "vitest";
import { DESCRIPTOR_LENGTH } from "../domain/descriptor.ts";
import { packBlock } from "./codes.ts";
import { Indexes } from "./indexes.ts";
import { LoadedIndex } from "./loaded-index.ts";

const FACES = 100;
function made(): LoadedIndex {
  const index = new LoadedIndex(FACES, { hasPersons: false });
  const code = new Int8Array(DESCRIPTOR_LENGTH).fill(3);
  const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
  index.add(packBlock(Array.from({ length: FACES }, () => ({ key: { person: "", id }, code }))));
  return index;
}
const BYTES = made().bytes;

const nowMs = 0;
const opened: Indexes[] = [];
function indexesFor(count: number): Indexes {
  const indexes = new Indexes(count * BYTES, () => nowMs);
  opened.push(indexes);
  return indexes;
}
afterAll(() => Promise.all(opened.map((indexes) => indexes.close())));

const name = (container: string, generation = 1) => ({
  account: "1",
  container,
  generation,
  label: `${container} ${generation}`,
});
const namesIn = (indexes: Indexes) => indexes.report("1").map((one) => one.name);
const load = async () => made();

it("keeps as many as there is room for, and forgets what was not used for longest", async () => {
  const indexes = indexesFor(2);
  for (const container of ["a", "b", "a", "c"]) await indexes.get(name(container), load);
  expect(namesIn(indexes)).toEqual(["a 1", "c 1"]);
  expect(indexes.bytes).toBe(2 * BYTES);
  const [first] = indexes.report("1");
  expect(first).toEqual({ name: "a 1", faces: FACES, bytes: BYTES, lastUsedAtMs: nowMs });
  expect(indexes.report("2")).toEqual([]);
  indexes.forget();
  expect([namesIn(indexes), indexes.bytes]).toEqual([[], 0]);
});

it("keeps one that is larger than all of its room until another comes", async () => {
  const indexes = indexesFor(0.5);
  await indexes.get(name("a"), load);
  expect(namesIn(indexes)).toEqual(["a 1"]);
  await indexes.get(name("b"), load);
  expect(namesIn(indexes)).toEqual(["b 1"]);
});

it("forgets a generation when a later one comes", async () => {
  const indexes = indexesFor(9);
  for (const [container, generation] of [
    ["a", 1],
    ["b", 1],
    ["a", 2],
  ] as const)
    await indexes.get(name(container, generation), load);
  expect(namesIn(indexes)).toEqual(["b 1", "a 2"]);
});

it("loads once for all who ask at the same time, and again where that went wrong", async () => {
  const indexes = indexesFor(9);
  let loads = 0;
  const counted = async () => {
    loads += 1;
    return made();
  };
  const [one, other] = await Promise.all([indexes.get(name("a"), counted), indexes.get(name("a"), counted)]);
  expect([loads, one === other]).toEqual([1, true]);
  const broken = indexes.get(name("b"), () => Promise.reject(new Error("gone")));
  const [, second] = await Promise.allSettled([broken, indexes.get(name("b"), counted)]);
  expect([second.status, loads]).toEqual(["fulfilled", 2]);
  await expect(broken).rejects.toThrow("gone");
});

it("does not keep what was loaded while it forgot", async () => {
  const indexes = indexesFor(9);
  let finish: (index: LoadedIndex) => void = () => undefined;
  const asked = indexes.get(
    name("a"),
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  indexes.forget();
  finish(made());
  expect((await asked).count).toBe(FACES);
  expect(namesIn(indexes)).toEqual([]);
});
