/** Port for backups: a service reads a resource as bytes, and restores a resource from such bytes. */
import type { CatalogEntry } from "#kernel/catalog";
import { allOffers, type Context, defineJoinedPort } from "#kernel/operation";

/** Parameters of a restore, with names that the source defines. */
export type RestoreMetadata = Readonly<Record<string, string>>;

export type RestoreRequest = {
  /** ARN of the resource that was backed up. */
  readonly resourceArn: string;
  readonly metadata: RestoreMetadata;
  /** Result of `restoreMetadata` at the time of the backup. */
  readonly saved: RestoreMetadata;
  /** Tags for the restored resource, if the caller requested those of the backup. */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether the restored resource gets no tags, as requested by the caller. */
  readonly withoutTags?: boolean;
  /** For sources with history: restores the state at this instant. */
  readonly atMs?: number;
  /** Must be called in the transaction that creates the resource, so that both commit together. */
  done(context: Context, restoredArn: string): Promise<void>;
};

export type BackupSource = {
  /** Public name of the kind, such as `ConfigurationStore`. */
  readonly resourceType: string;
  /** Resource types of the catalogue that this source supports. */
  readonly types: readonly string[];
  /** Whether backups include earlier states, so that one backup restores to any instant in its history. */
  readonly keepsHistory?: boolean;
  /** Supported backup options, each "enabled" or "disabled". */
  readonly options?: readonly string[];
  /** Metadata that restores the resource under its original name. */
  restoreMetadata(context: Context, resource: CatalogEntry): Promise<RestoreMetadata>;
  /** The same metadata for another name. */
  renamed(metadata: RestoreMetadata, name: string): RestoreMetadata;
  /** A consistent copy of the resource. `context` is outside of any transaction. */
  read(context: Context, resource: CatalogEntry): AsyncIterable<Uint8Array>;
  /** Throws a BackupSourceError for invalid requests. `context` is outside of any transaction. */
  restore(context: Context, content: AsyncIterable<Uint8Array>, request: RestoreRequest): Promise<void>;
  /** Deletes a restored resource. Runs in a transaction. */
  remove(context: Context, arn: string): Promise<void>;
};

export const backupSources = defineJoinedPort("backup-sources", allOffers<BackupSource>);
