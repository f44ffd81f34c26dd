/**
 * Continuous recovery points. A job reads the resource again every hour, so that the point covers the time
 * since.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { DAY_MS } from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import { findPoint, getVault, updatePoint } from "../store/index.ts";
import type { PointRow, Tables } from "../tables/index.ts";
import { sweepLater } from "./delete-point.ts";
import { planLifecycle } from "./lifecycle.ts";
import { findStreamSource } from "./sources.ts";
import { chunkSinkOf, chunkSourceOf, keyMaterialOf, Mutex, placeOf, readLocked } from "./vault-storage.ts";

const EVERY_MS = 3_600_000;

/** In a transaction. */
export async function planExtension(context: BackupContext, { region, id }: PointRow): Promise<void> {
  const options = { key: `extend:${region}:${id}`, runAtMs: context.clock.nowMs() + EVERY_MS };
  await context.enqueue(extendPoint, { region, pointId: id }, options);
}

/** The covered time moves forward with each run, and so does the deletion time. */
export const keptFrom = (
  { delete_after_days }: PointRow,
  knownUntilMs: number,
): Pick<PointRow, "known_until" | "delete_at"> => ({
  known_until: knownUntilMs,
  delete_at: delete_after_days === null ? null : knownUntilMs + Number(delete_after_days) * DAY_MS,
});

const isKept = (point: PointRow | undefined): point is PointRow =>
  point?.kind === "CONTINUOUS" && point.status === "COMPLETED";

async function extend(context: BackupContext, point: PointRow): Promise<void> {
  const { account, ids } = context;
  const entry = await context.catalog.find(point.resource_arn);
  const source = findStreamSource(context, point.resource_type);
  // The resource is gone. The point keeps the time it covers.
  if (!entry || !source) return;
  const vault = await getVault(context.db, account, point.region, point.vault);
  const mutex = new Mutex();
  const holder = ids.uuid();
  const place = placeOf(vault);
  const transact = <T>(work: (inner: BackupContext) => Promise<T>) => mutex.run(() => context.transact(work));
  const storage = {
    ...chunkSinkOf(context, transact, place, holder),
    ...chunkSourceOf(context, mutex, place),
  };
  await transact((inner) => updatePoint(inner.db, point, { next_holder: holder }));
  const nowMs = context.clock.nowMs();
  const stored = await context.state.engine.backupStream(
    keyMaterialOf(context, vault),
    storage,
    readLocked(source.read(context, entry), mutex),
    async () => {},
  );
  await transact(async (inner) => {
    const now = await findPoint(inner.db, account, point.region, point.id);
    if (!isKept(now) || now.next_holder !== holder) return sweepLater(inner, place, holder);
    const renewed = {
      root: stored.root,
      holder,
      next_holder: null,
      size: stored.bytes,
      ...keptFrom(now, nowMs),
    };
    await updatePoint(inner.db, now, renewed);
    await planLifecycle(inner, { ...now, ...renewed });
    await sweepLater(inner, place, now.holder);
    await planExtension(inner, now);
  });
}

export const extendPoint = jobsFor<Tables, State>()({
  name: "backup.extend-point",
  transaction: "manual",
  sharesCommits: true,
  payload: Type.Object({ region: Type.String(), pointId: Type.String() }),
  async run({ region, pointId }, context) {
    const point = await findPoint(context.db, context.account, region, pointId);
    if (isKept(point)) await extend(context, point);
  },
});
