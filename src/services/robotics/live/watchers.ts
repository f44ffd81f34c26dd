/** Subscriptions to events. All subscribers of an event share one poll of the database. */
import { setTimeout as pause } from "node:timers/promises";

/** Poll interval for changes of other nodes. Changes of this process notify at once. */
const LOOK_MS = 1000;
const SIGN_OF_LIFE_MS = 15_000;
const WATCHERS_MAX = 2000;

type Look = () => Promise<string>;
type Group = { version: string; look: Look; watchers: Set<Watcher>; wake: AbortController };

/** Keeps only the newest version, so a slow reader skips versions. */
class Watcher {
  version: string;
  #wake = new AbortController();
  constructor(version: string) {
    this.version = version;
  }
  tell(version: string): void {
    this.version = version;
    this.#wake.abort();
  }
  /** Waits for a change or for the keep-alive interval. */
  async wait(): Promise<void> {
    await slept(SIGN_OF_LIFE_MS, this.#wake.signal);
    this.#wake = new AbortController();
  }
}

const slept = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { ref: false, signal }).catch(() => {});

export class Watchers {
  readonly #groups = new Map<string, Group>();
  readonly #watchersMax: number;
  #count = 0;
  #isClosed = false;

  constructor(watchersMax = WATCHERS_MAX) {
    this.#watchersMax = watchersMax;
  }

  /** Yields versions, and undefined as a keep-alive. Returns undefined if there are too many watchers. */
  watch(key: string, version: string, look: Look): AsyncGenerator<string | undefined> | undefined {
    return this.#count >= this.#watchersMax || this.#isClosed ? undefined : this.#watch(key, version, look);
  }

  /** Counts the watcher at its first read. A generator that is never read never runs its `finally`. */
  async *#watch(key: string, version: string, look: Look): AsyncGenerator<string | undefined> {
    const watcher = new Watcher(version);
    const group = this.#join(key, watcher, look);
    try {
      yield version;
      let told = version;
      while (!this.#isClosed) {
        if (watcher.version === told) await watcher.wait();
        const isNew = watcher.version !== told;
        told = watcher.version;
        yield isNew ? told : undefined;
      }
    } finally {
      group.watchers.delete(watcher);
      this.#count -= 1;
      if (group.watchers.size === 0) group.wake.abort();
    }
  }

  #join(key: string, watcher: Watcher, look: Look): Group {
    const known = this.#groups.get(key);
    const group = known ?? {
      version: watcher.version,
      look,
      watchers: new Set(),
      wake: new AbortController(),
    };
    group.watchers.add(watcher);
    this.#count += 1;
    if (!known) {
      this.#groups.set(key, group);
      void this.#keepLooking(key, group);
    }
    return group;
  }

  /** Stops after the last watcher. A failed poll is retried. */
  async #keepLooking(key: string, group: Group): Promise<void> {
    while (group.watchers.size > 0 && !this.#isClosed) {
      const version = await group.look().catch(() => group.version);
      if (version !== group.version) {
        group.version = version;
        for (const watcher of group.watchers) watcher.tell(version);
      }
      if (group.watchers.size > 0) await slept(LOOK_MS, group.wake.signal);
      if (group.wake.signal.aborted) group.wake = new AbortController();
    }
    this.#groups.delete(key);
  }

  /** Polls at once after a change. */
  changed(key: string): void {
    this.#groups.get(key)?.wake.abort();
  }

  get count(): number {
    return this.#count;
  }

  close(): void {
    this.#isClosed = true;
    for (const { wake, watchers, version } of this.#groups.values()) {
      wake.abort();
      for (const watcher of watchers) watcher.tell(version);
    }
  }
}
