/**
 * The last hour by minute: requests, errors and latency of each service, and gauges of the process. The size is
 * fixed.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const MINUTE_MS = 60_000;
export const MINUTES_KEPT = 60;
/** Each bucket bound is this many times the previous one, so a reported latency is at most a quarter too low. */
const GROWTH = 1.25;
const SMALLEST_MS = 0.05;
const BUCKETS = 64;
const LOG_GROWTH = Math.log(GROWTH);
const NANOSECONDS_A_MS = 1e6;
/** How often the event loop is sampled: rarely enough to cost nothing, often enough for an average of a minute. */
const DELAY_RESOLUTION_MS = 100;

type Counts = { requests: number; errors: number; readonly buckets: Uint32Array };
/** Gauges from the database. */
export type StoredGauges = { readonly databaseBytes: number; readonly jobsWaiting: number };
/** The last gauges of a minute. */
type Gauges = StoredGauges & {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly eventLoopDelayMs: number | null;
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
  readonly #readStored: () => Promise<StoredGauges>;
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #timer: NodeJS.Timeout | undefined;
  constructor(nowMs: () => number, readStored: () => Promise<StoredGauges>) {
    this.#nowMs = nowMs;
    this.#readStored = readStored;
  }
  /** Samples gauges once now, and then in the middle of every minute. */
  start(): void {
    this.#delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    this.#delays.enable();
    const take = () => {
      const untilNextMs = MINUTE_MS - ((this.#nowMs() + MINUTE_MS / 2) % MINUTE_MS);
      this.#timer = setTimeout(take, untilNextMs).unref();
      // A database that does not answer leaves a gap.
      this.take().catch(() => {});
    };
    take();
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
  /** Only server errors count as errors. */
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
  async take(): Promise<Gauges> {
    const stored = await this.#readStored();
    const { rss, heapUsed } = process.memoryUsage();
    const minute = this.#current();
    const { eventLoopDelayMs = null } = minute.gauges ?? {};
    const gauges = {
      ...stored,
      residentBytes: rss,
      heapBytes: heapUsed,
      eventLoopDelayMs: this.#delayMs() ?? eventLoopDelayMs,
    };
    minute.gauges = gauges;
    return gauges;
  }
  /** Since the last call. The histogram holds the intervals between samples, so one interval is subtracted. */
  #delayMs(): number | null {
    if (!this.#delays || this.#delays.count === 0) return null;
    const meanMs = this.#delays.mean / NANOSECONDS_A_MS - DELAY_RESOLUTION_MS;
    this.#delays.reset();
    return Math.max(0, Math.round(meanMs * 100) / 100);
  }
  /** The oldest first, minutes without requests included. */
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
    clearTimeout(this.#timer);
    this.#delays?.disable();
  }
}
