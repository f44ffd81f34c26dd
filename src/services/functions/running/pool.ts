/** The processes of one revision: as many as its requests need, within its limits. */
import type { Writable } from "node:stream";
import type { Context } from "#kernel/operation";
import { CannotStart, Instance, type InstanceEvents, type Prepared, type Surroundings } from "./instance.ts";
import { Latencies } from "./latencies.ts";

const WAITING_MAX = 1000;
const WAIT_MS = 10_000;
const SWEEP_MS = 500;
const LOOKS_KEPT = 20;
/** One that ends sooner has failed. */
const STEADY_MS = 10_000;
const PAUSE_MS = 1000;
const PAUSE_MAX_MS = 60_000;

/** No room for another request. */
export class Busy extends Error {}

/** Nobody waits for the answer any more. */
export class CallerLeft extends Error {}

type Waiting = {
  resolve(instance: Instance): void;
  reject(error: Error): void;
};
export type PoolTools = {
  readonly clock: Context["clock"];
  readonly surroundings: Surroundings;
  readonly idleMs: number;
  /** Makes room on the machine for one more process. Returns false if that is impossible. */
  mayStart(): boolean;
  /** Whether there is room for one more without ending another. */
  hasRoom(): boolean;
  nextId(): string;
  wrote: InstanceEvents["wrote"];
};

export class InstancePool {
  readonly slug: string;
  readonly prepared: Prepared;
  readonly #tools: PoolTools;
  readonly #instances = new Set<Instance>();
  readonly #waiting: Waiting[] = [];
  readonly #sweep: NodeJS.Timeout;
  #starting = 0;
  #keepsMinimum = false;
  #failures = 0;
  #startAgainAtMs = 0;
  #retired = false;
  readonly counts = { started: 0, requests: 0, errors: 0 };
  readonly latencies = new Latencies();
  /** How many requests there were at each of the last looks. */
  readonly #requestsAt: number[] = [0];

