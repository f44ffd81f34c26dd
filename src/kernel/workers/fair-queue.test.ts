/** One task at a time of each caller, whoever had none for longest first. */
import { expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const LIMITS = { placesMax: 1, waitingPerCallerMax: 3, waitingMax: 5 };
/** Tasks that end when they are told to. */
function staged(limits = LIMITS) {
  const queue = new FairQueue(limits);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string) =>
    queue.run(caller, () => {
      began.push(caller);
      return new Promise<string>((resolve) => ends.push(() => resolve("done")));
    });
  /** Ends the one that runs, and lets the next begin. */
  const endOne = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
  };
  return { ask, began, endOne };
}

it("whoever comes anew waits for what is under way alone, however many of another came before", async () => {
  const { ask, began, endOne } = staged();
  const asked = ["many", "many", "many", "few", "many", "late"].map((caller) => ask(caller));
  for (let round = 0; round < asked.length; round += 1) await endOne();
  expect(await Promise.all(asked)).toEqual(asked.map(() => "done"));
  expect(began).toEqual(["many", "few", "late", "many", "many", "many"]);
});
it("of one caller as many wait as may, of all together likewise, and not one more", async () => {
  const { ask, endOne } = staged();
  const own = ["a", "a", "a", "a"].map((caller) => ask(caller));
  expect(await ask("a")).toBeUndefined();
  const others = ["b", "c"].map((caller) => ask(caller));
  expect(await ask("d")).toBeUndefined();
  for (let round = 0; round < 6; round += 1) await endOne();
  expect(await Promise.all([...own, ...others])).toEqual(Array(6).fill("done"));
});
