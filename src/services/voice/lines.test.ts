/** Calls at the carrier: as many as there are lines, and as many ended ones as are remembered. */
import { expect, it } from "vitest";
import { Lines } from "./lines.ts";

it("eight are busy at once", async () => {
  const lines = new Lines();
  const ends: (() => void)[] = [];
  const call = (id: number) => lines.hold(`call ${id}`, () => new Promise((resolve) => ends.push(resolve)));
  const calls = [1, 2, 3, 4, 5, 6, 7].map(call);
  expect(lines.areFull).toBe(false);
  calls.push(call(8));
  expect(lines.areFull).toBe(true);
  for (const end of ends) end();
  await Promise.all(calls);
  expect(lines.areFull).toBe(false);
});

it("a hundred ended ones are remembered whose end could not be written down", async () => {
  const lines = new Lines();
  const fail = () => Promise.reject(new Error("not written down"));
  for (let id = 1; id <= 100; id += 1) await lines.hold(`call ${id}`, fail).catch(() => undefined);
  expect(lines.findEnded("call 1")).toBeDefined();
  await lines.hold("call 101", fail).catch(() => undefined);
  expect([1, 2, 101].map((id) => lines.findEnded(`call ${id}`) !== undefined)).toEqual([false, true, true]);
});
