/** Follow-up work after a legal hold is created or cancelled, or its record expires. */
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import { holdArnOf } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import * as store from "../store/holds.ts";
import type { Tables } from "../tables/index.ts";
import { planLifecycle } from "./lifecycle.ts";

const HoldStep = Type.Object({
  region: Type.String(),
  id: Type.String(),
  /** Of a hold that is being cancelled: points up to this one follow their lifecycle again. */
  after: Type.String(),
});
type HoldStep = Static<typeof HoldStep>;

const POINTS_AT_ONCE = 200;

export async function moveHold(
  context: BackupContext,
  region: string,
  id: string,
  runAtMs?: number,
): Promise<void> {
  await context.enqueue(
    holdStep,
    { region, id, after: "" },
    { key: `hold:${region}:${id}`, ...(runAtMs !== undefined && { runAtMs }) },
  );
}

async function release(
  context: BackupContext,
  hold: store.Hold,
  { region, id, after }: HoldStep,
): Promise<void> {
  const { db, account } = context;
  const points = await store.listHeldPoints(db, account, hold, { after, limit: POINTS_AT_ONCE });
  for (const point of points) await planLifecycle(context, point);
  const last = points.at(-1);
  if (points.length === POINTS_AT_ONCE && last) {
    await context.enqueue(holdStep, { region, id, after: last.id }, { key: `hold:${region}:${id}` });
    return;
  }
  await store.changeHold(db, account, hold, { status: "CANCELED" });
  await moveHold(context, region, id, hold.retain_until ?? undefined);
}

async function run(step: HoldStep, context: BackupContext): Promise<void> {
  const { db, account } = context;
  const hold = await store.findHold(db, account, step.region, step.id);
  if (hold?.status === "CREATING") await store.changeHold(db, account, hold, { status: "ACTIVE" });
  else if (hold?.status === "CANCELING") await release(context, hold, step);
  else if (hold?.status === "CANCELED") {
    await store.deleteHold(db, account, step.region, step.id);
    await context.catalog.remove(holdArnOf(account, step.region, step.id));
  }
}

export const holdStep: Job<HoldStep> = jobsFor<Tables, State>()({
  name: "backup.hold-step",
  payload: HoldStep,
  run,
});