  constructor(slug: string, prepared: Prepared, tools: PoolTools) {
    this.slug = slug;
    this.prepared = prepared;
    this.#tools = tools;
    this.#sweep = setInterval(() => this.#tick(), SWEEP_MS).unref();
  }
  get size(): number {
    return this.#instances.size + this.#starting;
  }
  get busy(): number {
    let busy = 0;
    for (const instance of this.#instances) busy += instance.busy;
    return busy;
  }
  /** Of the last ten seconds. */
  get requestsPerSecond(): number {
    const [first = 0] = this.#requestsAt;
    return (this.counts.requests - first) / ((this.#requestsAt.length * SWEEP_MS) / 1000);
  }
  get waiting(): number {
    return this.#waiting.length;
  }
  get #config() {
    return this.prepared.definition.serviceConfig;
  }
  get #concurrency(): number {
    return this.#config.maxInstanceRequestConcurrency ?? 1;
  }
  /** When the least recently used idle process was used last. */
  get idleSinceMs(): number | undefined {
    const idle = [...this.#instances].filter(({ busy }) => busy === 0);
    return idle.length === 0 ? undefined : Math.min(...idle.map(({ lastUsedMs }) => lastUsedMs));
  }
  /** Ends one idle process, to make room for others. */
  giveUpOne(): boolean {
    const [oldest] = [...this.#instances]
      .filter(({ busy }) => busy === 0)
      .sort((left, right) => left.lastUsedMs - right.lastUsedMs);
    if (!oldest) return false;
    this.#remove(oldest, "Its place was needed.");
    return true;
  }

  /** A process with room for one more request, which must be given back. `caller` closes when it leaves. */
  acquire(caller?: Writable): Promise<Instance> | Instance {
    if (caller?.destroyed) throw new CallerLeft();
    const free = this.#findFree();
    if (free) return this.#take(free);
    if (this.#canStart()) void this.#startForWaiting();
    return this.#wait(caller);
  }
  release(instance: Instance): void {
    instance.busy -= 1;
    instance.lastUsedMs = this.#tools.clock.nowMs();
    this.#serveWaiting();
  }
  /** Runs before the first request of a revision. Throws if the revision cannot start. */
  async warmUp(count = 1): Promise<void> {
    while (this.size < count) await this.#startOne();
  }
  /** From now on, keeps the configured minimum number of processes. */
  keepMinimum(): void {
    this.#keepsMinimum = true;
  }
  /** Accepts no further requests. Running requests may finish. */
  async retire(withinMs: number): Promise<void> {
    this.#retired = true;
    const deadline = performance.now() + withinMs;
    while (this.busy > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    this.close("It was replaced.");
  }
  close(reason: string): void {
    this.#retired = true;
    clearInterval(this.#sweep);
    for (const { reject } of this.#waiting.splice(0)) reject(new Busy(reason));
    for (const instance of [...this.#instances]) this.#remove(instance, reason);
  }
  /** No longer of use, though it lives. */
  remove(instance: Instance, reason: string): void {
    this.#remove(instance, reason);
  }

  #findFree(): Instance | undefined {
    for (const instance of [...this.#instances]) {
      if (this.#isSpare(instance)) this.#remove(instance, "It was idle.");
      else if (instance.isAlive && instance.busy < this.#concurrency) return instance;
    }
    return undefined;
  }
  /** Whether it has been idle for long enough. */
  #isSpare({ busy, lastUsedMs }: Instance): boolean {
    const { clock, idleMs } = this.#tools;
    const { minInstanceCount = 0 } = this.#config;
    return busy === 0 && this.#instances.size > minInstanceCount && clock.nowMs() - lastUsedMs >= idleMs;
  }
  #take(instance: Instance): Instance {
    instance.busy += 1;
    this.counts.requests += 1;
    return instance;
  }
  #canStart(): boolean {
    if (this.#retired || this.size >= (this.#config.maxInstanceCount ?? 100)) return false;
    // Processes that are starting will take some of the waiting requests.
    return this.#waiting.length >= this.#starting * this.#concurrency && this.#tools.mayStart();
  }
  #wait(caller?: Writable): Promise<Instance> {
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(new Busy("Too many requests wait."));
    return new Promise<Instance>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        caller?.off("close", leave);
      };
      const waiting: Waiting = {
        resolve(instance) {
          end();
          resolve(instance);
        },
        reject(error) {
          end();
          reject(error);
        },
      };
      const giveUp = (error: Error): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.reject(error);
      };
      const leave = (): void => giveUp(new CallerLeft());
      const timer = setTimeout(() => giveUp(new Busy("No instance was free in time.")), WAIT_MS);
      caller?.once("close", leave);
      this.#waiting.push(waiting);
    });
  }
  async #startForWaiting(): Promise<void> {
    try {
      await this.#startOne();
    } catch (error) {
      const [waiting] = this.#waiting.splice(0, 1);
      waiting?.reject(error as Error);
    }
    this.#serveWaiting();
  }
  async #startOne(): Promise<void> {
    this.#starting += 1;
    const instance = new Instance(this.#tools.nextId(), this.prepared, this.#tools.surroundings, {
      wrote: this.#tools.wrote,
      ended: (one) => this.#forget(one),
    });
    try {
      await instance.start();
      if (this.#retired) throw new CannotStart("The revision was replaced meanwhile.");
      instance.lastUsedMs = this.#tools.clock.nowMs();
      this.counts.started += 1;
      this.#instances.add(instance);
    } catch (error) {
      instance.kill("It could not be started.");
      throw error;
    } finally {
      this.#starting -= 1;
    }
  }
  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      const free = this.#findFree();
      if (!free) break;
      const waiting = this.#waiting.shift() as Waiting;
      waiting.resolve(this.#take(free));
    }
    if (this.#waiting.length > 0 && this.#canStart()) void this.#startForWaiting();
  }
  #remove(instance: Instance, reason: string): void {
    this.#instances.delete(instance);
    instance.kill(reason);
  }
  #forget(instance: Instance): void {
    const isOwnDoing = this.#instances.delete(instance);
    if (isOwnDoing && performance.now() - instance.startedAtMs < STEADY_MS) this.#noteFailure();
    this.#serveWaiting();
  }
  /** The more often it fails, the longer it is left alone. */
  #noteFailure(): void {
    this.#startAgainAtMs = performance.now() + Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
  }
  #restoreMinimum(): void {
    const { minInstanceCount = 0 } = this.#config;
    if (!this.#keepsMinimum || this.#retired || this.size >= minInstanceCount) return;
    if (performance.now() < this.#startAgainAtMs || !this.#tools.hasRoom()) return;
    this.#startOne().then(
      () => this.#serveWaiting(),
      (error: Error) => {
        this.#noteFailure();
        this.#tools.wrote({ severity: "ERROR", text: error.message });
      },
    );
  }
  #tick(): void {
    this.#requestsAt.push(this.counts.requests);
    if (this.#requestsAt.length > LOOKS_KEPT) this.#requestsAt.shift();
    this.#restoreMinimum();
    for (const instance of [...this.#instances]) {
      instance.watchMemory();
      if (performance.now() - instance.startedAtMs >= STEADY_MS) this.#failures = 0;
      void instance.watchFolder();
      if (this.#isSpare(instance)) this.#remove(instance, "It was idle.");
    }
  }
}
