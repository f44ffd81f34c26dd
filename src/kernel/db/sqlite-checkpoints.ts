/**
 * Copies what was written ahead into a SQLite file, on a thread of its own: where much is written, it would hold everybody up for
 * as long as the disk takes. Small changes are left to the commits that make them many.
 */
import { DistantConnection } from "./sqlite-large.ts";

/** A commit would copy them itself after twice as many. */
const BYTES_BETWEEN = 8 * 1024 * 1024;
const COPY = "PRAGMA main.wal_checkpoint(PASSIVE)";
/** So long may the log be before a commit copies it. */
export const PAGES_MAX = 4000;
/** While the thread copies: behind what it copies the log goes on, and each commit would copy that itself and wait for the disk. */
const PAGES_MEANWHILE_MAX = 64_000;

export class Checkpoints {
  readonly #file: string;
  readonly #letPagesBe: (max: number) => void;
  #connection: DistantConnection | undefined;
  #running: Promise<void> | undefined;
  #writtenBytes = 0;
  #copiedBytes = 0;

  /** `letPagesBe`: how many, before a commit copies them. */
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
  /** Until all is copied that has come meanwhile: only then the log begins anew. Where it fails, a later commit does it. */
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
