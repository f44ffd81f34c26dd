/** What one running instance keeps in memory. */
import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Context, Instance, Principal } from "#kernel/operation";
import { RateCounter } from "./domain/rate-limits.ts";
import { rateLimitTimesOf } from "./settings.ts";
import { findServerKey, insertServerKey } from "./store/index.ts";
import type { Tables } from "./tables.ts";

const generateKeys = promisify(generateKeyPair);
const KEY_BITS = 2048;

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
export type ServerKey = { readonly publicPem: string; readonly privateKey: KeyObject };

export class State {
  readonly instance: Instance;
  /** Whom accounts' own keys stand for, as far as that was asked. */
  readonly defaultUsers = new Map<string, number>();
  /** How many times the public limits callers have; nothing where there are none. */
  readonly rateLimitTimes: number;
  readonly rates = new RateCounter();
  readonly #callers = new WeakMap<Principal, Caller>();
  #serverKey: Promise<ServerKey> | undefined;
  constructor(instance: Instance) {
    this.instance = instance;
    this.rateLimitTimes = rateLimitTimesOf(instance.config);
  }

  remember(principal: Principal, caller: Caller): void {
    this.#callers.set(principal, caller);
  }
  callerOf(principal: Principal): Caller | undefined {
    return this.#callers.get(principal);
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

  forget(): void {
    this.defaultUsers.clear();
    this.rates.forget();
    this.#serverKey = undefined;
  }
}
export type BankContext = Context<Tables, State>;

export const start = (instance: Instance): State => new State(instance);
export const forget = (state: State): void => state.forget();
