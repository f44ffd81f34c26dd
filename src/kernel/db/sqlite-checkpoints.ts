/**
 * Runs WAL checkpoints of a SQLite file. The automatic checkpoint is off, because it is part of a commit: after a
 * large change it would block everybody for as long as the disk takes. Large checkpoints run on another thread. Small
 * ones run here, because the thread takes more processor time.
 */
import { statSync } from "node:fs";
import { CompiledQuery } from "kysely";
import { DistantConnection } from "./sqlite-large.ts";

/** The file of the WAL shrinks to this size when the WAL restarts, and is then overwritten. */
export const LOG_BYTES = 16 * 1024 * 1024;
/** Between two checkpoints while the WAL cannot restart, because somebody reads an old snapshot. */
const STEP_BYTES = 1024 * 1024;
const SMALL_BYTES_MAX = LOG_BYTES + 4 * STEP_BYTES;
/** Bound values of so many bytes are copied on the thread, before the WAL is long. */
const BOUND_BYTES_BETWEEN = 8 * 1024 * 1024;
const COPY = "PRAGMA main.wal_checkpoint(PASSIVE)";
/** Before the last checkpoint, for which other changes wait, no more than this may be written. */
const LAST_PAGES_MAX = 250;
const ROUNDS_MAX = 20;

type CheckpointsOptions = {
  readonly file: string;
  /** Executes a statement on the writing connection. */
  exec(text: string): void;
  /** Runs work while no transaction is open. */
  betweenChanges(work: () => Promise<unknown>): Promise<unknown>;
};

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  #connection: DistantConnection | undefined;
  #running: Promise<void> | undefined;
  /** After the last checkpoint. */
  #logBytes = LOG_BYTES;
  #boundBytes = 0;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }
  /** Call it after each commit. `boundBytes`: since the database was opened. */
  note(boundBytes: number): void {
    if (this.#running) return;
    const logBytes = this.#sizeOfLog();
    if (logBytes < this.#logBytes) this.#logBytes = LOG_BYTES;
    const isMuch = boundBytes - this.#boundBytes >= BOUND_BYTES_BETWEEN;
    if (!isMuch && logBytes < this.#logBytes + STEP_BYTES) return;
    this.#boundBytes = boundBytes;
    if (isMuch || logBytes > SMALL_BYTES_MAX)
      this.#running = this.#copyElsewhere().finally(() => {
        this.#running = undefined;
      });
    else this.#copyHere();
  }
  #sizeOfLog(): number {
    return statSync(`${this.#options.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
  #noteSize(): void {
    this.#logBytes = Math.max(LOG_BYTES, this.#sizeOfLog());
  }
  /** If it fails, a later one does its work. */
  #copyHere(): void {
    try {
      this.#options.exec(COPY);
    } catch {}
    this.#noteSize();
  }
  async #copyElsewhere(): Promise<void> {
    this.#connection ??= new DistantConnection(this.#options.file);
    const connection = this.#connection;
    try {
      await copyMost(connection);
      // The WAL restarts only after a checkpoint during which nobody has written.
      await this.#options.betweenChanges(() => copy(connection));
      this.#noteSize();
    } catch {
      this.#copyHere();
    }
  }
  get areRunning(): boolean {
    return this.#running !== undefined;
  }
  async settle(): Promise<void> {
    await this.#running;
  }
  async close(): Promise<void> {
    await this.#running;
    await this.#connection?.close();
    this.#connection = undefined;
  }
}

/** Until little is left. Others write meanwhile. */
async function copyMost(connection: DistantConnection): Promise<void> {
  let before = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const pages = await copy(connection);
    if (pages - before <= LAST_PAGES_MAX) return;
    before = pages;
  }
}
/** Returns the number of pages in the WAL. */
async function copy(connection: DistantConnection): Promise<number> {
  const { rows } = await connection.executeQuery<{ readonly log: number }>(CompiledQuery.raw(COPY));
  return rows[0]?.log ?? 0;
}
