/**
 * Brings what commits wrote ahead of a SQLite file to the disk while the main thread goes on: with a megabyte it would wait for many
 * milliseconds. SQLite locks the file and its index, never its log, so that a handle of one's own to the log disturbs nothing.
 */
import { type FileHandle, open } from "node:fs/promises";

export class WrittenAhead {
  readonly #path: string;
  #handle: FileHandle | undefined;

  constructor(file: string) {
    this.#path = `${file}-wal`;
  }
  /** After a commit, which has made the log where there was none. */
  async sync(): Promise<void> {
    this.#handle ??= await open(this.#path, "r+");
    await this.#handle.sync();
  }
  /** Before the last connection closes, which removes the log. */
  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}
