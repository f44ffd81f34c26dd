/** The column cache of a node, by account and time range. Each range has the stamp that it was read with. */
import { type Columns, type Dictionaries, emptyDictionaries } from "./columns.ts";

/**
 * About 60 bytes each. Beyond the limit, the least recently used accounts are evicted and read again on demand. An
 * account with more rows is not cached at all: the rest would be read again for every list.
 */
const KEPT_MAX = 3_000_000;

export type Stretch = {
  readonly stamp: number;
  /** Stamps of the short ranges in it, so that a change invalidates little. */
  readonly parts: ReadonlyMap<number, number>;
  readonly columns: Columns;
};

/** The cache of one account. */
export class AccountColumns {
  readonly dictionaries: Dictionaries = emptyDictionaries();
  readonly #stretches = new Map<number, Stretch>();
  #size = 0;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<readonly number[]> | undefined;
  /** Whether everything has been read once. */
  isKnown = false;
  #isTooLarge = false;

  /** Whether it has more rows than the cache may hold. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }
  giveUp(): void {
    this.#isTooLarge = true;
    this.#stretches.clear();
    this.#size = 0;
  }
  get size(): number {
    return this.#size;
  }
  get stretches(): ReadonlyMap<number, Stretch> {
    return this.#stretches;
  }
  keep(number: number, stretch: Stretch): void {
    this.forget(number);
    this.#stretches.set(number, stretch);
    this.#size += stretch.columns.place.length;
  }
  forget(number: number): void {
    this.#size -= this.#stretches.get(number)?.columns.place.length ?? 0;
    this.#stretches.delete(number);
  }
  /**
   * One refresh at a time. Callers share a waiting refresh, because it will see everything that was there when
   * they came.
   */
  refresh(work: () => Promise<readonly number[]>): Promise<readonly number[]> {
    if (this.#next) return this.#next;
    const mine = this.#running.then(() => {
      this.#next = undefined;
      return work();
    });
    this.#next = mine;
    this.#running = mine.catch(() => {});
    return mine;
  }
}

export class ColumnCache {
  readonly #accounts = new Map<string, AccountColumns>();
  readonly keptMax: number;
  constructor(keptMax = KEPT_MAX) {
    this.keptMax = keptMax;
  }
  isKnown(account: string): boolean {
    return this.#accounts.get(account)?.isKnown ?? false;
  }
  isTooLarge(account: string): boolean {
    return this.#accounts.get(account)?.isTooLarge ?? false;
  }
  /** Marks it as the most recently used. */
  of(account: string): AccountColumns {
    const columns = this.#accounts.get(account) ?? new AccountColumns();
    this.#accounts.delete(account);
    this.#accounts.set(account, columns);
    return columns;
  }
  /** Frees memory for this number of further rows of the account. Returns false if that is impossible. */
  hasRoomFor(account: string, more: number): boolean {
    let size = more;
    for (const columns of this.#accounts.values()) size += columns.size;
    for (const [other, columns] of this.#accounts) {
      if (size <= this.keptMax) return true;
      if (other === account || columns.size === 0) continue;
      size -= columns.size;
      this.#accounts.delete(other);
    }
    return size <= this.keptMax;
  }
}
