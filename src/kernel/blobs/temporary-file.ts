/** An unnamed file: written once, read from the beginning as often as needed, and deleted with its process. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ByteBudget } from "./byte-budget.ts";

const READ_BYTES_MAX = 1024 * 1024;

export class TemporaryFile {
  readonly #handle: FileHandle;
  readonly #budget: ByteBudget;
  #size = 0;
  #closed = false;

  private constructor(handle: FileHandle, budget: ByteBudget) {
    this.#handle = handle;
    this.#budget = budget;
  }
  static async open(folder: string, budget: ByteBudget): Promise<TemporaryFile> {
    const path = join(folder, `.medley-${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    // An unnamed file cannot be opened by others, and even kill -9 leaves nothing behind.
    await unlink(path);
    return new TemporaryFile(handle, budget);
  }
  get size(): number {
    return this.#size;
  }
  async append(bytes: Uint8Array): Promise<void> {
    this.#budget.take(bytes.length);
    const position = this.#size;
    this.#size += bytes.length;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }
  async *chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; position < this.#size; ) {
      const wanted = Math.min(READ_BYTES_MAX, this.#size - position);
      const { buffer, bytesRead } = await this.#handle.read(
        Buffer.allocUnsafeSlow(wanted),
        0,
        wanted,
        position,
      );
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#budget.give(this.#size);
    await this.#handle.close();
  }
}
