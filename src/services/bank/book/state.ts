/** State that one running instance holds in memory. */
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

/** The caller of a request, with the facts that only the bank knows. */
export type Caller = {
  readonly userId: number;
  /** The user's key that was shown, or the session opened with; absent for an account's own. */
  readonly keyId?: number;
  /** Absent for callers that use an API key directly. */
  readonly installation?: { readonly id: number; readonly publicKey: string };
  readonly deviceId?: number;
  readonly sessionId?: number;
  /** Addresses this caller may call from. Absent: any address. */
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

/** The account in which anybody may create users: a named account, the oldest account, or none. */
export type OpenSandbox = { readonly account: string } | "oldest" | undefined;
type StateSettings = { readonly rateLimitTimes: number; readonly openSandbox: OpenSandbox };

export class State {
  readonly instance: Instance;
  /** Cache: the default user of each account. */
  readonly defaultUsers = new Map<string, number>();
  /** Factor on the public rate limits; zero turns them off. */
  readonly rateLimitTimes: number;
  readonly rates = new RateCounter();
  /** The account in which anybody may create users. */
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

  /**
   * Marks a request whose answer is signed. The key is its headers object, because the answer hook gets
   * nothing else of the request.
   */
  signFor(headers: object): void {
    this.#signedFor.add(headers);
  }
  isSignedFor(headers: object): boolean {
    return this.#signedFor.has(headers);
  }

  /** Runs a transaction for the account that owns a public page. A visitor of the page has no account. */
  actFor<T>(account: string, work: (context: BankContext) => Promise<T>): Promise<T> {
    return this.instance.transactAs("bank", account, (context) => work(context as BankContext));
  }

  /** The key pair that signs answers. All nodes share it. */
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

  /**
   * The bank's signature of an answer. Equal answers have equal signatures, so they are cached: signing
   * costs a thousand times as much as a lookup.
   */
  async signatureOf(body: string | Uint8Array): Promise<string> {
    const digest = hash("sha256", body, "base64");
    const known = this.#signatures.find(digest);
    if (known !== undefined) return known;
    const { privateKey } = await this.serverKey();
    const signature = (await signAsync("sha256", Buffer.from(body), privateKey)).toString("base64");
    this.#signatures.keep(digest, signature);
    return signature;
  }
  /** The digest under which a secret is stored. */
  digestOf(secret: string): string {
    const known = this.#digests.find(secret);
    if (known !== undefined) return known;
    const digest = digestOf(secret);
    this.#digests.keep(secret, digest);
    return digest;
  }
  /**
   * A client's public key. Parsed keys are cached, because parsing costs six times as much as verifying a
   * signature.
   */
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
