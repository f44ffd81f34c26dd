/** The last hour by minute: requests, errors and how long they took, of each service. A fixed size, and no timer. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const MINUTE_MS = 60_000;
export const MINUTES_KEPT = 60;
/** Each bound is this many times the one before it: a quarter more than what is told is the most that it can have been. */
const GROWTH = 1.25;
const SMALLEST_MS = 0.05;
const BUCKETS = 64;
const LOG_GROWTH = Math.log(GROWTH);
const NANOSECONDS_A_MS = 1e6;

type Counts = { requests: number; errors: number; readonly buckets: Uint32Array };
/** What is looked up now and then, of the minute it was looked up in. */
type Gauges = {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly eventLoopDelayMs: number | null;
  readonly databaseBytes: number;
  readonly jobsWaiting: number;
};
type Minute = { readonly number: number; readonly services: Map<string, Counts>; gauges: Gauges | undefined };
type ServiceMinute = {
  readonly requests: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
};
export type ShownMinute = {
  readonly atMs: number;
  readonly services: Readonly<Record<string, ServiceMinute>>;
  readonly gauges: Gauges | undefined;
};

const bucketOf = (ms: number): number =>
  ms <= SMALLEST_MS ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / SMALLEST_MS) / LOG_GROWTH));
const boundOf = (bucket: number): number => Math.round(SMALLEST_MS * GROWTH ** bucket * 100) / 100;

function percentileOf({ requests, buckets }: Counts, part: number): number | null {
  const wanted = Math.ceil(requests * part);
  let seen = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    seen += buckets[bucket] ?? 0;
    if (seen >= wanted && seen > 0) return boundOf(bucket);
  }
  return null;
}
const showCounts = (counts: Counts): ServiceMinute => ({
  requests: counts.requests,
  errors: counts.errors,
  p50Ms: percentileOf(counts, 0.5),
  p95Ms: percentileOf(counts, 0.95),
  p99Ms: percentileOf(counts, 0.99),
});

export class Minutes {
  readonly #ring: (Minute | undefined)[] = new Array(MINUTES_KEPT);
  readonly #nowMs: () => number;
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }
  #current(): Minute {
    const number = Math.floor(this.#nowMs() / MINUTE_MS);
    const slot = number % MINUTES_KEPT;
    const kept = this.#ring[slot];
    if (kept?.number === number) return kept;
    const begun: Minute = { number, services: new Map(), gauges: undefined };
    this.#ring[slot] = begun;
    return begun;
  }
  /** An error is what the server, not the caller, is to blame for. */
  request(service: string, status: number, ms: number): void {
    const { services } = this.#current();
    let counts = services.get(service);
    if (!counts) {
      counts = { requests: 0, errors: 0, buckets: new Uint32Array(BUCKETS) };
      services.set(service, counts);
    }
    counts.requests += 1;
    if (status >= 500) counts.errors += 1;
    const bucket = bucketOf(ms);
    counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
  }
  /** The event loop is watched from the first time on that somebody looks. */
  look(stored: Pick<Gauges, "databaseBytes" | "jobsWaiting">): Gauges {
    const { rss, heapUsed } = process.memoryUsage();
    const gauges = {
      ...stored,
      residentBytes: rss,
      heapBytes: heapUsed,
      eventLoopDelayMs: this.#delayMs(),
    };
    this.#current().gauges = gauges;
    return gauges;
  }
  #delayMs(): number | null {
    if (!this.#delays) {
      this.#delays = monitorEventLoopDelay({ resolution: 20 });
      this.#delays.enable();
    }
    const { count, mean } = this.#delays;
    this.#delays.reset();
    return count === 0 || Number.isNaN(mean) ? null : Math.round((mean / NANOSECONDS_A_MS) * 100) / 100;
  }
  /** The oldest first; minutes in which nothing came are told as well. */
  list(count: number): ShownMinute[] {
    const last = Math.floor(this.#nowMs() / MINUTE_MS);
    return Array.from({ length: Math.min(count, MINUTES_KEPT) }, (_, index) => {
      const number = last - Math.min(count, MINUTES_KEPT) + 1 + index;
      const kept = this.#ring[number % MINUTES_KEPT];
      const minute = kept?.number === number ? kept : undefined;
      const services = [...(minute?.services ?? [])].map(([name, counts]) => [name, showCounts(counts)]);
      return { atMs: number * MINUTE_MS, services: Object.fromEntries(services), gauges: minute?.gauges };
    });
  }
  stop(): void {
    this.#delays?.disable();
  }
}
