/** Payments that were made before a change of rules are sorted by the new ones, some at a time. */
import { jobsFor } from "#kernel/operation";
import { type State, type Tables, takeId } from "../../book/index.ts";
import { sortAgain, sorting } from "../sorting.ts";

export const sortingJobs = [
  jobsFor<Tables, State>()({
    ...sorting,
    async run({ userId, olderThan }, context) {
      await takeId(context.db, context.account);
      await sortAgain(context, userId, olderThan);
    },
  }),
];
