/** Rows of this service's tables. */
import type { Kysely } from "kysely";
import type { StoreNetwork } from "./domain/network.ts";
import type { Composition, SnapshotStatus } from "./domain/snapshots.ts";

export type StoreRow = {
  /** In lower case. Store names are case-insensitive and unique across accounts. */
  name: string;
  account: string;
  tier: string;
  created_at: number;
  used_bytes: number;
  measured_at: number;
  /** ID of the managed resource in its original spelling. Policies apply to it. */
  resource_id: string;
  network: StoreNetwork;
};
export type AccessKeyRow = {
  id: string;
  account: string;
  store: string;
  position: number;
  name: string;
  read_only: number;
  secret: string;
  last_modified: number;
};
export type ContentRow = {
  key: string;
  label: string;
  value: string | null;
  content_type: string | null;
  tags: string;
  locked: number;
  etag: string;
  last_modified: number;
  size: number;
};
export type ValueRow = ContentRow & { account: string; store: string };
/** Append-only history. A deletion is a separate row. */
export type RevisionRow = ContentRow & { account: string; store: string; id: string; deleted: number };
export type SnapshotRow = {
  account: string;
  store: string;
  name: string;
  status: SnapshotStatus;
  filters: string;
  composition: Composition;
  tags: string;
  retention_seconds: number;
  created_at: number;
  last_modified: number;
  expires_at: number | null;
  size: number;
  items: number;
  etag: string;
  error: string | null;
};
export type SnapshotItemRow = ContentRow & { account: string; store: string; snapshot: string };

export type Tables = {
  configuration_store: StoreRow;
  configuration_access_key: AccessKeyRow;
  configuration_value: ValueRow;
  configuration_revision: RevisionRow;
  configuration_snapshot: SnapshotRow;
  configuration_snapshot_item: SnapshotItemRow;
};
export const tables = [
  "configuration_store",
  "configuration_access_key",
  "configuration_value",
  "configuration_revision",
  "configuration_snapshot",
  "configuration_snapshot_item",
] as const satisfies readonly (keyof Tables)[];
export type Db = Kysely<Tables>;
