/** Jobs for due schedules and for the allocation of incoming money. */
import { jobsFor } from "#kernel/operation";
import type { State, Tables } from "../book/index.ts";
import { allocation } from "../money/index.ts";
import { allocate } from "./allocations.ts";
import { fallDue, falling } from "./schedules.ts";

const job = jobsFor<Tables, State>();

export const paymentJobs = [
  job({
    ...allocation,
    transaction: "manual",
    run: ({ ledgerId, paymentId }, context) => allocate(context, ledgerId, paymentId),
  }),
  job({ ...falling, transaction: "manual", run: ({ instanceId }, context) => fallDue(context, instanceId) }),
];
