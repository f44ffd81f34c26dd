/**
 * Whether this node is at work on an account's messages. Whoever accepts a message while it is need not ask for the work
 * anew: a loop stays open until everybody who relied on it has committed, and then looks again.
 */

const BACKLOG_MAX = 200_000;
/** After so many messages a node looks how many wait: another one may be at work on them, or none. */
const LOOK_AFTER_MESSAGES = BACKLOG_MAX / 20;
/** So many refused calls make it look again. */
const LOOK_AFTER_REFUSALS = 20;
/** When messages are looked for that nobody has seen. */
const LOOK_AFTER_MS = 60_000;
/** A look that comes sooner may come before the commit of what is accepted now. */
const LOOK_SOONEST_MS = LOOK_AFTER_MS / 2;

class Loop {
  readonly #wanted = new Set<number>();
  #relying = 0;
  #isOpen = true;
  #wake: (() => void) | undefined;
  #follower: ((isHandedOver: boolean) => void) | undefined;
  /** The loop has run for long, so the next caller continues its work. */
  isTired = false;

  want(shards: Iterable<number>): void {
    for (const shard of shards) this.#wanted.add(shard);
    this.#wake?.();
  }
  /** The shard that waits longest. */
  next(): number | undefined {
    const [shard] = this.#wanted;
    if (shard !== undefined) this.#wanted.delete(shard);
    return shard;
  }
  get hasMore(): boolean {
    return this.#wanted.size > 0;
  }
  get isOpen(): boolean {
    return this.#isOpen;
  }
  /** Nobody new may rely on it, nor go on with it. */
  close(): void {
    this.#isOpen = false;
    this.#follower?.(false);
  }
  /** True if the caller becomes the one that runs the loop. */
  takeOver(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#follower = resolve;
      this.#wake?.();
    });
  }
  /** For the running loop: true if another caller continues its work. */
  handOver(): boolean {
    if (!this.#follower) return false;
    this.#follower(true);
    this.#follower = undefined;
    this.isTired = false;
    return true;
  }
  get isRelied(): boolean {
    return this.#relying > 0;
  }
  rely(): void {
    this.#relying += 1;
  }
  release(): void {
    this.#relying -= 1;
    this.#wake?.();
  }
  /** Until something happens, or the time is up. */
  async rest(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      // biome-ignore lint/style/noRestrictedGlobals: how long a loop lingers is real time, like the messages it waits for.
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

export type { Loop };

export class Evaluators {
  readonly #loops = new Map<string, Loop>();
  readonly #looks = new Map<string, number>();
  readonly #backlogs = new Map<string, number>();
  readonly #unseen = new Map<string, number>();

  /** Undefined where one is open already, which then looks at everything once more; a tired one is taken over. */
  async open(account: string, shards: Iterable<number>): Promise<Loop | undefined> {
    const known = this.#loops.get(account);
    if (known?.isOpen && !known.isTired) {
      known.want(shards);
      return undefined;
    }
    if (known?.isOpen && (await known.takeOver())) return known;
    const loop = new Loop();
    loop.want(shards);
    this.#loops.set(account, loop);
    return loop;
  }
  forget(account: string, loop: Loop): void {
    if (this.#loops.get(account) === loop) this.#loops.delete(account);
  }
  /** The loop that will see what is being accepted now, if there is one; it must be told when that has been committed, or not. */
  findOpen(account: string): Loop | undefined {
    const loop = this.#loops.get(account);
    return loop?.isOpen ? loop : undefined;
  }

  /** On the kernel clock. */
  noteLook(account: string, atMs: number): void {
    this.#looks.set(account, atMs);
  }
  isLookPlanned(account: string, nowMs: number): boolean {
    const inMs = (this.#looks.get(account) ?? 0) - nowMs;
    return inMs >= LOOK_SOONEST_MS && inMs <= LOOK_AFTER_MS;
  }
  forgetLooks(): void {
    this.#looks.clear();
  }

  noteBacklog(account: string, count: number): void {
    if (count === 0) this.#backlogs.delete(account);
    else this.#backlogs.set(account, count);
  }
  /** Whether to look how many wait before these messages are accepted. */
  isLookDue(account: string, messageCount: number): boolean {
    const added = this.isOverloaded(account) ? LOOK_AFTER_MESSAGES / LOOK_AFTER_REFUSALS : messageCount;
    const unseen = (this.#unseen.get(account) ?? 0) + added;
    const isDue = unseen >= LOOK_AFTER_MESSAGES;
    if (isDue) this.#unseen.delete(account);
    else this.#unseen.set(account, unseen);
    return isDue;
  }
  /** More waits than can be kept: no more is to be accepted until some of it was evaluated. */
  isOverloaded(account: string): boolean {
    return (this.#backlogs.get(account) ?? 0) >= BACKLOG_MAX;
  }
}
export { BACKLOG_MAX, LOOK_AFTER_MESSAGES, LOOK_AFTER_MS, LOOK_AFTER_REFUSALS };
