/** Counts requests by key in memory and writes the counts once a second, so that reads need no write. */
import { isoOf } from "#kernel/clock";
import type { Context, Instance } from "#kernel/operation";
import { Bucket, beginOfMonthMs, nextMonthOf, type Plan } from "../domain/quota.ts";
import { errors } from "../errors.ts";
import * as store from "../store/quota.ts";

/** A killed process loses the counts of at most this time. */
const WRITTEN_AFTER_MS = 1_000;

type Entry = {
  readonly account: string;
  readonly keyName: string;
  plan: Plan;
  planIsStale: boolean;
  readonly month: string;
  /** By the kernel clock. */
  readonly monthBeginsMs: number;
  readonly monthEndsMs: number;
  /** Requests of this month on all nodes, as far as they are written. */
  written: number;
  pending: number;
  readonly bucket: Bucket;
};
export type Usage = Readonly<Record<string, string>>;

export class Meter {
  readonly #instance: Instance;
  readonly #entries = new Map<string, Entry>();
  /** Entries of past months with unwritten counts. */
  #ended: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(instance: Instance) {
    this.#instance = instance;
  }
  /** Counts a request and returns the quota headers. Throws if the quota is used up. */
  take(context: Context): Usage | Promise<Usage> {
    const entry = this.#entries.get(keyOf(context));
    const nowMs = context.clock.nowMs();
    const isCurrent =
      entry && !entry.planIsStale && nowMs < entry.monthEndsMs && nowMs >= entry.monthBeginsMs;
    return isCurrent ? this.#count(entry, context) : this.#load(context, nowMs);
  }
  async #load(context: Context, nowMs: number): Promise<Usage> {
    const { account, db, principal } = context;
    const month = monthOf(nowMs);
    const plan = await store.getPlan(db, account, principal.name);
    const written = await store.countUsage(db, account, principal.name, month);
    const known = this.#entries.get(keyOf(context));
    if (known?.month === month) {
      known.plan = plan;
      known.planIsStale = false;
      return this.#count(known, context);
    }
    // Does not await the write. The caller can be in a transaction, and the write would queue behind it.
    if (known && known.pending > 0) this.#ended.push(known);
    const entry: Entry = {
      account,
      keyName: principal.name,
      plan,
      planIsStale: false,
      month,
      monthBeginsMs: beginOfMonthMs(month),
      monthEndsMs: beginOfMonthMs(nextMonthOf(month)),
      written,
      pending: 0,
      bucket: new Bucket(plan.perSecondMax, context.clock.machineNowMs()),
    };
    this.#entries.set(keyOf(context), entry);
    return this.#count(entry, context);
  }
  #count(entry: Entry, { clock }: Context): Usage {
    const { plan } = entry;
    const used = entry.written + entry.pending;
    if (used >= plan.monthlyMax)
      throw errors.quotaExceeded(
        `The ${plan.monthlyMax} requests of ${entry.month} are used up; the next month begins on ${dayOf(entry)}.`,
        { headers: { ...headersOf(entry), "retry-after": String(secondsUntil(entry, clock.nowMs())) } },
      );
    if (!entry.bucket.take(plan.perSecondMax, clock.machineNowMs()))
      throw errors.quotaExceeded(`The key may be used ${plan.perSecondMax} times a second.`, {
        headers: { ...headersOf(entry), "retry-after": "1" },
      });
    entry.pending += 1;
    // biome-ignore lint/style/noRestrictedGlobals: on machine time, however often a key is used.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, WRITTEN_AFTER_MS).unref();
    return headersOf(entry);
  }
  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }
  async #writeAll(): Promise<void> {
    const ended = this.#ended;
    this.#ended = [];
    for (const entry of [...ended, ...this.#entries.values()]) {
      const { account, keyName, month, pending } = entry;
      if (pending === 0) continue;
      try {
        const { written, plan } = await this.#instance.transactAs("podcasts", account, async ({ db }) => ({
          written: await store.addUsage(db, account, { keyName, month, requests: pending }),
          plan: await store.getPlan(db, account, keyName),
        }));
        entry.written = written;
        entry.plan = plan;
        entry.pending -= pending;
      } catch (error) {
        this.#instance.log.error("podcasts: usage was not written down", { error: String(error) });
      }
    }
  }
  /** Plans changed. The next request reads them again. */
  rereadPlans(): void {
    for (const entry of this.#entries.values()) entry.planIsStale = true;
  }
  /** State was cleared or loaded, so the counts are obsolete. */
  forget(): void {
    this.#entries.clear();
    this.#ended = [];
  }
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }
}

const monthOf = (nowMs: number): string => isoOf(nowMs).slice(0, 7);
const keyOf = ({ account, principal }: Context): string => `${account} ${principal.name}`;
const dayOf = ({ monthEndsMs }: Entry): string => isoOf(monthEndsMs).slice(0, 10);
const secondsUntil = ({ monthEndsMs }: Entry, nowMs: number): number =>
  Math.max(1, Math.ceil((monthEndsMs - nowMs) / 1000));
const headersOf = (entry: Entry): Usage => ({
  "X-Vendor-Api-Usage": String(entry.written + entry.pending),
  "X-Vendor-Api-FreeQuota": String(entry.plan.monthlyMax),
  "X-Vendor-Api-NextBillingDate": isoOf(entry.monthEndsMs),
});
