/** What the console shows. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { nameOfFunction } from "./domain/index.ts";
import type { State } from "./state.ts";
import { listAllFunctions } from "./store/index.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Functions",
    columns: ["Name", "State", "Runtime", "Called by", "Revision", "Changed"],
    async rows({ db, account }, limit) {
      const all = await listAllFunctions(db, account, limit);
      return all.map((one) => [
        nameOfFunction(one),
        one.state,
        one.definition.buildConfig.runtime ?? "",
        one.definition.eventTrigger?.eventType ?? "HTTP",
        one.revision ?? "",
        isoOf(one.updatedAtMs),
      ]);
    },
  },
  {
    title: "Instances on this node",
    columns: ["Function", "Revision", "Processes", "Busy", "Waiting", "Requests", "Errors"],
    async rows({ state }) {
      return (state as State).running.pools.map((pool) => [
        pool.prepared.functionId,
        pool.prepared.revision,
        pool.size,
        pool.busy,
        pool.waiting,
        pool.counts.requests,
        pool.counts.errors,
      ]);
    },
  },
];
