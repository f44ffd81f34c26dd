/** Jobs: finish and expire snapshots, delete old revisions, measure stores. */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import { tiers } from "./domain/tiers.ts";
import {
  deleteExpiredRevisions,
  deleteSnapshot,
  findSnapshot,
  measureStores,
  updateSnapshot,
} from "./store/index.ts";
import type { SnapshotRow, Tables } from "./tables.ts";

const job = jobsFor<Tables>();
const SnapshotPayload = Type.Object({ store: Type.String(), name: Type.String() });
const TIDY_EVERY_SECONDS = 6 * 3600;
const MEASURED_AGAIN_SECONDS = 24 * 3600;

/** The request already copied the items. This job makes the snapshot readable, or marks it as failed. */
export const finishSnapshot = job({
  name: "configuration-stores.finish-snapshot",
  payload: SnapshotPayload,
  async run({ store, name }, { db, clock, ids }) {
    const snapshot = await findSnapshot(db, store, name);
    if (snapshot?.status !== "provisioning") return;
    await updateSnapshot(db, store, name, {
      status: snapshot.error === null ? "ready" : "failed",
      etag: ids.bytes(16).toString("base64url"),
      last_modified: clock.nowMs(),
    });
  },
});

export const expireSnapshot = job({
  name: "configuration-stores.expire-snapshot",
  payload: SnapshotPayload,
  async run({ store, name }, { db, clock }) {
    const snapshot = await findSnapshot(db, store, name);
    if (snapshot?.status !== "archived" || snapshot.expires_at === null) return;
    if (snapshot.expires_at <= clock.nowMs()) await deleteSnapshot(db, store, name);
  },
});
const expiryKey = ({ store, name }: Pick<SnapshotRow, "store" | "name">): string =>
  `configuration-snapshot-expiry:${store}:${name}`;

export const expireLater = (
  context: Context<Tables>,
  { store, name }: Pick<SnapshotRow, "store" | "name">,
  atMs: number,
) => context.enqueue(expireSnapshot, { store, name }, { runAtMs: atMs, key: expiryKey({ store, name }) });
export const keepAfterAll = (context: Context<Tables>, snapshot: Pick<SnapshotRow, "store" | "name">) =>
  context.cancelJob(expireSnapshot, expiryKey(snapshot));

export const tidy = job({
  name: "configuration-stores.tidy",
  payload: Type.Object({}),
  repeat: { everySeconds: TIDY_EVERY_SECONDS },
  housekeeping: true,
  async run(_payload, { db, clock }) {
    const now = clock.nowMs();
    for (const [tier, { revisionsKeptSeconds }] of Object.entries(tiers))
      await deleteExpiredRevisions(db, tier, now - revisionsKeptSeconds * 1000);
    await measureStores(db, now, now - MEASURED_AGAIN_SECONDS * 1000);
  },
});

export const jobs = [finishSnapshot, expireSnapshot, tidy];
