/** Console views of the functions service. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { nameOfFunction, sharesOf } from "./domain/index.ts";
import type { State } from "./state.ts";
import {
  findFunction,
  listAllFunctions,
  listLatestLines,
  listReadyRevisions,
  type ServedFunction,
} from "./store/index.ts";

const requestsTo = (one: ServedFunction): string =>
  one.revision === undefined
    ? ""
    : [...sharesOf(one)].map(([revision, percent]) => `${revision} ${percent} %`).join(", ");

const latencyText = (ms: number | undefined): string => (ms === undefined ? "" : `${ms.toFixed(1)} ms`);

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Functions",
    madeBy: "functions.create",
    columns: ["Name", "State", "Runtime", "Called by", "Requests go to", "Changed"],
    async rows({ db, account }, limit) {
      const all = await listAllFunctions(db, account, limit);
      return all.map((one) => [
        nameOfFunction(one),
        one.state,
        one.definition.buildConfig.runtime ?? "",
        one.definition.eventTrigger?.eventType ?? "HTTP",
        requestsTo(one),
        isoOf(one.updatedAtMs),
      ]);
    },
    async detail({ db, account }, name) {
      const [, project = "", , location = "", , functionId = ""] = name.split("/");
      const one = await findFunction(db, account, { project, location, functionId });
      if (!one || nameOfFunction(one) !== name) return undefined;
      const { buildConfig, eventTrigger } = one.definition;
      const text = JSON.stringify({ buildConfig, eventTrigger }, null, 2);
      const shares = sharesOf(one);
      const ready = await listReadyRevisions(db, account, one.slug);
      const points = ready.map(({ revision }) => ({ name: revision, value: shares.get(revision) ?? 0 }));
      return {
        value: { name, state: one.state, revision: one.revision, updatedAt: isoOf(one.updatedAtMs) },
        widgets: [
          { kind: "chart", title: "Requests by revision", form: "bars", unit: "%", points },
          { kind: "code", title: "How it is built", language: "json", text },
        ],
      };
    },
  },
  {
    title: "Instances on this node",
    isShownEmpty: false,
    columns: [
      ...["Function", "Revision", "Processes", "Busy", "Waiting", "Requests", "Per second", "Errors"],
      ...["Median", "95 of 100"],
    ],
    async rows({ state }) {
      return (state as State).running.pools.map((pool) => [
        pool.prepared.functionId,
        pool.prepared.revision,
        pool.size,
        pool.busy,
        pool.waiting,
        pool.counts.requests,
        Math.round(pool.requestsPerSecond * 10) / 10,
        pool.counts.errors,
        ...[50, 95].map((share) => latencyText(pool.latencies.percentile(share))),
      ]);
    },
  },
  {
    title: "Lines that functions wrote",
    isShownEmpty: false,
    columns: ["Time", "Function", "Severity", "Text"],
    async rows({ db, account }, limit) {
      const lines = await listLatestLines(db, account, limit);
      return lines.map(({ atMs, slug, severity, text }) => [isoOf(atMs), slug, severity, text.slice(0, 500)]);
    },
  },
];
