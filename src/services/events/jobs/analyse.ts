/** Jobs that analyse detector models and delete old records. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { analyseDetectorModel, SEEN_MS } from "../domain/index.ts";
import type { State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";

const job = jobsFor<Tables, State>();
const ANALYSES_KEPT_MS = 24 * 3_600_000;
const LOGS_KEPT_MAX = 100_000;

export const analyse = job({
  name: "events.analyse",
  payload: Type.Object({ region: Type.String(), id: Type.String() }),
  async run({ region, id }, context, { lastAttempt }) {
    const { db, account } = context;
    const analysis = await store.findAnalysis(db, account, region, id);
    if (!analysis) return;
    const inputs = await store.attributesByInput(db, account, region);
    try {
      const results = analyseDetectorModel(JSON.parse(analysis.definition), inputs);
      await store.finishAnalysis(db, analysis, "COMPLETE", JSON.stringify(results));
    } catch (error) {
      if (!lastAttempt) throw error;
      context.log.error("an analysis failed", { id, error: String(error) });
      await store.finishAnalysis(db, analysis, "FAILED", "[]");
    }
  },
});

export const forgetOld = job({
  name: "events.forget-old",
  payload: Type.Object({}),
  transaction: "manual",
  sharesCommits: true,
  repeat: { everySeconds: 3600 },
  housekeeping: true,
  async run(_payload, context) {
    const nowMs = context.clock.nowMs();
    while (await context.transact(({ db }) => store.deleteAnalysesBefore(db, nowMs - ANALYSES_KEPT_MS)));
    for await (const account of store.accountsWithLogs(context.db))
      while (await context.transact(({ db }) => store.pruneLogs(db, account, LOGS_KEPT_MAX)));
    while (await context.transact(({ db }) => store.deleteSeenBefore(db, nowMs - SEEN_MS)));
  },
});
