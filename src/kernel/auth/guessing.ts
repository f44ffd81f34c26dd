/**
 * Limits the guessing of credentials, by network and by user name. Only different secrets count: a client that
 * repeats the same wrong key is misconfigured, not guessing. Loopback is not limited as a network, because all
 * programs of the machine share it, and so do all callers behind an unnamed proxy. Each node counts for itself, in
 * memory, on the machine's clock. Without failures there is nothing to check. A credential that was correct
 * recently is never refused because of others at the same address.
 */
import { makeRoom } from "../memory/index.ts";
import { kernelErrors } from "../operation/errors.ts";
import { digestOf } from "./secrets.ts";

const WINDOW_MS = 60_000;
const NETWORK_SECRETS_MAX = 300;
const NAME_SECRETS_MAX = 60;
const NETWORKS_KEPT_MAX = 1000;
const GOOD_KEPT_MAX = 1000;
const GOOD_KEPT_MS = 3_600_000;
const NOTED_KEPT_MS = 60_000;
/** The network of `::1`, which has only this machine. */
const LOOPBACK_6 = "0:0:0:0";

export type Guess = {
  readonly address: string;
  /** Undefined if the secret has no user name. */
  readonly name: string | undefined;
};
/** Wrong secrets, with the name of each. */
type Tried = { readonly endsAtMs: number; readonly names: Map<string, string | undefined> };

export class Guessing {
  readonly #tried = new Map<string, Tried>();
  readonly #nowMs: () => number;
  /** Correct secrets by network and name, and until when they count. */
  readonly #good = new Map<string, number>();
  /** The last ones noted, as they were sent: a digest for each request would be too expensive. */
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
    makeRoom(tried.names, NETWORK_SECRETS_MAX);
    tried.names.set(digestOf(`${name}\0${secret}`), name);
  }
  /** A password that was correct is no guess when it comes from the same network again. */
  noteGood(guess: Guess, secret: string): void {
    const shown = `${guess.address}\0${guess.name}\0${secret}`;
    const nowMs = this.#nowMs();
    if ((this.#noted.get(shown) ?? 0) > nowMs) return;
    this.#noted.delete(shown);
    makeRoom(this.#noted, GOOD_KEPT_MAX);
    this.#noted.set(shown, nowMs + NOTED_KEPT_MS);
    const key = goodKeyOf(guess, secret);
    this.#good.delete(key);
    makeRoom(this.#good, GOOD_KEPT_MAX);
    this.#good.set(key, nowMs + GOOD_KEPT_MS);
  }
  wasGood(guess: Guess, secret: string): boolean {
    return (this.#good.get(goodKeyOf(guess, secret)) ?? 0) > this.#nowMs();
  }
  /** Throws `throttled` if no further attempt is allowed now. */
  refuseTooMany(guess: Guess): void {
    const waitMs = this.findWaitMs(guess);
    if (waitMs === undefined) return;
    throw kernelErrors.throttled("Too many wrong credentials were shown; try again later.", {
      headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
    });
  }
  /** Milliseconds until the next attempt is allowed; undefined if it is allowed now. */
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
    this.#tried.delete(network);
    makeRoom(this.#tried, NETWORKS_KEPT_MAX);
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

/** Of a network as `networkOf` gives it. */
export const isThisMachine = (network: string): boolean =>
  network.startsWith("127.") || network === LOOPBACK_6;

/** The unit of counting: an IPv4 address, or the /64 network of an IPv6 address, which belongs to one caller. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail = ""] = plain.toLowerCase().split("%", 1)[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const gap = Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(gap).fill("0"), ...right].slice(0, 4).join(":");
}
