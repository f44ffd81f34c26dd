/** What the console shows. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import * as store from "./store.ts";

const timeOf = (ms: number | null): string => (ms === null ? "" : isoOf(ms));

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Calls",
    columns: ["Message", "Region", "From", "To", "State", "Requested", "Answered", "Ended", "Reason"],
    async rows({ db, account }, limit) {
      const calls = await store.listNewestCalls(db, account, limit);
      return calls.map((call) => [
        call.message_id,
        call.region,
        call.caller_id ?? call.origination,
        call.destination,
        call.state,
        timeOf(call.requested_at),
        timeOf(call.answered_at),
        timeOf(call.ended_at),
        call.reason ?? "",
      ]);
    },
  },
];
