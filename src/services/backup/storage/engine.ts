/** The storage as the main thread uses it: threads do the work, the database is asked and told on their behalf. */
import { MessageChannel } from "node:worker_threads";
import {
  createWorkerPool,
  handOver,
  type WorkerPool,
  type WorkerPoolOptions,
  workerFile,
} from "#kernel/workers";
import { Answering, type Answers } from "./conversation.ts";
import type { Stock } from "./manifest.ts";
import type { Shelf } from "./packer.ts";
import type { Item, KeyMaterial, StorageFailure, StorageResult, StorageTask, Stored } from "./work.ts";

/** A backup takes as long as it takes; its windows and whoever asked for it say when it has to end. */
const TIMEOUT_MS = 14 * 86_400_000;
const THREADS_MAX = 2;
const YOUNG_HEAP_MB_MAX = 6;
const WAITING_MAX = 10_000;
const ASKED_TIMEOUT_MS = 60_000;
const ASKED_WAITING_MAX = 20;

const threads = (
  limits: Pick<WorkerPoolOptions, "timeoutMs" | "threadsMax" | "waitingMax">,
): WorkerPool<StorageTask, StorageResult> =>
  createWorkerPool({
    file: workerFile(import.meta.url, "services/backup/storage/worker.js"),
    name: "run",
    youngHeapMbMax: YOUNG_HEAP_MB_MAX,
    ...limits,
  });

export type ProgressReport = {
  readonly bytes: number;
  readonly bytesTotal: number;
  readonly newBytes: number;
};
export type OnProgress = (report: ProgressReport) => Promise<void>;

