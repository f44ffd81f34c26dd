/**
 * A transaction on a SQLite file that changes very much. What it writes ahead is brought to the disk while it goes on, by
 * other threads, and so is what its commit would do besides: otherwise everybody would wait for the disk at its end.
 */
import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { workerFile } from "../workers/worker-file.ts";
import type { AnyDb, Database } from "./database.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Pauses between two waits for the disk. */
const PAUSES_PER_SYNC = 16;
/** Less than this is left to a later commit. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
/** What is not in memory has been written ahead already when the commit comes. */
const SMALL_CACHE = "PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 0";

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function transactLarge<T>(
  file: string,
  writer: SqliteConnection,
  transact: Database["transact"],
  work: (db: AnyDb, pause: () => Promise<void>) => Promise<T>,
  usualSettings: string,
): Promise<T> {
  const ahead = await open(`${file}-wal`, "r+").catch(() => undefined);
  writer.exec(SMALL_CACHE);
  try {
    return await transact((db) => work(db, pausing(ahead)));
  } finally {
    const { size = 0 } = (await ahead?.stat()) ?? {};
    await ahead?.close();
    if (size > CHECKPOINT_BYTES) await checkpoint(file);
    writer.exec(usualSettings);
  }
}

function pausing(ahead: FileHandle | undefined): () => Promise<void> {
  let pauses = 0;
  return async () => {
    await nextTurn();
    pauses += 1;
    if (pauses % PAUSES_PER_SYNC === 0) await ahead?.datasync();
  };
}

/** Where it fails, a later commit does it. */
function checkpoint(file: string): Promise<void> {
  return new Promise((resolve) => {
    const worker = new Worker(workerFile(import.meta.url, "kernel/db/checkpoint-worker.js"), {
      workerData: file,
    });
    worker.on("error", () => {});
    worker.once("exit", () => resolve());
  });
}
