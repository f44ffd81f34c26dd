/**
 * Credentials that the process lends itself for one call on behalf of somebody who is signed in: they are in memory alone,
 * open what the lender may, and are worth nothing once the call is over.
 */
import type { Ids } from "../clock/ids.ts";
import type { Principal } from "../operation/context.ts";

/** What such a credential is called; whoever comes with one is not lent another. */
export const LENT = "lent";
const SECRET_LENGTH = 40;

export type LentKind = "apiKey" | "token" | "basic" | "accessKey";
/** `name`: of a pair, the half that is shown openly. */
export type LentCredential = { readonly name: string; readonly secret: string };
type Known = { readonly principal: Principal; readonly secret: string };

const keyOf = (kind: LentKind, lookup: string): string => `${kind}\0${lookup}`;

export class LentCredentials {
  readonly #ids: Ids;
  readonly #known = new Map<string, Known>();
  constructor(ids: Ids) {
    this.#ids = ids;
  }
  /** For as long as `work` lasts. */
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
