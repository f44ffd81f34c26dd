/** The kernel's own tables, as rows. */
export type SettingRow = { name: string; value: string };
export type AccountRow = { id: string; name: string; admin: number; created_at: number };
export type CredentialRow = {
  id: string;
  account: string;
  kind: string;
  lookup: string;
  secret: string | null;
  name: string;
  scopes: string | null;
  session_token: string | null;
  expires_at: number | null;
  created_at: number;
};
export type PolicyRow = {
  account: string;
  position: number;
  effect: string;
  actions: string;
  resources: string;
};
/** A session at the console. Its times are machine time. */
export type SessionRow = {
  /** The digest of the secret in the cookie. */
  digest: string;
  account: string;
  kind: "token" | "user";
  /** The id of the credential or of the person. */
  credential: string;
  /** Changes with the person's password. */
  stamp: string;
  name: string;
  created_at: number;
  expires_at: number;
};
export type OwnerRow = { kind: string; name: string; account: string; created_at: number };
export type JobRow = {
  id: string;
  account: string;
  service: string;
  name: string;
  dedupe_key: string | null;
  payload: string;
  state: "waiting" | "running" | "done" | "failed";
  run_at: number;
  attempts: number;
  lease_owner: string | null;
  lease_until: number | null;
  error: string | null;
  created_at: number;
  finished_at: number | null;
};
export type OperationRow = {
  id: string;
  account: string;
  service: string;
  kind: string;
  target: string;
  status: "running" | "succeeded" | "failed" | "canceled";
  metadata: string;
  result: string | null;
  error: string | null;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
};
export type BlobRow = {
  id: string;
  account: string;
  service: string;
  type: string;
  size: number;
  sha256: string;
  created_at: number;
};
export type BlobChunkRow = {
  blob_id: string;
  position: number;
  account: string;
  service: string;
  bytes: Uint8Array;
  object: string | null;
};
/** An object in the store that no row names, and since when that is known (on the machine's clock). */
export type UnnamedObjectRow = { name: string; noticed_at: number };
export type OutboxRow = {
  id: string;
  account: string;
  service: string;
  kind: string;
  target: string;
  subject: string | null;
  headers: string;
  body: string;
  blob_id: string | null;
  delivery: string | null;
  state: "recorded" | "waiting" | "delivered" | "failed";
  attempts: number;
  answer_status: number | null;
  error: string | null;
  created_at: number;
  delivered_at: number | null;
  /** When a waiting caller acknowledged it. */
  acknowledged_at: number | null;
  /** JSON of the last delivery attempts. */
  deliveries: string | null;
};
/** State saved under a name; not part of the state itself. */
export type SnapshotRow = {
  name: string;
  id: string;
  service: string | null;
  account: string | null;
  bytes: number;
  rows: number;
  created_at: number;
};
export type SnapshotChunkRow = { id: string; position: number; created_at: number; bytes: Uint8Array };
export type ResourceRow = {
  account: string;
  arn: string;
  region: string;
  service: string;
  type: string;
  name: string;
  native_id: string | null;
  /** The stack that created it. */
  stack: string | null;
  tags: string;
  details: string;
  external: number;
  created_at: number;
  updated_at: number;
};
export type ResourceTagRow = {
  account: string;
  region: string;
  service: string;
  key: string;
  value: string;
  type: string;
  arn: string;
};
/** A subscription to changes: a service, by one of its jobs. */
export type ResourceWatchRow = { account: string; service: string; region: string; job: string };
export type ResourceChangeRow = {
  id: string;
  account: string;
  service: string;
  region: string;
  arn: string;
  before: string | null;
  after: string | null;
  created_at: number;
};

export type KernelTables = {
  medley_setting: SettingRow;
  medley_account: AccountRow;
  medley_credential: CredentialRow;
  medley_policy: PolicyRow;
  medley_owner: OwnerRow;
  medley_session: SessionRow;
  medley_snapshot: SnapshotRow;
  medley_snapshot_chunk: SnapshotChunkRow;
  medley_job: JobRow;
  medley_operation: OperationRow;
  medley_blob: BlobRow;
  medley_blob_chunk: BlobChunkRow;
  medley_unnamed_object: UnnamedObjectRow;
  medley_outbox: OutboxRow;
  medley_resource: ResourceRow;
  medley_resource_tag: ResourceTagRow;
  medley_resource_watch: ResourceWatchRow;
  medley_resource_change: ResourceChangeRow;
};

/** Kernel tables that hold state of services: each row names its service and account. */
export const sharedTables = [
  "medley_job",
  "medley_operation",
  "medley_blob",
  "medley_blob_chunk",
  "medley_outbox",
  "medley_resource",
  "medley_resource_tag",
  "medley_resource_watch",
  "medley_resource_change",
  "medley_managed_resource",
] as const;
/** Kernel tables that hold accounts. */
export const accountTables = [
  "medley_account",
  "medley_credential",
  "medley_policy",
  "medley_owner",
] as const;
