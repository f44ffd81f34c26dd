/**
 * The storage as the main thread uses it. Worker threads do the work; the main thread accesses the database for them.
 * A task with little content runs on the main thread, because passing it to a worker would take longer.
 */
import { MessageChannel } from "node:worker_threads";
import {
  createWorkerPool,
  handOver,
  type WorkerPool,
  type WorkerPoolOptions,
  workerFile,
} from "#kernel/workers";
import { Answering, type Answers } from "./conversation.ts";
import type { ChunkSource } from "./manifest.ts";
import type { ChunkSink } from "./packer.ts";
import { perform } from "./tasks.ts";
import type {
  GivenTask,
  Item,
  KeyMaterial,
  StorageFailure,
  StorageResult,
  StorageTask,
  Stored,
} from "./work.ts";

/** A high limit, because backups can take long. Windows and user requests stop them earlier. */
const TIMEOUT_MS = 14 * 86_400_000;
const THREADS_MAX = 2;
const YOUNG_HEAP_MB_MAX = 6;
const WAITING_MAX = 10_000;
const ASKED_TIMEOUT_MS = 60_000;
const ASKED_WAITING_MAX = 20;
/** Takes a millisecond of the main thread. Compression runs on other threads in any case. */
const SMALL_BYTES_MAX = 32 * 1024;

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

