/** How often an event is delivered to a function that fails; the queue's own tests prove that it ends there. */
import { expect, it } from "vitest";
import { deliverJobs } from "./deliver.ts";

it("once, or twenty times where the trigger asks for retries", () => {
  expect(Object.fromEntries(deliverJobs.map(({ name, attemptsMax }) => [name, attemptsMax]))).toEqual({
    "functions.deliver": 1,
    "functions.deliver-until-done": 20,
  });
});
