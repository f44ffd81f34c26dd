/** Deleted plans are forgotten once there is no recovery point left that they made. */
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import { DAY_MS } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import { forgetPlan, hasPointsOfPlan, listDeletedPlans } from "../store/plans.ts";
import type { Tables } from "../tables/index.ts";

const Place = Type.Object({ region: Type.String() });
type Place = Static<typeof Place>;

/** Looked at a day later, and then every day as long as there is one. */
export async function forgetDeletedPlans(context: BackupContext, region: string): Promise<void> {
  await context.enqueue(
    forgetPlans,
    { region },
    { runAtMs: context.clock.nowMs() + DAY_MS, key: `forget-plans:${region}` },
  );
}

async function run({ region }: Place, context: BackupContext): Promise<void> {
  const { db, account } = context;
  let left = 0;
  for (const plan of await listDeletedPlans(db, account, region))
    if (await hasPointsOfPlan(db, account, plan)) left += 1;
    else await forgetPlan(db, account, plan);
  if (left > 0) await forgetDeletedPlans(context, region);
}

export const forgetPlans: Job<Place> = jobsFor<Tables, State>()({
  name: "backup.forget-plans",
  payload: Place,
  housekeeping: true,
  run,
});