/** A failure with a reason that can be shown to the user. */
export class StorageError extends Error {
  readonly failure: StorageFailure;
  constructor(failure: StorageFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

type Taken<Kind extends GivenTask["kind"]> = Omit<Extract<GivenTask, { kind: Kind }>, "kind">;
/** The size of a task's content, if it is known. */
type Sized = { readonly bytes: number };
const nobodyAsks: OnProgress = async () => {};

export class Engine {
  readonly #threads = threads({ timeoutMs: TIMEOUT_MS, threadsMax: THREADS_MAX, waitingMax: WAITING_MAX });
  /** A separate thread for requests that a caller waits for, so that jobs do not delay them. */
  readonly #asked = threads({ timeoutMs: ASKED_TIMEOUT_MS, threadsMax: 1, waitingMax: ASKED_WAITING_MAX });

  async backupTree(
    task: Taken<"backup-tree">,
    vault: ChunkSink & ChunkSource,
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
  async backupStream(
    keys: KeyMaterial,
    vault: ChunkSink & ChunkSource,
    source: AsyncIterable<Uint8Array>,
    onProgress: (bytes: number) => Promise<void>,
  ): Promise<Stored> {
    const parts = source[Symbol.asyncIterator]();
    const beginning = await readBeginning(parts);
    let bytes = 0;
    const next = async (): Promise<Uint8Array | undefined> => {
      const part = beginning.parts.shift() ?? (beginning.isAll ? undefined : await nextOf(parts));
      if (part === undefined) return undefined;
      bytes += part.length;
      // Little content has been read completely before it is stored.
      if (!beginning.isAll) await onProgress(bytes);
      return part;
    };
    const answers = { ...answersOf(vault), next };
    return this.#store(
      { kind: "backup-stream", keys },
      answers,
      beginning.isAll ? beginning.bytes : Infinity,
    );
  }
  async restoreTree(task: Taken<"restore-tree">, vault: ChunkSource, onProgress: OnProgress): Promise<void> {
    await this.#run({ kind: "restore-tree", ...task }, { fetch: vault.fetch, progress: onProgress });
  }
  /** The content as it was stored. The task ends when the reader stops. */
  async *restoreStream(task: Taken<"restore-stream">, vault: ChunkSource): AsyncGenerator<Uint8Array> {
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
  copy(
    { bytes, ...task }: Taken<"copy"> & Sized,
    from: ChunkSource,
    to: ChunkSink,
    onProgress: OnProgress,
  ): Promise<Stored> {
    const answers = { fetch: from.fetch, hold: to.hold, store: to.store, progress: onProgress };
    return this.#store({ kind: "copy", ...task }, answers, bytes);
  }
  /** Returns the ids of damaged chunks. */
  async check(task: Taken<"check">, vault: ChunkSource): Promise<readonly string[]> {
    const result = await this.#run({ kind: "check", ...task }, { fetch: vault.fetch });
    return "damaged" in result ? result.damaged : [];
  }
  async search(task: Taken<"search">, vault: ChunkSource): Promise<readonly Item[]> {
    const result = await this.#run({ kind: "search", ...task }, { fetch: vault.fetch }, this.#asked);
    return "items" in result ? result.items : [];
  }
  async cool({ bytes, ...task }: Taken<"cool"> & Sized, from: ChunkSource, to: ChunkSink): Promise<void> {
    const answers = { fetch: from.fetch, hold: to.hold, store: to.store };
    await this.#runSized({ kind: "cool", ...task }, answers, bytes);
  }
  async count(task: Taken<"count">, vault: ChunkSource): Promise<number> {
    const result = await this.#run({ kind: "count", ...task }, { fetch: vault.fetch });
    return "count" in result ? result.count : 0;
  }
  /** Calls `hear` with every chunk of a recovery point. */
  async needs(
    { bytes, ...task }: Taken<"needs"> & Sized,
    vault: ChunkSource,
    hear: (ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    await this.#runSized({ kind: "needs", ...task }, { fetch: vault.fetch, needs: hear }, bytes);
  }
  async close(): Promise<void> {
    await Promise.all([this.#threads.close(), this.#asked.close()]);
  }

  async #store(task: GivenTask, answers: Answers, bytes = Infinity): Promise<Stored> {
    const result = await this.#runSized(task, answers, bytes);
    if (!("stored" in result)) throw new Error("a backup ended without a result");
    return result.stored;
  }
  #runSized(task: GivenTask, answers: Answers, bytes: number): Promise<StorageResult> {
    if (bytes > SMALL_BYTES_MAX) return this.#run(task, answers);
    return concluded(new Answering({ progress: nobodyAsks, ...answers }), (answering) =>
      perform(task, answering),
    );
  }
  async #run(task: GivenTask, answers: Answers, pool = this.#threads): Promise<StorageResult> {
    const { port1, port2 } = new MessageChannel();
    try {
      return await concluded(new Answering({ progress: nobodyAsks, ...answers }), async (answering) => {
        answering.listen(port1);
        return pool.run(await handOver({ ...task, port: port2 }, port2));
      });
    } finally {
      port1.close();
    }
  }
}

/** If a reply failed, its error is thrown. The error of the task is only a consequence. */
async function concluded(
  answering: Answering,
  work: (answering: Answering) => Promise<StorageResult>,
): Promise<StorageResult> {
  try {
    const result = await work(answering);
    if (answering.failure !== undefined) throw answering.failure;
    if ("failure" in result) throw new StorageError(result.failure);
    return result;
  } catch (error) {
    throw answering.failure ?? error;
  }
}

async function nextOf(parts: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const { done, value } = await parts.next();
  return done ? undefined : value;
}
type Beginning = { readonly parts: Uint8Array[]; readonly bytes: number; readonly isAll: boolean };
/** Reads until it is known whether there is little content. */
async function readBeginning(source: AsyncIterator<Uint8Array>): Promise<Beginning> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= SMALL_BYTES_MAX) {
    const part = await nextOf(source);
    if (part === undefined) return { parts, bytes, isAll: true };
    parts.push(part);
    bytes += part.length;
  }
  return { parts, bytes, isAll: false };
}

const answersOf = (vault: ChunkSink & ChunkSource): Answers => ({
  hold: vault.hold,
  store: vault.store,
  fetch: vault.fetch,
});

class StoppedListeningError extends Error {}

/** Passes one buffer at a time from a producer to a consumer. */
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
