/** What a service offers so that its resources can be backed up: bytes of one out, and one made of such bytes. */
import type { CatalogEntry } from "#kernel/catalog";
import { allOffers, type Context, defineJoinedPort } from "#kernel/operation";

/** What a restore is told, by names that the source knows. */
export type RestoreMetadata = Readonly<Record<string, string>>;

export type RestoreRequest = {
  /** The resource that was backed up. */
  readonly resourceArn: string;
  readonly metadata: RestoreMetadata;
  /** What `restoreMetadata` answered when it was backed up. */
  readonly saved: RestoreMetadata;
  /** Tags to put on what is restored, where the caller asked for those of the backup. */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether what is restored gets no tags at all, because the caller said so. */
  readonly withoutTags?: boolean;
  /** Of a source that keeps history: the state of this instant. */
  readonly atMs?: number;
  /** To be called in the transaction that makes the resource, so that both happen or neither. */
  done(context: Context, restoredArn: string): Promise<void>;
};

export type BackupSource = {
  /** How clients name the kind: `ConfigurationStore`. */
  readonly resourceType: string;
  /** The catalogue's types of resources that it reads. */
  readonly types: readonly string[];
  /** Whether what it reads holds earlier states too, so that one backup restores to any instant since the history began. */
  readonly keepsHistory?: boolean;
  /** Options that a backup of it knows, each "enabled" or "disabled". */
  readonly options?: readonly string[];
  /** What a restore says to give the resource back under its own name. */
  restoreMetadata(context: Context, resource: CatalogEntry): Promise<RestoreMetadata>;
  /** The same for another name. */
  renamed(metadata: RestoreMetadata, name: string): RestoreMetadata;
  /** The resource as it is at one instant. `context` is outside any transaction. */
  read(context: Context, resource: CatalogEntry): AsyncIterable<Uint8Array>;
  /** Throws a BackupSourceError for what the caller got wrong. `context` is outside any transaction. */
  restore(context: Context, content: AsyncIterable<Uint8Array>, request: RestoreRequest): Promise<void>;
  /** Removes what a restore made; in a transaction. */
  remove(context: Context, arn: string): Promise<void>;
};

export const backupSources = defineJoinedPort("backup-sources", allOffers<BackupSource>);
