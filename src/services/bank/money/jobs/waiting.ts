/** After a new alias, hands out more of the money that waits for it, in batches. */
import { jobsFor } from "#kernel/operation";
import { findLedger, type State, type Tables, takeId } from "../../book/index.ts";
import { claimByName, claiming } from "../waiting.ts";

export const waitingJobs = [
  jobsFor<Tables, State>()({
    ...claiming,
    async run({ ledgerId, after, ...pointer }, context) {
      await takeId(context.db, context.account);
      const ledger = await findLedger(context.db, context.account, ledgerId);
      if (ledger?.status === "ACTIVE") await claimByName(context, pointer, ledger, after);
    },
  }),
];
