/**
 * Threads that find everyday entities. The library's rules are compiled when a thread first needs them, which takes seconds
 * of processor: that is done once for each thread and kind of entity, without the limit that reading an utterance has, and
 * goes on when whoever asked has given up.
 */
import { createWorkerPool, WorkerError, type WorkerPool, workerFile } from "#kernel/workers";
import type { FindResult, FindTask } from "./tasks.ts";

const READING_MS_MAX = 60_000;
/** A machine that is busy besides may take long for seconds of processor. */
const WARMING_MS_MAX = 15 * 60_000;
const THREADS = 2;
/** A little of everything, so that rules are not only loaded but used. */
const SAMPLE = "12 34 % 2020-01-01 10:00 5 kg a@example.org";

type Kinds = Pick<FindTask, "culture" | "names">;

export class Finder {
  readonly #pool: WorkerPool<FindTask, FindResult>;
  readonly #warm = new Map<string, Promise<unknown>>();
  /** Questions that it has at this moment. */
  asked = 0;

  constructor(pool: WorkerPool<FindTask, FindResult>) {
    this.#pool = pool;
  }
  knows({ culture, names }: Kinds): boolean {
    return names.every((name) => this.#warm.has(`${culture}/${name}`));
  }
  /** Each kind by itself, so that other questions come between. */
  async warm({ culture, names }: Kinds): Promise<void> {
    for (const name of names) {
      const key = `${culture}/${name}`;
      const task = { text: SAMPLE, culture, names: [name], longRegexes: [], wallClockMs: 0 };
      let warming = this.#warm.get(key);
      if (!warming) {
        warming = this.#pool.run(task, WARMING_MS_MAX);
        this.#warm.set(key, warming);
        warming.catch((error) => {
          this.#warm.delete(key);
          this.#noteEnd(error);
        });
      }
      await warming;
    }
  }
  async find(task: FindTask): Promise<FindResult> {
    this.asked += 1;
    try {
      await this.warm(task);
      return await this.#pool.run(task);
    } catch (error) {
      this.#noteEnd(error);
      throw error;
    } finally {
      this.asked -= 1;
    }
  }
  /** Where its thread is gone, so is what it knew. One that is busy is not. */
  #noteEnd(error: unknown): void {
    if (!(error instanceof WorkerError) || error.reason !== "busy") this.#warm.clear();
  }
  close(): Promise<void> {
    return this.#pool.close();
  }
}

export class Finders {
  readonly #all: readonly Finder[];
  constructor(makePool: () => WorkerPool<FindTask, FindResult> = newPool) {
    this.#all = Array.from({ length: THREADS }, () => new Finder(makePool()));
  }
  /** By one that knows these kinds, or is learning them; of several the one with the least to do. */
  find(task: FindTask): Promise<FindResult> {
    const knowing = this.#all.filter((finder) => finder.knows(task));
    const [first] = [...(knowing.length > 0 ? knowing : this.#all)].sort((a, b) => a.asked - b.asked);
    return (first as Finder).find(task);
  }
  /** All of them, one after the other: the first is soon ready, and there is processor left for others. */
  async warm(kinds: Kinds): Promise<void> {
    for (const finder of this.#all) await finder.warm(kinds);
  }
  async close(): Promise<void> {
    await Promise.all(this.#all.map((finder) => finder.close()));
  }
}

const newPool = (): WorkerPool<FindTask, FindResult> =>
  createWorkerPool<FindTask, FindResult>({
    file: workerFile(import.meta.url, "services/language/recognition/finding-worker.js"),
    name: "run",
    timeoutMs: READING_MS_MAX,
    threadsMax: 1,
    isKept: true,
  });
