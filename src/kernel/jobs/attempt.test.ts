/** What follows from a failed attempt at a job. */
import { expect, it } from "vitest";
import type { AnyJob } from "../operation/job.ts";
import type { JobRow } from "../runtime/tables.ts";
import { failureOf } from "./attempt.ts";

const after = (attempts: number, job?: Partial<AnyJob>) =>
  failureOf({ attempts } as JobRow, job as AnyJob, new Error("wrong")).outcome;

it("eight attempts, or as many as the job says", () => {
  expect([after(7), after(8)]).toEqual(["retry", "failed"]);
  expect([after(2, { attemptsMax: 3 }), after(3, { attemptsMax: 3 })]).toEqual(["retry", "failed"]);
  expect(after(100, { repeat: { seconds: 1 } } as unknown as AnyJob)).toBe("retry");
});

it("two thousand characters of the message are kept", () => {
  const kept = (length: number) =>
    failureOf({ attempts: 1 } as JobRow, undefined, new Error("m".repeat(length))).text.length;
  expect([1999, 2000, 2001].map(kept)).toEqual([1999, 2000, 2000]);
});
