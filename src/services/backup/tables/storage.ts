/**
 * Rows for vaults, recovery points and jobs. Times are epoch milliseconds. Every row belongs to an account
 * and a region.
 */
export type VaultRow = {
  account: string;
  region: string;
  name: string;
  /** The id that its chunks are stored under. A later vault of the same name has another id. */
  id: string;
  type: string;
  state: string;
  /** The vault's key, sealed. */
  sealed_key: string;
  encryption_key_arn: string;
  creator_request_id: string | null;
  policy: string | null;
  topic_arn: string | null;
  /** The dialect of the caller who set up the notifications. Messages use it. */
  topic_spelling: string | null;
  events: string | null;
  /** The webhook: its URL, its signing secret (encrypted), and its events. */
  endpoint_url: string | null;
  endpoint_secret: string | null;
  endpoint_events: string | null;
  min_days: number | null;
  max_days: number | null;
  /** Whether it is locked, and the time from which the lock is final. */
  locked: number;
  lock_date: number | null;
  /** The number of recovery points in it. */
  points: number;
  created_at: number;
};

/** Bytes that recovery points are made of: compressed and sealed with the vault's key. */
export type ChunkRow = {
  account: string;
  vault_id: string;
  id: string;
  size: number;
  stored: number;
  bytes: Uint8Array;
  /** Where the bytes are instead, in a store beside the database. */
  object: string | null;
};
/** Who needs a chunk: a recovery point, or a job that is making one. */
export type ChunkUseRow = { account: string; vault_id: string; chunk_id: string; holder: string };

export type PointRow = {
  account: string;
  region: string;
  id: string;
  vault: string;
  /** The place of its chunks: the id of its vault, or of the vault's cold storage. */
  vault_id: string;
  /** The holder of its chunks. `next_holder` holds the new chunks while the point is renewed or moved. */
  holder: string;
  next_holder: string | null;
  /** The chunk that its manifest begins with; none of a parent, which has children instead of content. */
  root: string | null;
  /** `tree` or `stream`. */
  content: string;
  kind: string;
  resource_arn: string;
  resource_type: string;
  resource_name: string;
  source_vault_arn: string | null;
  created_by: string | null;
  role_arn: string;
  status: string;
  message: string | null;
  size: number;
  /** The lifecycle and its due times; null for "never". */
  cold_after_days: number | null;
  delete_after_days: number | null;
  opt_in_archive: number | null;
  cold_at: number | null;
  delete_at: number | null;
  storage_class: string;
  restore_metadata: string;
  restored_at: number | null;
  parent_id: string | null;
  member: string | null;
  is_parent: number;
  /** Of a continuous point: up to when its content is known. */
  known_until: number | null;
  /** Whether its items can be searched: PENDING, ACTIVE, FAILED, DELETING, or never asked for. */
  index_status: string | null;
  index_message: string | null;
  index_items: number | null;
  index_asked_at: number | null;
  index_made_at: number | null;
  index_deleted_at: number | null;
  created_at: number;
  completed_at: number | null;
};

/** What a backup job and a copy job tell about the resource and their progress. */
type ResourceJob = {
  resource_arn: string;
  resource_type: string;
  resource_name: string;
  role_arn: string;
  state: string;
  message: string | null;
  message_category: string | null;
  percent: number;
  size: number | null;
};

export type BackupJobRow = ResourceJob & {
  account: string;
  region: string;
  id: string;
  vault: string;
  transferred: number;
  point_id: string;
  /** The holder of its chunks while it runs, and the holder of the earlier point that it builds on. */
  holder: string | null;
  earlier_holder: string | null;
  created_by: string | null;
  start_by: number;
  complete_by: number;
  /** JSON: lifecycle, tags of the recovery point, backup options, copy actions. */
  lifecycle: string;
  tags: string;
  options: string;
  copies: string;
  continuous: number;
  /** Whether the items of its point are to be searched. */
  indexed: number;
  parent_id: string | null;
  is_parent: number;
  member: string | null;
  token: string | null;
  created_at: number;
  begun_at: number | null;
  completed_at: number | null;
};

export type CopyJobRow = ResourceJob & {
  account: string;
  region: string;
  id: string;
  source_vault_arn: string;
  source_point_arn: string;
  destination_vault_arn: string;
  /** In the account and region of the destination. */
  point_id: string;
  holder: string | null;
  /** A holder that keeps the chunks while they are read, even if the point is deleted. */
  source_holder: string | null;
  created_by: string | null;
  lifecycle: string;
  parent_id: string | null;
  is_parent: number;
  member: string | null;
  token: string | null;
  created_at: number;
  completed_at: number | null;
};

/** Of `copy_tags`. */
export const WITHOUT_TAGS = -1;
export type RestoreJobRow = {
  account: string;
  region: string;
  id: string;
  point_arn: string;
  vault: string;
  resource_arn: string;
  resource_type: string;
  role_arn: string;
  /** JSON. */
  metadata: string;
  state: string;
  message: string | null;
  percent: number;
  size: number;
  /** 1: the tags of the point; 0: not given; `WITHOUT_TAGS`: no tags. */
  copy_tags: number;
  /** The restore testing plan that asked for it. */
  testing_plan_arn: string | null;
  validation_status: string | null;
  validation_message: string | null;
  validation_until: number | null;
  deletion_status: string | null;
  deletion_message: string | null;
  created_resource_arn: string | null;
  point_created_at: number;
  /** A holder that keeps the chunks while they are read, even if the point is deleted. */
  source_holder: string | null;
  token: string | null;
  created_at: number;
  begun_at: number | null;
  completed_at: number | null;
};

/** Resources that have been backed up. */
export type ProtectedRow = {
  account: string;
  region: string;
  arn: string;
  type: string;
  name: string;
  backed_up_at: number;
  vault_arn: string;
  point_arn: string;
  restore_minutes: number | null;
  restore_job_at: number | null;
  restored_point_at: number | null;
};
export type ProtectedInVaultRow = {
  account: string;
  region: string;
  vault: string;
  arn: string;
  type: string;
  name: string;
  backed_up_at: number;
  point_arn: string;
  /** Whether a user deleted the continuous point. It is then not replaced automatically. */
  continuous_ended: number;
};

export type StorageTables = {
  backup_vault: VaultRow;
  backup_chunk: ChunkRow;
  backup_chunk_use: ChunkUseRow;
  backup_point: PointRow;
  backup_job: BackupJobRow;
  backup_copy_job: CopyJobRow;
  backup_restore_job: RestoreJobRow;
  backup_protected: ProtectedRow;
  backup_protected_in_vault: ProtectedInVaultRow;
};
export const storageTables: readonly (keyof StorageTables)[] = [
  "backup_vault",
  "backup_chunk",
  "backup_chunk_use",
  "backup_point",
  "backup_job",
  "backup_copy_job",
  "backup_restore_job",
  "backup_protected",
  "backup_protected_in_vault",
];
