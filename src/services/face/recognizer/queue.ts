/** Who waits for a thread: one picture of each account in turn, so that many pictures of one hold up no other. */

export class FairQueue {
  /** In the order in which accounts get their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #placesMax: number;
  readonly #perAccountMax: number;
  #taken = 0;

  constructor({ placesMax, perAccountMax }: { placesMax: number; perAccountMax: number }) {
    this.#placesMax = placesMax;
    this.#perAccountMax = perAccountMax;
  }

  /** False where too many of the account's pictures wait already. */
  async enter(account: string): Promise<boolean> {
    if (this.#taken < this.#placesMax) {
      this.#taken += 1;
      return true;
    }
    const own = this.#waiting.get(account) ?? [];
    if (own.length >= this.#perAccountMax) return false;
    this.#waiting.set(account, own);
    await new Promise<void>((resolve) => own.push(resolve));
    return true;
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    const [account, own] = next;
    const wake = own.shift();
    // Its next picture waits until every other account had a turn.
    this.#waiting.delete(account);
    if (own.length > 0) this.#waiting.set(account, own);
    wake?.();
  }
}
