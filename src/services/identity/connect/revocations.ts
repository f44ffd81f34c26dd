/**
 * Signed tokens are verified without asking the database, so what was revoked before its time is kept in memory:
 * read once, then brought up to date every second, and at once after a change of this process's own.
 */
import type { Context } from "#kernel/operation";
import type { ConnectTables } from "../tables.ts";
import { perInstance } from "./instance.ts";
import * as store from "./store.ts";

const TRUST_MS = 1000;
/** Nodes commit a little after they have looked at their clocks. */
const OVERLAP_MS = 10_000;
const KEPT_MAX = 200_000;

class Revocations {
  #until = new Map<string, number>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  #seenUpToMs = 0;

  /** Called after a commit that revoked something. */
  forget(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }
  async refresh(context: Pick<Context<ConnectTables>, "db" | "clock">): Promise<void> {
    if (performance.now() - this.#readAtMs < TRUST_MS) return;
    const { clock } = context;
    const startedMs = clock.machineNowMs();
    const rows = await store.listRevokedSince(context.db, this.#seenUpToMs - OVERLAP_MS);
    this.#readAtMs = performance.now();
    this.#seenUpToMs = startedMs;
    for (const { subject, expires_at } of rows) this.#until.set(subject, expires_at);
    if (this.#until.size > KEPT_MAX) this.#dropExpired(clock.nowMs());
  }
  #dropExpired(nowMs: number): void {
    for (const [subject, untilMs] of this.#until) if (untilMs <= nowMs) this.#until.delete(subject);
  }
  has(subject: string): boolean {
    return this.#until.has(subject);
  }
}
export const revocations = perInstance(() => new Revocations());
