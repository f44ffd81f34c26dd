/** Money that reaches another bank when its time has come. */
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
