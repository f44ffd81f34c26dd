/**
 * Slots: how many jobs run at once on this node. Quick work (one transaction) shares a few slots, and one name never
 * takes them all. Slow work, which may hang on somebody else's machine, has slots of its own for each name, and one
 * account never takes them all. So no kind of work and no account can hold up the others. Work declared `alone` runs
 * one at a time for each account.
 */
import type { JobRow } from "../runtime/tables.ts";

/** Of all quick work together, and of each name of slow work. */
export const SLOTS_MAX = 16;
/** One name's share of the quick slots, and one account's share of a name's slow slots. */
export const SHARE_MAX = 12;

type Work = Pick<JobRow, "name" | "account">;
export type Kind = { readonly slow: boolean; readonly alone: boolean };
type KindOf = (name: string) => Kind;
/** Work that may be begun now: a name, and the accounts that have to wait. */
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
  /** Answers whether other work may have been waiting for this very slot. */
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
  /** Of due work in its order, what fits; takes no slot. */
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
