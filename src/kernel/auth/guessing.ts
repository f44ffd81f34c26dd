/**
 * A limit on guessing credentials, by the network that guesses and by the name that it tries. Only different secrets
 * count: a client that shows the same wrong key again and again is mistaken, not guessing. The machine itself is no
 * network: a developer's programs share its address, and everybody behind a proxy does that nobody named. Each node
 * counts for itself, in memory, on the machine's clock; while nobody fails there is nothing to ask. Whoever shows what
 * was right lately is never refused for what others at the same address do.
 */
import { kernelErrors } from "../operation/errors.ts";
import { digestOf } from "./secrets.ts";

const WINDOW_MS = 60_000;
export const NETWORK_SECRETS_MAX = 300;
export const NAME_SECRETS_MAX = 60;
const NETWORKS_KEPT_MAX = 1000;
const GOOD_KEPT_MAX = 1000;
const GOOD_KEPT_MS = 3_600_000;
const NOTED_KEPT_MS = 60_000;
/** The network of `::1`, in which there is nobody else. */
const LOOPBACK_6 = "0:0:0:0";

export type Guess = {
  readonly address: string;
  /** Undefined where a secret stands for itself. */
  readonly name: string | undefined;
};
/** What was wrong, with the name that it was tried for. */
type Tried = { readonly endsAtMs: number; readonly names: Map<string, string | undefined> };

export class Guessing {
  readonly #tried = new Map<string, Tried>();
  readonly #nowMs: () => number;
  /** What was right, by network and name, and until when that counts. */
  readonly #good = new Map<string, number>();
  /** The last that were noted, as they were shown: noting them again for each request would cost a digest each. */
  readonly #noted = new Map<string, number>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }
  get isQuiet(): boolean {
    return this.#tried.size === 0;
  }
  note({ address, name }: Guess, secret: string): void {
    const network = networkOf(address);
    const tried = this.#find(network) ?? this.#begin(network);
    const [oldest] = tried.names.keys();
    if (oldest !== undefined && tried.names.size >= NETWORK_SECRETS_MAX) tried.names.delete(oldest);
    tried.names.set(digestOf(`${name}\0${secret}`), name);
  }
  /** A password that was right is no guess when it comes from the same network again. */
  noteGood(guess: Guess, secret: string): void {
    const shown = `${guess.address}\0${guess.name}\0${secret}`;
    const nowMs = this.#nowMs();
    if ((this.#noted.get(shown) ?? 0) > nowMs) return;
    if (this.#noted.size >= GOOD_KEPT_MAX) this.#noted.clear();
    this.#noted.set(shown, nowMs + NOTED_KEPT_MS);
    const key = goodKeyOf(guess, secret);
    this.#good.delete(key);
    const [oldest] = this.#good.keys();
    if (oldest !== undefined && this.#good.size >= GOOD_KEPT_MAX) this.#good.delete(oldest);
    this.#good.set(key, nowMs + GOOD_KEPT_MS);
  }
  wasGood(guess: Guess, secret: string): boolean {
    return (this.#good.get(goodKeyOf(guess, secret)) ?? 0) > this.#nowMs();
  }
  /** Throws `throttled` where no further attempt may be made for now. */
  refuseTooMany(guess: Guess): void {
    const waitMs = this.findWaitMs(guess);
    if (waitMs === undefined) return;
    throw kernelErrors.throttled("Too many wrong credentials were shown; try again later.", {
      headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
    });
  }
  /** Milliseconds until the next attempt may be made; undefined when it may be made now. */
  findWaitMs({ address, name }: Guess): number | undefined {
    const network = networkOf(address);
    const tried = this.#find(network);
    if (!tried) return undefined;
    const isUsedUp =
      (tried.names.size >= NETWORK_SECRETS_MAX && !isThisMachine(network)) ||
      (name !== undefined && countOf(tried.names.values(), name) >= NAME_SECRETS_MAX);
    return isUsedUp ? tried.endsAtMs - this.#nowMs() : undefined;
  }
  #find(network: string): Tried | undefined {
    const tried = this.#tried.get(network);
    return tried && tried.endsAtMs > this.#nowMs() ? tried : undefined;
  }
  #begin(network: string): Tried {
    const begun: Tried = { endsAtMs: this.#nowMs() + WINDOW_MS, names: new Map() };
    const [oldest] = this.#tried.keys();
    this.#tried.delete(network);
    if (oldest !== undefined && this.#tried.size >= NETWORKS_KEPT_MAX) this.#tried.delete(oldest);
    this.#tried.set(network, begun);
    this.#sweep ??= setTimeout(() => this.forgetPast(), WINDOW_MS).unref();
    return begun;
  }
  forgetPast(): void {
    clearTimeout(this.#sweep);
    const nowMs = this.#nowMs();
    for (const [network, { endsAtMs }] of this.#tried) if (endsAtMs <= nowMs) this.#tried.delete(network);
    this.#sweep = this.isQuiet ? undefined : setTimeout(() => this.forgetPast(), WINDOW_MS).unref();
  }
}

const goodKeyOf = ({ address, name }: Guess, secret: string): string =>
  digestOf(`${networkOf(address)}\0${name}\0${secret}`);

function countOf(names: Iterable<string | undefined>, wanted: string): number {
  let count = 0;
  for (const name of names) if (name === wanted) count += 1;
  return count;
}

const isThisMachine = (network: string): boolean => network.startsWith("127.") || network === LOOPBACK_6;

/** Who counts as one: an address, or the network of an IPv6 address (its first 64 bits), which is all one caller's. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail = ""] = plain.toLowerCase().split("%", 1)[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const gap = Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(gap).fill("0"), ...right].slice(0, 4).join(":");
}
