/**
 * Temporary credentials for one call of the process to itself on behalf of a signed-in person. They exist in memory
 * only, have the permissions of that person, and end with the call.
 */
import type { Ids } from "../clock/ids.ts";
import type { Principal } from "../operation/context.ts";

/** The kind of such a credential. A caller that uses one cannot get another. */
export const LENT = "lent";
const SECRET_LENGTH = 40;

export type LentKind = "apiKey" | "token" | "basic" | "accessKey";
/** `name`: the public half of a pair. */
export type LentCredential = { readonly name: string; readonly secret: string };
type Known = { readonly principal: Principal; readonly secret: string };

const keyOf = (kind: LentKind, lookup: string): string => `${kind}\0${lookup}`;

export class LentCredentials {
  readonly #ids: Ids;
  readonly #known = new Map<string, Known>();
  constructor(ids: Ids) {
    this.#ids = ids;
  }
  /** Valid while `work` runs. */
  async during<T>(
    lender: Principal,
    work: (lend: (kind: LentKind) => LentCredential) => Promise<T>,
  ): Promise<T> {
    const principal = { ...lender, credentialKind: LENT };
    const keys: string[] = [];
    const lend = (kind: LentKind): LentCredential => {
      const name = `MDLY${this.#ids.secret(16).toUpperCase()}`;
      const secret = this.#ids.secret(SECRET_LENGTH);
      const key = keyOf(kind, kind === "basic" || kind === "accessKey" ? name : secret);
      keys.push(key);
      this.#known.set(key, { principal, secret });
      return { name, secret };
    };
    try {
      return await work(lend);
    } finally {
      for (const key of keys) this.#known.delete(key);
    }
  }
  bySecret(kind: "apiKey" | "token", secret: string): Principal | undefined {
    return this.#known.get(keyOf(kind, secret))?.principal;
  }
  byPassword(username: string, password: string): Principal | undefined {
    const known = this.#known.get(keyOf("basic", username));
    return known?.secret === password ? known.principal : undefined;
  }
  findAccessKey(id: string): Known | undefined {
    return this.#known.get(keyOf("accessKey", id));
  }
}
