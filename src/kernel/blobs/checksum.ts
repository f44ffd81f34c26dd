/** SHA-256 of bytes that come in pieces, on a thread: a megabyte takes 2 to 7 ms, too long for the main thread. */
import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { ownBytes } from "../workers/hand-over.ts";
import { workerFile } from "../workers/worker-file.ts";

/** A message about one checksum: its next piece, its end, or that it is not wanted any more (without an answer). */
export type Asked = { readonly id: number } & (
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly end: "digest" | "forget" }
);
export type Answered = { readonly id: number; readonly sha256: string };

type Waiting = { resolve(sha256: string): void; reject(error: unknown): void };

/** A first piece of this size waits for a second one: alone it is not worth a thread. */
const SMALL_BYTES = 64 * 1024;

/**
 * One thread for all checksums of the process, started with the first. It keeps the process alive only while
 * somebody waits.
 */
class HashingThread {
  static #current: HashingThread | undefined;
  static #lastId = 0;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** Why it has ended: it would never answer. */
  #failure: unknown;

  private constructor() {
    const path = workerFile(import.meta.url, "kernel/blobs/checksum-worker.js");
    // Threads run built files, so flags of the process do not apply.
    this.#worker = new Worker(path, { execArgv: [] });
    this.#worker.on("message", ({ id, sha256 }: Answered) => this.#settle(id)?.resolve(sha256));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the thread that makes checksums has ended")));
    this.#worker.unref();
  }
  static begin(): { readonly thread: HashingThread; readonly id: number } {
    HashingThread.#current ??= new HashingThread();
    HashingThread.#lastId += 1;
    return { thread: HashingThread.#current, id: HashingThread.#lastId };
  }
  /** One message of a checksum at a time. */
  ask(asked: Asked): Promise<string> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.id, { resolve, reject });
      this.#worker.ref();
      this.tell(asked);
    });
  }
  tell(asked: Asked): void {
    this.#worker.postMessage(asked, "bytes" in asked ? [asked.bytes.buffer] : []);
  }
  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiting;
  }
  #end(error: unknown): void {
    this.#failure ??= error;
    if (HashingThread.#current === this) HashingThread.#current = undefined;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(error);
  }
}

/** Ends with `digest` or `forget`. */
export class Checksum {
  #first: Uint8Array | undefined;
  #begun: { readonly thread: HashingThread; readonly id: number } | undefined;
  /** The last message to the thread. */
  #last: Promise<string> = Promise.resolve("");

  /** The caller cannot use the bytes afterwards. Waits for the piece before, so that few are in memory. */
  async add(bytes: Uint8Array): Promise<void> {
    if (!this.#begun && !this.#first && bytes.length <= SMALL_BYTES) {
      this.#first = bytes;
      return;
    }
    if (!this.#begun && this.#first) await this.#ask({ bytes: ownBytes(this.#first) });
    await this.#ask({ bytes: ownBytes(bytes) });
  }
  /** In hexadecimal digits. */
  async digest(): Promise<string> {
    if (!this.#begun)
      return createHash("sha256")
        .update(this.#first ?? "")
        .digest("hex");
    await this.#ask({ end: "digest" });
    return this.#last;
  }
  forget(): void {
    const { thread, id } = this.#begun ?? {};
    if (thread && id)
      this.#last.then(
        () => thread.tell({ id, end: "forget" }),
        () => {},
      );
  }
  /** Resolves when the previous message is done. */
  #ask(asked: { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly end: "digest" }): Promise<unknown> {
    this.#begun ??= HashingThread.begin();
    const { thread, id } = this.#begun;
    const before = this.#last;
    this.#last = before.then(() => thread.ask({ id, ...asked }));
    // The next call reports the failure.
    this.#last.catch(() => {});
    return before;
  }
}
