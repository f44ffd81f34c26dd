/** What one running instance keeps in memory. */
import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { digestOf } from "#kernel/auth";
import type { Context, Instance, Principal } from "#kernel/operation";
import { RateCounter } from "./domain/rate-limits.ts";
import { Recent } from "./domain/recent.ts";
import { findServerKey, insertServerKey } from "./store/access.ts";
import type { Tables } from "./tables.ts";

const generateKeys = promisify(generateKeyPair);
const signAsync = promisify(sign);
const KEY_BITS = 2048;
const CLIENT_KEYS_MAX = 2000;
const SIGNATURES_MAX = 10_000;
const DIGESTS_MAX = 10_000;

/** Who asks, beyond what the kernel knows. */
export type Caller = {
  readonly userId: number;
  /** The user's key that was shown, or the session opened with; absent for an account's own. */
  readonly keyId?: number;
  /** Absent for whoever shows a key itself. */
  readonly installation?: { readonly id: number; readonly publicKey: string };
  readonly deviceId?: number;
  readonly sessionId?: number;
  /** From where these may call; from everywhere where it is absent. */
  readonly permittedIps?: readonly string[];
};
const CALLER = Symbol("caller");
type KnownPrincipal = Principal & { readonly [CALLER]?: Caller };
/** Carries the caller along, which costs less than to find it again. */
export const principalFor = (principal: Principal, caller: Caller): Principal => {
  const known: KnownPrincipal = { ...principal, [CALLER]: caller };
  return known;
};
export const findCaller = (principal: Principal): Caller | undefined => (principal as KnownPrincipal)[CALLER];

export type ServerKey = { readonly publicPem: string; readonly privateKey: KeyObject };

/** Whose users anybody may make: an account's, the oldest account's, or nobody's. */
export type OpenSandbox = { readonly account: string } | "oldest" | undefined;
type StateSettings = { readonly rateLimitTimes: number; readonly openSandbox: OpenSandbox };

export class State {
  readonly instance: Instance;
  /** Whom accounts' own keys stand for, as far as that was asked. */
  readonly defaultUsers = new Map<string, number>();
  /** How many times the public limits callers have; nothing where there are none. */
  readonly rateLimitTimes: number;
  readonly rates = new RateCounter();
  /** Whose users anybody may make. */
  readonly openSandbox: OpenSandbox;
  /** Headers of requests whose answers are signed. */
  readonly #signedFor = new WeakSet<object>();
  #serverKey: Promise<ServerKey> | undefined;
  readonly #clientKeys = new Recent<KeyObject>(CLIENT_KEYS_MAX);
  readonly #signatures = new Recent<string>(SIGNATURES_MAX);
  readonly #digests = new Recent<string>(DIGESTS_MAX);
  constructor(instance: Instance, { rateLimitTimes, openSandbox }: StateSettings) {
    this.instance = instance;
    this.rateLimitTimes = rateLimitTimes;
    this.openSandbox = openSandbox;
  }

  /** Requests are told apart by their headers: an answer knows no more of them. */
  signFor(headers: object): void {
    this.#signedFor.add(headers);
  }
  isSignedFor(headers: object): boolean {
    return this.#signedFor.has(headers);
  }

  /** A transaction for the account that an open page belongs to: whoever opens it says nothing of one. */
  actFor<T>(account: string, work: (context: BankContext) => Promise<T>): Promise<T> {
    return this.instance.transactAs("bank", account, (context) => work(context as BankContext));
  }

  /** What answers are signed with; one for all nodes. */
  serverKey(): Promise<ServerKey> {
    this.#serverKey ??= this.#loadServerKey().catch((error: unknown) => {
      this.#serverKey = undefined;
      throw error;
    });
    return this.#serverKey;
  }
  async #loadServerKey(): Promise<ServerKey> {
    const work = this.instance.workAs("bank", "") as BankContext;
    if (!(await findServerKey(work.db))) {
      const { publicKey, privateKey } = await generateKeys("rsa", { modulusLength: KEY_BITS });
      const row = {
        account: "",
        public_key: publicKey.export({ type: "spki", format: "pem" }).toString(),
        private_key: work.secrets.seal(privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
        created_at: work.clock.nowMs(),
      };
      await work.transact((inner) => insertServerKey(inner.db, row));
    }
    const kept = await findServerKey(work.db);
    if (!kept) throw new Error("the bank's key is gone");
    return { publicPem: kept.public_key, privateKey: createPrivateKey(work.secrets.open(kept.private_key)) };
  }

  /** The bank's signature of an answer. Equal answers have equal ones, which cost a thousand times a look at what was signed before. */
  async signatureOf(body: string | Uint8Array): Promise<string> {
    const digest = hash("sha256", body, "base64");
    const known = this.#signatures.find(digest);
    if (known !== undefined) return known;
    const { privateKey } = await this.serverKey();
    const signature = (await signAsync("sha256", Buffer.from(body), privateKey)).toString("base64");
    this.#signatures.keep(digest, signature);
    return signature;
  }
  /** What a secret is kept under. */
  digestOf(secret: string): string {
    const known = this.#digests.find(secret);
    if (known !== undefined) return known;
    const digest = digestOf(secret);
    this.#digests.keep(secret, digest);
    return digest;
  }
  /** A client's key, read once: reading it costs six times what checking a signature does. */
  clientKey(pem: string): KeyObject {
    const known = this.#clientKeys.find(pem);
    if (known) return known;
    const key = createPublicKey(pem);
    this.#clientKeys.keep(pem, key);
    return key;
  }

  forget(): void {
    this.defaultUsers.clear();
    this.rates.forget();
    this.#clientKeys.clear();
    this.#signatures.clear();
    this.#digests.clear();
    this.#serverKey = undefined;
  }
}
export type BankContext = Context<Tables, State>;

export const start = (instance: Instance, settings: StateSettings): State => new State(instance, settings);
export const forget = (state: State): void => state.forget();
