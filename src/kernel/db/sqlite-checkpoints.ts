/**
 * Runs WAL checkpoints of a SQLite file on another thread. After many writes a checkpoint on the main thread would
 * block everybody for as long as the disk takes. Small amounts are left to automatic checkpoints.
 */
import { DistantConnection } from "./sqlite-large.ts";

/** An automatic checkpoint would start after twice as much. */
const BYTES_BETWEEN = 8 * 1024 * 1024;
const COPY = "PRAGMA main.wal_checkpoint(PASSIVE)";
/** Pages in the WAL before a commit runs an automatic checkpoint. */
export const PAGES_MAX = 4000;
/**
 * The limit while the thread runs a checkpoint. The WAL still grows then, and each commit would start its own
 * checkpoint and wait for the disk.
 */
const PAGES_MEANWHILE_MAX = 64_000;

export class Checkpoints {
  readonly #file: string;
  readonly #letPagesBe: (max: number) => void;
  #connection: DistantConnection | undefined;
  #running: Promise<void> | undefined;
  #writtenBytes = 0;
  #copiedBytes = 0;

  /** `letPagesBe` sets the number of pages before an automatic checkpoint. */
  constructor(file: string, letPagesBe: (max: number) => void) {
    this.#file = file;
    this.#letPagesBe = letPagesBe;
  }
  /** `bytesWritten`: since the database was opened. */
  note(bytesWritten: number): void {
    this.#writtenBytes = bytesWritten;
    if (this.#running || bytesWritten - this.#copiedBytes < BYTES_BETWEEN) return;
    this.#letPagesBe(PAGES_MEANWHILE_MAX);
    this.#running = this.#copy().finally(() => {
      this.#running = undefined;
      this.#letPagesBe(PAGES_MAX);
    });
  }
  /**
   * Repeats until nothing new was written, because only then the WAL restarts. If it fails, a later commit does it.
   */
  async #copy(): Promise<void> {
    this.#connection ??= new DistantConnection(this.#file);
    do {
      this.#copiedBytes = this.#writtenBytes;
      await this.#connection.exec(COPY).catch(() => {});
    } while (this.#writtenBytes > this.#copiedBytes);
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
