/** Checks the ledger every night. Differences are reported to the operator in the log. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { State } from "../state.ts";
import { listBookkeepers, proveBooks } from "../store/proof.ts";
import type { Tables } from "../tables.ts";

export const proofJobs = [
  jobsFor<Tables, State>()({
    name: "bank.prove",
    payload: Type.Object({}),
    repeat: { cron: "15 3 * * *" },
    housekeeping: true,
    transaction: "manual",
    async run(_payload, context) {
      for (const account of await listBookkeepers(context.db)) {
        const { isSound, sums, wrong } = await proveBooks(context.db, account);
        if (!isSound) context.log.error("the books of the bank do not balance", { account, sums, wrong });
      }
    },
  }),
];
