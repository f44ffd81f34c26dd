/**
 * Signed tokens are verified without a database query, so revoked tokens are cached in memory. The cache is read once,
 * then updated every second, and immediately after a change by this process.
 */
import type { Context } from "#kernel/operation";
import * as store from "./store/grants.ts";
import type { Tables } from "./tables.ts";

const TRUST_MS = 1000;
/** Nodes commit a little after they have looked at their clocks, and clocks differ. */
const OVERLAP_MS = 120_000;
const KEPT_MAX = 200_000;

export class Revocations {
  #until = new Map<string, number>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #seenUpToMs = 0;
  #changes = 0;

  /** Called after a commit that revoked something. */
  markChanged(): void {
    this.#changes += 1;
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }
  /** Called when state was cleared or loaded: everything is read anew. */
  forget(): void {
    this.markChanged();
    this.#until = new Map();
    this.#seenUpToMs = 0;
  }
  /** Returns undefined if there is nothing to wait for. */
  refresh(context: Pick<Context<Tables>, "db" | "clock">): Promise<void> | undefined {
    return performance.now() - this.#readAtMs < TRUST_MS ? undefined : this.#read(context);
  }
  async #read({ db, clock }: Pick<Context<Tables>, "db" | "clock">): Promise<void> {
    const changes = this.#changes;
    const askedAtMs = performance.now();
    const startedMs = clock.machineNowMs();
    const rows = await store.listRevokedSince(db, this.#seenUpToMs - OVERLAP_MS);
    for (const { subject, expires_at } of rows) this.#until.set(subject, expires_at);
    // A change that was committed while this was read may be missing in it.
    if (changes === this.#changes) {
      this.#readAtMs = askedAtMs;
      this.#seenUpToMs = startedMs;
    }
    if (this.#until.size > KEPT_MAX) this.#dropExpired(clock.nowMs());
  }
  #dropExpired(nowMs: number): void {
    for (const [subject, untilMs] of this.#until) if (untilMs <= nowMs) this.#until.delete(subject);
  }
  has(subject: string): boolean {
    return this.#until.has(subject);
  }
}
