/** Who watches which event: all of them share one look at the database, and are told when something has changed. */
import { setTimeout as pause } from "node:timers/promises";

/** Changes that this process makes are told at once; those of other nodes are looked for this often. */
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
  /** Until something changed, or it is time for a sign of life. */
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

  /** Versions as they come, and undefined as a sign of life; undefined when too many watch already. */
  watch(key: string, version: string, look: Look): AsyncGenerator<string | undefined> | undefined {
    return this.#count >= this.#watchersMax || this.#isClosed ? undefined : this.#watch(key, version, look);
  }

  /** Counted only once somebody reads: what is never read would never end. */
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

  /** Ends with the last watcher. A look that fails is tried again. */
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

  /** Something of it has changed: looks at once. */
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
