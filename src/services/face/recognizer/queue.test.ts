/** Turns at the threads: account by account. */
import { expect, it } from "vitest";
import { FairQueue } from "./queue.ts";

it("gives each account its turn, however many pictures another has waiting", async () => {
  const queue = new FairQueue({ placesMax: 1, perAccountMax: 10 });
  const order: string[] = [];
  const enter = async (account: string, picture: string) => {
    await queue.enter(account);
    order.push(picture);
  };
  await enter("a", "a1");
  const waiting = ["a2", "a3", "a4", "b1", "c1", "b2"].map((picture) => enter(picture.slice(0, 1), picture));
  for (let i = 0; i < 6; i += 1) {
    queue.leave();
    await Promise.resolve();
    await Promise.resolve();
  }
  await Promise.all(waiting);
  expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

it("lets as many in as there are places, and says when too many of one account wait", async () => {
  const queue = new FairQueue({ placesMax: 2, perAccountMax: 1 });
  expect(await Promise.all([queue.enter("a"), queue.enter("a")])).toEqual([true, true]);
  const third = queue.enter("a");
  expect(await queue.enter("a")).toBe(false);
  queue.leave();
  expect(await third).toBe(true);
  queue.leave();
  queue.leave();
  expect(await queue.enter("b")).toBe(true);
});
