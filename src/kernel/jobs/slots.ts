/**
 * Slots limit the jobs that run at once on this node. Quick jobs (one transaction) share some slots, and one name
 * never takes them all. Slow jobs, which may wait for another machine, have slots for each name, and one account
 * never takes them all. So no kind of job and no account can block the others. Jobs declared `alone` run one at a
 * time for each account.
 */
import type { JobRow } from "../runtime/tables.ts";

/** For all quick jobs together, and for each name of slow jobs. */
export const SLOTS_MAX = 16;
/** The share of one name in the quick slots, and of one account in the slow slots of a name. */
export const SHARE_MAX = 12;

type Work = Pick<JobRow, "name" | "account">;
export type Kind = { readonly slow: boolean; readonly alone: boolean };
type KindOf = (name: string) => Kind;
/** Jobs that may begin now: a name, and the accounts that must wait. */
export type Lane = { readonly name: string; readonly full: readonly string[] };

export class Slots {
  readonly #kindOf: KindOf;
  #quickCount = 0;
  /** By name, then by account. */
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(kindOf: KindOf) {
    this.#kindOf = kindOf;
  }
  #countOf(name: string): number {
    let count = 0;
    for (const ofAccount of this.#counts.get(name)?.values() ?? []) count += ofAccount;
    return count;
  }
  #isNameFull(name: string): boolean {
    if (this.#kindOf(name).slow) return this.#countOf(name) >= SLOTS_MAX;
    return this.#quickCount >= SLOTS_MAX || this.#countOf(name) >= SHARE_MAX;
  }
  #isAccountFull({ name, account }: Work): boolean {
    const { slow, alone } = this.#kindOf(name);
    const count = this.#counts.get(name)?.get(account) ?? 0;
    return (alone && count > 0) || (slow && count >= SHARE_MAX);
  }
  isFull(work: Work): boolean {
    return this.#isNameFull(work.name) || this.#isAccountFull(work);
  }
  take(work: Work): void {
    this.#count(work, 1);
  }
  /** Returns whether other jobs may have waited for this slot. */
  release(work: Work): boolean {
    const wasFull = this.isFull(work);
    this.#count(work, -1);
    return wasFull;
  }
  #count({ name, account }: Work, by: 1 | -1): void {
    if (!this.#kindOf(name).slow) this.#quickCount += by;
    const accounts = this.#counts.get(name) ?? new Map<string, number>();
    this.#counts.set(name, accounts.set(account, (accounts.get(account) ?? 0) + by));
    if (accounts.get(account) === 0) accounts.delete(account);
    if (accounts.size === 0) this.#counts.delete(name);
  }
  lanesOf(names: readonly string[]): Lane[] {
    return names
      .filter((name) => !this.#isNameFull(name))
      .map((name) => {
        const accounts = [...(this.#counts.get(name)?.keys() ?? [])];
        return { name, full: accounts.filter((account) => this.#isAccountFull({ name, account })) };
      });
  }
  /** Chooses the due jobs that fit, in order. Takes no slot. */
  choose<W extends Work>(due: readonly W[]): W[] {
    const trial = new Slots(this.#kindOf);
    trial.#quickCount = this.#quickCount;
    for (const [name, accounts] of this.#counts) trial.#counts.set(name, new Map(accounts));
    return due.filter((work) => {
      if (trial.isFull(work)) return false;
      trial.take(work);
      return true;
    });
  }
}
