/** Handles due timers of detectors and snoozes of alarms. */
import { jobsFor } from "#kernel/operation";
import type { State } from "../state.ts";
import { clearDue, findFirstDue, listDue } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { Run } from "./evaluation.ts";
import { planTimers, timing } from "./wake.ts";

const AT_ONCE = 200;

export const endTimers = jobsFor<Tables, State>()({
  ...timing,
  async run({ shard }, context) {
    const { db, account, clock } = context;
    const due = await listDue(db, account, shard, clock.nowMs(), AT_ONCE);
    const run = new Run(context);
    await run.load(due);
    for (const { model_id, key } of due) {
      run.elapse(model_id, key);
      if (run.isFull) break;
    }
    await run.save();
    // Timers of inactive versions and deleted models are dropped.
    for (const row of due) if (!run.isLoaded(row)) await clearDue(db, row);
    const next = await findFirstDue(db, account, shard);
    if (next !== undefined) await planTimers(context, shard, Math.max(next, clock.nowMs()));
  },
});
