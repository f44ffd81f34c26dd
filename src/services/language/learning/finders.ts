/**
 * Threads that find prebuilt entities. A thread compiles the library's rules on first use, which takes seconds of
 * processor time. This happens once for each thread and kind of entity. The time limit of a query does not apply to it,
 * and it continues after a caller's timeout.
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
  /** Each kind is a separate task, so that other requests can run in between. */
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
  /** If a thread has ended, its compiled rules are lost. A busy thread has not ended. */
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
  /**
   * Chooses a thread that has compiled these kinds or is compiling them; among several, the one with the
   * shortest queue.
   */
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
