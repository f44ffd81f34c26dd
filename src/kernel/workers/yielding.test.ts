import { expect, it } from "vitest";
import { Pauses } from "./yielding.ts";

it("work whose steps come from elsewhere lets others be served after 8 ms", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const pauses = new Pauses();
  setImmediate(count);
  for (let step = 0; step < 10; step += 1) {
    const beganMs = performance.now();
    while (performance.now() - beganMs < 9);
    await pauses.whenDue();
  }
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(10);
});
