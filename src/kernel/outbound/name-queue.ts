/**
 * The turns of name lookups. The system looks up two names at a time and cannot be stopped, and a name whose servers
 * never answer takes it ten seconds. So each domain has one lookup at a time, domains take turns, and a lookup that
 * waits for too long is never begun. Of the domains that were slow before, only one is looked up at a time.
 */
import { makeRoom } from "../memory/index.ts";

const AT_ONCE_MAX = 2;
export const WAITING_MS_MAX = 10_000;
const SLOW_MS_MIN = 1000;
const SLOW_KEPT_MS = 600_000;
const SLOW_KEPT_MAX = 1000;

type Waiting<Answer> = {
  readonly host: string;
  readonly resolve: (answer: Promise<Answer>) => void;
  readonly timer: NodeJS.Timeout;
};

export class NameQueue<Answer> {
  readonly #lookup: (host: string) => Promise<Answer>;
  /** All lookups that wait or run, by host. */
  readonly #pending = new Map<string, Promise<Answer>>();
  /** By domain; the domain that has waited longest for a turn is the first. */
  readonly #waiting = new Map<string, Waiting<Answer>[]>();
  readonly #running = new Set<string>();
  /** Until when a domain counts as slow, on the machine's steady clock. */
  readonly #slow = new Map<string, number>();
  constructor(lookup: (host: string) => Promise<Answer>) {
    this.#lookup = lookup;
  }

  find(host: string): Promise<Answer> {
    const known = this.#pending.get(host);
    if (known) return known;
    const found = new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#giveUp(host);
        reject(new Error("other names were looked up for too long"));
      }, WAITING_MS_MAX);
      const domain = domainOf(host);
      const before = this.#waiting.get(domain) ?? [];
      this.#waiting.set(domain, [...before, { host, resolve, timer }]);
    }).finally(() => this.#pending.delete(host));
    this.#pending.set(host, found);
    this.#startNext();
    return found;
  }
  #startNext(): void {
    for (const [domain, [next, ...others]] of this.#waiting) {
      if (this.#running.size >= AT_ONCE_MAX) return;
      if (!next || this.#running.has(domain)) continue;
      if (this.#isSlow(domain) && [...this.#running].some((other) => this.#isSlow(other))) continue;
      this.#waiting.delete(domain);
      if (others.length > 0) this.#waiting.set(domain, others);
      this.#start(domain, next);
    }
  }
  #start(domain: string, { host, resolve, timer }: Waiting<Answer>): void {
    clearTimeout(timer);
    this.#running.add(domain);
    const looking = this.#lookup(host);
    resolve(looking);
    const slow = setTimeout(() => this.#noteSlow(domain), SLOW_MS_MIN);
    const end = () => {
      clearTimeout(slow);
      this.#running.delete(domain);
      this.#startNext();
    };
    looking.then(end, end);
  }
  #noteSlow(domain: string): void {
    this.#slow.delete(domain);
    makeRoom(this.#slow, SLOW_KEPT_MAX);
    this.#slow.set(domain, performance.now() + SLOW_KEPT_MS);
  }
  #isSlow(domain: string): boolean {
    return (this.#slow.get(domain) ?? 0) > performance.now();
  }
  #giveUp(host: string): void {
    const domain = domainOf(host);
    const others = (this.#waiting.get(domain) ?? []).filter((one) => one.host !== host);
    if (others.length > 0) this.#waiting.set(domain, others);
    else this.#waiting.delete(domain);
  }
}
const domainOf = (host: string): string => host.split(".").slice(-2).join(".");
