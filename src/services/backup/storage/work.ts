/** Messages between the main thread and worker threads. */
import type { MessagePort } from "node:worker_threads";
import type { Entry } from "./manifest.ts";

export type KeyMaterial = { readonly vaultId: string; readonly vaultKey: Uint8Array };

export type BackupTreeTask = {
  readonly kind: "backup-tree";
  readonly keys: KeyMaterial;
  readonly roots: readonly string[];
  readonly path: string;
  readonly earlierRoot: string | undefined;
};
export type BackupStreamTask = { readonly kind: "backup-stream"; readonly keys: KeyMaterial };
export type RestoreTreeTask = {
  readonly kind: "restore-tree";
  readonly keys: KeyMaterial;
  readonly root: string;
  readonly roots: readonly string[];
  readonly path: string;
  readonly inPlace: boolean;
  readonly scratchName: string;
};
export type RestoreStreamTask = {
  readonly kind: "restore-stream";
  readonly keys: KeyMaterial;
  readonly root: string;
};
export type CopyTask = {
  readonly kind: "copy";
  readonly keys: KeyMaterial;
  readonly destination: KeyMaterial;
  readonly root: string;
};
export type CheckTask = {
  readonly kind: "check";
  readonly keys: KeyMaterial;
  readonly ids: readonly string[];
};
/** To the vault's cold storage, under the same names and packed better. */
export type CoolTask = {
  readonly kind: "cool";
  readonly keys: KeyMaterial;
  readonly ids: readonly string[];
};
/** Reads all entries, and answers how many there are. */
export type CountTask = {
  readonly kind: "count";
  readonly keys: KeyMaterial;
  readonly root: string;
};
/** Lists every chunk of a recovery point. */
export type NeedsTask = {
  readonly kind: "needs";
  readonly keys: KeyMaterial;
  readonly root: string;
};
export type SearchTask = {
  readonly kind: "search";
  readonly keys: KeyMaterial;
  readonly root: string;
  readonly pattern: string;
  readonly after: string | undefined;
  readonly limit: number;
};
export type GivenTask =
  | BackupTreeTask
  | BackupStreamTask
  | RestoreTreeTask
  | RestoreStreamTask
  | CopyTask
  | CheckTask
  | CoolTask
  | CountTask
  | NeedsTask
  | SearchTask;
/** A task for a thread, which asks its questions through the port. */
export type StorageTask = GivenTask & { readonly port: MessagePort };

export type Stored = {
  readonly root: string;
  readonly bytes: number;
  readonly entries: number;
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly skippedCount: number;
};
export type Item = Pick<Entry, "path" | "kind" | "size" | "modifiedNs">;
/** `source`: a problem of the backed up files or the restore target. `damaged`: a problem of a chunk. */
export type StorageFailure = {
  readonly kind: "source" | "damaged" | "earlier-gone";
  readonly message: string;
  readonly chunk?: string;
};
export type StorageResult =
  | { readonly failure: StorageFailure }
  | { readonly stored: Stored }
  | { readonly items: readonly Item[] }
  | { readonly damaged: readonly string[] }
  | { readonly count: number }
  | { readonly done: true };
