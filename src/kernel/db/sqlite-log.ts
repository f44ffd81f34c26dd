/**
 * Syncs the WAL of a SQLite file without blocking the main thread: a megabyte would take many milliseconds. SQLite
 * locks the file and its index, never the WAL, so an additional handle to the WAL is safe.
 */
import { type FileHandle, open } from "node:fs/promises";

export class WrittenAhead {
  readonly #path: string;
  #handle: FileHandle | undefined;

  constructor(file: string) {
    this.#path = `${file}-wal`;
  }
  /** Call it after a commit, which has created the WAL. */
  async sync(): Promise<void> {
    this.#handle ??= await open(this.#path, "r+");
    await this.#handle.sync();
  }
  /** Before the last connection closes, because that deletes the WAL. */
  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}
