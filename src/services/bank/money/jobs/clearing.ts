/** Settles a payment to another bank at its clearing time. */
import { jobsFor } from "#kernel/operation";
import type { State, Tables } from "../../book/index.ts";
import { clear } from "../clearing.ts";
import { clearing } from "../clearing-times.ts";

export const clearingJobs = [
  jobsFor<Tables, State>()({
    ...clearing,
    run: ({ ledgerId, paymentId }, context) => clear(context, ledgerId, paymentId),
  }),
];
