/** Money from elsewhere that comes in later. */
import { jobsFor } from "#kernel/operation";
import type { State, Tables } from "../book/index.ts";
import { arrival, arrive } from "./arrivals.ts";

export const requestJobs = [
  jobsFor<Tables, State>()({ ...arrival, run: (wanted, context) => arrive(context, wanted) }),
];
