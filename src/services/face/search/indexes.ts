/**
 * Index cache of one running instance: loaded on first use, with a memory limit, and scanned in worker
 * threads.
 */
import { kernelErrors } from "#kernel/operation";
import { createWorkerPool, WorkerError, type WorkerPool, workerFile } from "#kernel/workers";
import type { Descriptor } from "../domain/descriptor.ts";
import { queryCodeOf } from "./codes.ts";
import type { LoadedIndex } from "./loaded-index.ts";
import type { Candidate } from "./scan.ts";
import type { ScanTask } from "./worker.ts";

const SCAN_TIMEOUT_MS = 60_000;

/** Indexes in memory, for the console. */
export type IndexReport = {
  readonly name: string;
  readonly faces: number;
  readonly bytes: number;
  readonly lastUsedAtMs: number;
};
type Kept = {
  readonly index: LoadedIndex;
  readonly account: string;
  readonly label: string;
  usedAtMs: number;
};
/** Key of an index. Each training generation has a separate index. */
export type IndexName = {
  readonly account: string;
  readonly container: string;
  readonly generation: number;
  /** Display name. */
  readonly label: string;
};

export class Indexes {
  readonly #bytesMax: number;
  readonly #nowMs: () => number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #loading = new Map<string, Promise<LoadedIndex>>();
  readonly #threads: WorkerPool<ScanTask, Candidate[][]> = createWorkerPool({
    file: workerFile(import.meta.url, "services/face/search/worker.js"),
    name: "run",
    timeoutMs: SCAN_TIMEOUT_MS,
  });

  constructor(bytesMax: number, nowMs: () => number) {
    this.#bytesMax = bytesMax;
    this.#nowMs = nowMs;
  }

  /** Callers of an index that is being loaded wait for it. If the load fails, they load it themselves. */
  async get(name: IndexName, load: () => Promise<LoadedIndex>): Promise<LoadedIndex> {
    const key = `${name.account}/${name.container}/${name.generation}`;
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, { ...kept, usedAtMs: this.#nowMs() });
      return kept.index;
    }
    for (let underWay = this.#loading.get(key); underWay; underWay = this.#loading.get(key)) {
      const index = await underWay.catch(() => undefined);
      if (index) return index;
    }
    const loading = load();
    this.#loading.set(key, loading);
    try {
      const index = await loading;
      if (this.#loading.get(key) === loading) this.#keep(key, name, index);
      return index;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  /** For each descriptor, the nearest rows in ascending distance. */
  async scan(
    index: LoadedIndex,
    descriptors: readonly Descriptor[],
    limit: number,
  ): Promise<readonly (readonly Candidate[])[]> {
    const task = { index: index.scanned, queries: descriptors.map(queryCodeOf), limit };
    return this.#threads.run(task).catch(explain);
  }

  report(account: string): IndexReport[] {
    return [...this.#kept.values()]
      .filter((kept) => kept.account === account)
      .map(({ index, label, usedAtMs }) => ({
        name: label,
        faces: index.count,
        bytes: index.bytes,
        lastUsedAtMs: usedAtMs,
      }));
  }
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { index }) => sum + index.bytes, 0);
  }

  forget(): void {
    this.#kept.clear();
    this.#loading.clear();
  }
  close(): Promise<void> {
    this.forget();
    return this.#threads.close();
  }

  /** Evicts earlier generations of the same container, then the least recently used indexes. */
  #keep(key: string, { account, container, label }: IndexName, index: LoadedIndex): void {
    const ofContainer = `${account}/${container}/`;
    for (const other of this.#kept.keys()) if (other.startsWith(ofContainer)) this.#kept.delete(other);
    this.#kept.set(key, { index, account, label, usedAtMs: this.#nowMs() });
    for (const other of this.#kept.keys()) {
      if (this.bytes <= this.#bytesMax || other === key) break;
      this.#kept.delete(other);
    }
  }
}

function explain(error: unknown): never {
  if (error instanceof WorkerError && error.reason === "busy")
    throw kernelErrors.throttled("Too many searches are waiting.");
  throw error;
}
