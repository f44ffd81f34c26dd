/** After a change of rules, sorts older payments again in batches. */
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
