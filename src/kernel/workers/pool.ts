/**
 * A pool of worker threads. Threads start on demand and end after an idle time. They never keep the process alive.
 * So one pool per module serves all instances of the process, and nobody has to close it.
 */
import { availableParallelism } from "node:os";
import type { Piscina } from "piscina";
import { WorkerError } from "./errors.ts";
import { yieldToEventLoop } from "./yielding.ts";

export type WorkerPoolOptions<Task = never> = {
  /** The built worker file, from `workerFile`. */
  readonly file: string;
  /** The exported function that takes a task. */
  readonly name: string;
  /** The timeout of one task, from the moment when a thread is free for it. The thread of a slower task is ended. */
  readonly timeoutMs: number;
  /** How much of its timeout a task has used. Default: the elapsed time. */
  readonly spentMs?: (task: Task, elapsedMs: number) => number;
  /** Default: all cores but one, at least two, so that one slow task does not block all others. */
  readonly threadsMax?: number;
  /** Tasks that may wait for a thread. More are refused. */
  readonly waitingMax?: number;
  readonly idleMs?: number;
  /** Threads stay after their start, because of what they have cached. */
  readonly isKept?: boolean;
  /** The limit of a thread's JavaScript heap. A thread beyond it is ended. */
  readonly heapMbMax?: number;
  /**
   * The part of the heap for new objects. A small value makes threads with many bytes and few objects free them
   * sooner.
   */
  readonly youngHeapMbMax?: number;
  /**
   * Threads handle events between tasks, such as the end of a child process. Otherwise they sleep until the next
   * task.
   */
  readonly staysAwake?: boolean;
  /** The stack size of a thread, for deep recursion. */
  readonly stackMbMax?: number;
};

export type WorkerPool<Task, Result> = {
  /** Rejects only with a WorkerError. `timeoutMs` overrides the timeout of the pool for this task. */
  run(task: Task, timeoutMs?: number): Promise<Result>;
  /** Ends all threads. Running and later tasks are rejected. */
  close(): Promise<void>;
};

/** Between two looks at what a task has used. */
const CHECK_MS_MIN = 50;
export const THREADS_MAX_DEFAULT = Math.max(2, availableParallelism() - 1);
const WAITING_MAX_DEFAULT = 100;
const IDLE_MS_DEFAULT = 30_000;
const HEAP_MB_MAX_DEFAULT = 512;
const STACK_MB_MAX_DEFAULT = 4;

export function createWorkerPool<Task, Result>(options: WorkerPoolOptions<Task>): WorkerPool<Task, Result> {
  return new ThreadPool<Task, Result>(options);
}

class ThreadPool<Task, Result> implements WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions<Task>;
  readonly #threadsMax: number;
  readonly #waiting: (() => void)[] = [];
  readonly #underWay = new Set<AbortController>();
  #threads: Promise<Piscina<Task, Result>> | undefined;
  #running = 0;
  #isClosed = false;

  constructor(options: WorkerPoolOptions<Task>) {
    this.#options = options;
    this.#threadsMax = options.threadsMax ?? THREADS_MAX_DEFAULT;
  }

  async run(task: Task, timeoutMs = this.#options.timeoutMs): Promise<Result> {
    await this.#enter();
    try {
      return await this.#runNow(task, timeoutMs);
    } finally {
      this.#leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting.splice(0)) {
      this.#running += 1;
      wake();
    }
    await (await this.#threads)?.destroy();
  }

  /** The timeout must not include waiting, so a task is passed on only when a thread is free. */
  async #enter(): Promise<void> {
    if (this.#running < this.#threadsMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= (this.#options.waitingMax ?? WAITING_MAX_DEFAULT))
      throw new WorkerError("busy", "Too many tasks are waiting for a thread.");
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  async #runNow(task: Task, timeoutMs: number): Promise<Result> {
    if (this.#isClosed) throw new WorkerError("closed", "The pool is closed.");
    const abort = new AbortController();
    const startedMs = performance.now();
    const check = (): void => {
      const elapsedMs = performance.now() - startedMs;
      const leftMs = timeoutMs - (this.#options.spentMs?.(task, elapsedMs) ?? timeoutMs);
      if (leftMs > 0) timer = setTimeout(check, Math.max(leftMs, CHECK_MS_MIN));
      else abort.abort(new WorkerError("timedOut", `The task took longer than ${timeoutMs} ms.`));
    };
    let timer = setTimeout(check, timeoutMs);
    this.#underWay.add(abort);
    try {
      this.#threads ??= this.#start();
      return await (await this.#threads).run(task, { signal: abort.signal });
    } catch (error) {
      if (this.#isClosed) throw new WorkerError("closed", "The pool is closed.", error);
      if (abort.signal.aborted) throw abort.signal.reason;
      throw failed(error);
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(abort);
    }
  }

  async #start(): Promise<Piscina<Task, Result>> {
    const { Piscina } = await import("piscina");
    // Loading the library and starting a thread take some 15 ms each.
    await yieldToEventLoop();
    const threads = new Piscina<Task, Result>({
      filename: this.#options.file,
      name: this.#options.name,
      minThreads: this.#options.isKept ? this.#threadsMax : 0,
      maxThreads: this.#threadsMax,
      idleTimeout: this.#options.idleMs ?? IDLE_MS_DEFAULT,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.heapMbMax ?? HEAP_MB_MAX_DEFAULT,
        ...(this.#options.youngHeapMbMax !== undefined && {
          maxYoungGenerationSizeMb: this.#options.youngHeapMbMax,
        }),
        stackSizeMb: this.#options.stackMbMax ?? STACK_MB_MAX_DEFAULT,
      },
      ...(this.#options.staysAwake && { atomics: "disabled" as const }),
      // Threads run built files, so flags of the process do not apply.
      execArgv: [],
    });
    threads.on("error", (error) => this.#whenIdleThreadDied(threads, error));
    return threads;
  }

  /** A thread died without a task. If it was the last one, it failed to start, and tasks would wait without end. */
  #whenIdleThreadDied(threads: Piscina<Task, Result>, error: unknown): void {
    if (threads.threads.length > 0) return;
    for (const abort of this.#underWay) abort.abort(failed(error));
  }
}

const failed = (error: unknown): WorkerError =>
  new WorkerError("failed", error instanceof Error ? error.message : String(error), error);
