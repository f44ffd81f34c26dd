/** Gateway functions for policies: call counters, cached responses and token keys. */
import { createHash } from "node:crypto";
import type { Clock } from "#kernel/clock";
import { makeRoom } from "#kernel/memory";
import type { Context } from "#kernel/operation";
import type { Outbound } from "#kernel/outbound";
import type { JwtRules, PolicyTools, Reply } from "../domain/index.ts";
import { countQuotas, deleteEndedQuotas, findQuota, putQuota } from "../store.ts";
import type { Served } from "./served.ts";
import { TokenKeys } from "./token-keys.ts";

const COUNTERS_MAX = 50_000;
const KEY_LETTERS_MAX = 200;
const CACHED_MAX = 2000;
const CACHED_BYTES_MAX = 64 * 1024 * 1024;
/** Quota counters of one instance. */
const QUOTAS_MAX = 10_000;

type Counter = { calls: number; readonly endsAtMs: number };
type Cached = { readonly reply: Reply; readonly endsAtMs: number; readonly bytes: number };

/** Callers can choose keys as long as a header. */
const shortened = (key: string): string =>
  key.length <= KEY_LETTERS_MAX ? key : createHash("sha256").update(key).digest("base64url");
const bytesOf = (key: string, { body, headers }: Reply): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, key.length + body.length);

/** Local to this node. The vendor's gateways also count calls separately. */
export class PolicyMemory {
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counter>();
  readonly #cached = new Map<string, Cached>();
  #cachedBytes = 0;
  readonly #keys: TokenKeys;
  constructor(clock: Clock, outbound: Outbound) {
    this.#clock = clock;
    this.#keys = new TokenKeys(clock, outbound);
  }
  forget(): void {
    this.#counters.clear();
    this.#cached.clear();
    this.#cachedBytes = 0;
    this.#keys.forget();
  }
  count(key: string, calls: number, seconds: number): { left: number; waitSeconds: number } {
    const nowMs = this.#clock.nowMs();
    const kept = shortened(key);
    const known = this.#counters.get(kept);
    const counter = known && known.endsAtMs > nowMs ? known : { calls: 0, endsAtMs: nowMs + seconds * 1000 };
    // The longest unused is the first to go.
    this.#counters.delete(kept);
    makeRoom(this.#counters, COUNTERS_MAX);
    this.#counters.set(kept, counter);
    const waitSeconds = Math.ceil((counter.endsAtMs - nowMs) / 1000);
    if (counter.calls >= calls) return { left: -1, waitSeconds };
    counter.calls += 1;
    return { left: calls - counter.calls, waitSeconds };
  }
  findCached(key: string): Reply | undefined {
    const cached = this.#cached.get(key);
    return cached && cached.endsAtMs > this.#clock.nowMs() ? cached.reply : undefined;
  }
  keep(key: string, reply: Reply, seconds: number): void {
    const bytes = bytesOf(key, reply);
    this.#drop(key);
    if (bytes > CACHED_BYTES_MAX) return;
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size < CACHED_MAX && this.#cachedBytes + bytes <= CACHED_BYTES_MAX) break;
      this.#drop(oldest);
    }
    this.#cachedBytes += bytes;
    this.#cached.set(key, { reply, endsAtMs: this.#clock.nowMs() + seconds * 1000, bytes });
  }
  #drop(key: string): void {
    this.#cachedBytes -= this.#cached.get(key)?.bytes ?? 0;
    this.#cached.delete(key);
  }
  findTokenProblem(token: string, rules: JwtRules): Promise<string | undefined> {
    return this.#keys.findProblem(token, rules);
  }
}

export const toolsFor = (
  memory: PolicyMemory,
  context: Context,
  { key: instanceKey, backends }: Pick<Served, "key" | "backends">,
): PolicyTools => {
  const own = (key: string): string => `${context.account} ${instanceKey} ${key}`;
  return {
    countCall: (key, calls, seconds) => memory.count(own(key), calls, seconds),
    countQuota: (key, calls, seconds) => countQuota(context, instanceKey, { key, calls, seconds }),
    findTokenProblem: (token, rules) => memory.findTokenProblem(token, rules),
    findBackend: (id) => backends.get(id.toLowerCase())?.url,
    findCached: (key) => memory.findCached(own(key)),
  };
};
export const cacheKeyOf = (context: Context, instanceKey: string, key: string): string =>
  `${context.account} ${instanceKey} ${key}`;

type Quota = { readonly key: string; readonly calls: number; readonly seconds: number };
const countQuota = (context: Context, instanceKey: string, { key, calls, seconds }: Quota) =>
  context.transact(async ({ db, account, clock }) => {
    const nowMs = clock.nowMs();
    const counter = createHash("sha256").update(`${seconds} ${key}`).digest("base64url");
    const found = await findQuota(db, account, instanceKey, counter);
    const isRunning = found !== undefined && Number(found.ends_at) > nowMs;
    const endsAtMs = isRunning ? Number(found.ends_at) : nowMs + seconds * 1000;
    const before = isRunning ? Number(found.calls) : 0;
    const waitSeconds = Math.ceil((endsAtMs - nowMs) / 1000);
    if (!found) {
      await deleteEndedQuotas(db, account, instanceKey, nowMs);
      if ((await countQuotas(db, account, instanceKey)) >= QUOTAS_MAX) return { isFull: true, waitSeconds };
    }
    if (before >= calls) return { isFull: true, waitSeconds };
    await putQuota(db, account, { instance_key: instanceKey, counter, calls: before + 1, ends_at: endsAtMs });
    return { isFull: false, waitSeconds };
  });