/** What went wrong for a reason that can be told. */
export class StorageError extends Error {
  readonly failure: StorageFailure;
  constructor(failure: StorageFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

type Taken<Kind extends StorageTask["kind"]> = Omit<Extract<StorageTask, { kind: Kind }>, "port" | "kind">;
const nobodyAsks: OnProgress = async () => {};

export class Engine {
  readonly #threads = threads({ timeoutMs: TIMEOUT_MS, threadsMax: THREADS_MAX, waitingMax: WAITING_MAX });
  /** For what a caller waits for, however many jobs there are. */
  readonly #asked = threads({ timeoutMs: ASKED_TIMEOUT_MS, threadsMax: 1, waitingMax: ASKED_WAITING_MAX });

  async backupTree(
    task: Taken<"backup-tree">,
    vault: Shelf & Stock,
    onProgress: OnProgress,
  ): Promise<Stored> {
    try {
      return await this.#store(
        { kind: "backup-tree", ...task },
        { ...answersOf(vault), progress: onProgress },
      );
    } catch (error) {
      const isEarlierGone = error instanceof StorageError && error.failure.kind !== "source";
      if (!isEarlierGone || task.earlierRoot === undefined) throw error;
      return this.backupTree({ ...task, earlierRoot: undefined }, vault, onProgress);
    }
  }
  backupStream(
    keys: KeyMaterial,
    vault: Shelf & Stock,
    source: AsyncIterable<Uint8Array>,
    onProgress: (bytes: number) => Promise<void>,
  ): Promise<Stored> {
    const parts = source[Symbol.asyncIterator]();
    let bytes = 0;
    const next = async (): Promise<Uint8Array | undefined> => {
      const { done, value } = await parts.next();
      if (done) return undefined;
      bytes += value.length;
      await onProgress(bytes);
      return value;
    };
    return this.#store({ kind: "backup-stream", keys }, { ...answersOf(vault), next });
  }
  async restoreTree(task: Taken<"restore-tree">, vault: Stock, onProgress: OnProgress): Promise<void> {
    await this.#run({ kind: "restore-tree", ...task }, { fetch: vault.fetch, progress: onProgress });
  }
  /** The content as it was read; whoever stops listening ends the work. */
  async *restoreStream(task: Taken<"restore-stream">, vault: Stock): AsyncGenerator<Uint8Array> {
    const handing = new HandingOver();
    const run = this.#run(
      { kind: "restore-stream", ...task },
      { fetch: vault.fetch, bytes: (bytes: Uint8Array) => handing.give(bytes) },
    ).then(
      () => handing.end(undefined),
      (error) => handing.end(error),
    );
    try {
      for (let bytes = await handing.take(); bytes !== undefined; bytes = await handing.take()) yield bytes;
    } finally {
      handing.stop();
      await run;
    }
  }
  copy(task: Taken<"copy">, from: Stock, to: Shelf, onProgress: OnProgress): Promise<Stored> {
    const answers = { fetch: from.fetch, hold: to.hold, store: to.store, progress: onProgress };
    return this.#store({ kind: "copy", ...task }, answers);
  }
  /** Those that are not what was stored. */
  async check(task: Taken<"check">, vault: Stock): Promise<readonly string[]> {
    const result = await this.#run({ kind: "check", ...task }, { fetch: vault.fetch });
    return "damaged" in result ? result.damaged : [];
  }
  async search(task: Taken<"search">, vault: Stock): Promise<readonly Item[]> {
    const result = await this.#run({ kind: "search", ...task }, { fetch: vault.fetch }, this.#asked);
    return "items" in result ? result.items : [];
  }
  async cool(task: Taken<"cool">, from: Stock, to: Shelf): Promise<void> {
    await this.#run({ kind: "cool", ...task }, { fetch: from.fetch, hold: to.hold, store: to.store });
  }
  async count(task: Taken<"count">, vault: Stock): Promise<number> {
    const result = await this.#run({ kind: "count", ...task }, { fetch: vault.fetch });
    return "count" in result ? result.count : 0;
  }
  /** `hear` is told of every chunk that a recovery point is made of. */
  async needs(
    task: Taken<"needs">,
    vault: Stock,
    hear: (ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    await this.#run({ kind: "needs", ...task }, { fetch: vault.fetch, needs: hear });
  }
  async close(): Promise<void> {
    await Promise.all([this.#threads.close(), this.#asked.close()]);
  }

  async #store(task: Omit<StorageTask, "port">, answers: Answers): Promise<Stored> {
    const result = await this.#run(task, answers);
    if (!("stored" in result)) throw new Error("a backup ended without a result");
    return result.stored;
  }
  async #run(
    task: Omit<StorageTask, "port">,
    answers: Answers,
    pool = this.#threads,
  ): Promise<StorageResult> {
    const { port1, port2 } = new MessageChannel();
    const answering = new Answering(port1, { progress: nobodyAsks, ...answers });
    try {
      const given = { ...task, port: port2 } as StorageTask;
      const result = await pool.run(await handOver(given, port2 as unknown as ArrayBuffer));
      if (answering.failure !== undefined) throw answering.failure;
      if ("failure" in result) throw new StorageError(result.failure);
      return result;
    } catch (error) {
      // The thread only repeats what it was told.
      throw answering.failure ?? error;
    } finally {
      port1.close();
    }
  }
}

const answersOf = (vault: Shelf & Stock): Answers => ({
  hold: vault.hold,
  store: vault.store,
  fetch: vault.fetch,
});

class StoppedListeningError extends Error {}

/** One piece at a time from who has it to who wants it. */
class HandingOver {
  #bytes: Uint8Array | undefined;
  #taken: (() => void) | undefined;
  #given: (() => void) | undefined;
  #isEnded = false;
  #isStopped = false;
  #error: unknown;

  async give(bytes: Uint8Array): Promise<void> {
    if (this.#isStopped) throw new StoppedListeningError();
    this.#bytes = bytes;
    this.#given?.();
    await new Promise<void>((resolve) => {
      this.#taken = resolve;
    });
    if (this.#isStopped) throw new StoppedListeningError();
  }
  async take(): Promise<Uint8Array | undefined> {
    while (this.#bytes === undefined && !this.#isEnded)
      await new Promise<void>((resolve) => {
        this.#given = resolve;
      });
    if (this.#bytes === undefined && this.#error !== undefined) throw this.#error;
    const bytes = this.#bytes;
    this.#bytes = undefined;
    this.#taken?.();
    return bytes;
  }
  end(error: unknown): void {
    this.#error = error;
    this.#isEnded = true;
    this.#given?.();
  }
  stop(): void {
    this.#isStopped = true;
    this.#taken?.();
  }
}
