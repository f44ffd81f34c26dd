/**
 * A very large transaction on a SQLite file, on another thread with its own connection. Its commit waits for the
 * disk there. Other changes wait until it ends; nothing else is blocked.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { workerFile } from "../workers/worker-file.ts";

/** A command is text; anything else is a query. The worker ends with `END`. */
export type Asked = string | { readonly sql: string; readonly parameters: readonly unknown[] };
export type Answered =
  | { readonly result: QueryResult<unknown> }
  | { readonly error: { readonly message: string; readonly code: unknown } };
export const END = "end of the thread";

type Waiting = { resolve(result: QueryResult<unknown>): void; reject(error: unknown): void };

/** A connection on another thread. It answers in the order of the calls. */
export class DistantConnection implements DatabaseConnection {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: unknown;

  constructor(file: string) {
    const path = workerFile(import.meta.url, "kernel/db/sqlite-large-worker.js");
    this.#worker = new Worker(path, { workerData: file });
    this.#worker.on("message", (answer: Answered) => this.#take(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread of a large transaction has ended")));
  }
  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#ask({ sql, parameters }) as Promise<QueryResult<R>>;
  }
  async exec(text: string): Promise<void> {
    await this.#ask(text);
  }
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("a large transaction writes: stream rows from a snapshot");
  }
  async close(): Promise<void> {
    const ended = once(this.#worker, "exit");
    this.#worker.postMessage(END);
    await ended;
  }
  #ask(asked: Asked): Promise<QueryResult<unknown>> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(asked);
    });
  }
  #take(answer: Answered): void {
    const waiting = this.#waiting.shift();
    if ("result" in answer) waiting?.resolve(answer.result);
    else waiting?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
  }
  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
