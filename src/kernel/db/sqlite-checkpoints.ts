/**
 * Copies what was written ahead into a SQLite file, on a thread of its own: where much is written, it would hold everybody up for
 * as long as the disk takes. Small changes are left to the commits that make them many.
 */
import { DistantConnection } from "./sqlite-large.ts";

/** A commit would copy them itself after twice as many. */
const BYTES_BETWEEN = 8 * 1024 * 1024;
const COPY = "PRAGMA main.wal_checkpoint(PASSIVE)";

export class Checkpoints {
  readonly #file: string;
  #connection: DistantConnection | undefined;
  #running: Promise<void> | undefined;
  #copiedBytes = 0;

  constructor(file: string) {
    this.#file = file;
  }
  /** `bytesWritten`: since the database was opened. */
  note(bytesWritten: number): void {
    if (this.#running || bytesWritten - this.#copiedBytes < BYTES_BETWEEN) return;
    this.#copiedBytes = bytesWritten;
    this.#connection ??= new DistantConnection(this.#file);
    // Where it fails, a later commit does it.
    this.#running = this.#connection
      .exec(COPY)
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
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
