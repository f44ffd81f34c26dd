/**
 * Evaluation loops of this node, one per account. A caller that stores messages while a loop is open need
 * not enqueue a job. The loop stays open until all such callers have committed, and then checks the queue
 * again.
 */

const BACKLOG_MAX = 200_000;
/** Number of accepted messages after which a node counts the backlog, because other nodes also change it. */
const LOOK_AFTER_MESSAGES = BACKLOG_MAX / 20;
/** Number of rejected calls after which the backlog is counted again. */
const LOOK_AFTER_REFUSALS = 20;
/** The job that finds messages without a loop runs once to twice this time after they were accepted. */
const LOOK_AFTER_MS = 30_000;

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
  /** The shard that has waited longest. */
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
  /** From now on, no caller can rely on the loop or take it over. */
  close(): void {
    this.#isOpen = false;
    this.#follower?.(false);
  }
  get hasFollower(): boolean {
    return this.#follower !== undefined;
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
  /** Waits for an event or the timeout. */
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

  /**
   * Opens a loop. If one is open, it checks the shards again, and the result is undefined. The first caller takes
   * over a tired loop.
   */
  async open(account: string, shards: Iterable<number>): Promise<Loop | undefined> {
    const known = this.#loops.get(account);
    if (known?.isOpen && (!known.isTired || known.hasFollower)) {
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
  /**
   * The open loop of the account. The caller must `rely` on it and `release` it after the commit or
   * rollback.
   */
  findOpen(account: string): Loop | undefined {
    const loop = this.#loops.get(account);
    return loop?.isOpen ? loop : undefined;
  }

  /** By the kernel clock. */
  noteLook(account: string, atMs: number): void {
    this.#looks.set(account, atMs);
  }
  isLookPlanned(account: string, atMs: number): boolean {
    return this.#looks.get(account) === atMs;
  }
  forgetLooks(): void {
    this.#looks.clear();
  }

  noteBacklog(account: string, count: number): void {
    if (count === 0) this.#backlogs.delete(account);
    else this.#backlogs.set(account, count);
  }
  /** Whether to count the backlog before these messages are accepted. */
  isLookDue(account: string, messageCount: number): boolean {
    const added = this.isOverloaded(account) ? LOOK_AFTER_MESSAGES / LOOK_AFTER_REFUSALS : messageCount;
    const unseen = (this.#unseen.get(account) ?? 0) + added;
    const isDue = unseen >= LOOK_AFTER_MESSAGES;
    if (isDue) this.#unseen.delete(account);
    else this.#unseen.set(account, unseen);
    return isDue;
  }
  /** The backlog is full. New messages are rejected until some are evaluated. */
  isOverloaded(account: string): boolean {
    return (this.#backlogs.get(account) ?? 0) >= BACKLOG_MAX;
  }
}
/** All callers within one period share a look, and later callers never postpone it. */
export const lookAtMs = (nowMs: number): number => (Math.floor(nowMs / LOOK_AFTER_MS) + 2) * LOOK_AFTER_MS;
export { BACKLOG_MAX, LOOK_AFTER_MESSAGES, LOOK_AFTER_MS, LOOK_AFTER_REFUSALS };
