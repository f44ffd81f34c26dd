/** Rows of credentials: new ones with their secrets, and those of a credentials file. */
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { CredentialRow } from "../runtime/tables.ts";
import type { AccountFile } from "./credentials-file.ts";
import { digestOf, hashPassword, type SecretBox } from "./secrets.ts";

export type CredentialKind = "apiKey" | "accessKey" | "token" | "basic";
export type NewCredential = {
  readonly kind: CredentialKind;
  readonly scopes?: readonly string[];
  readonly expiresAtMs?: number;
  readonly username?: string;
  readonly session?: boolean;
};
/** `shown`: what its owner sees once. */
type MadeCredential = { readonly row: CredentialRow; readonly shown: Record<string, string> };

export class CredentialMaker {
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }
  /** `hashed`: passwords by user name. Hashing is slow, so it is done before. */
  *rowsOf(
    account: AccountFile,
    box: SecretBox,
    hashed: ReadonlyMap<string, string>,
  ): Generator<CredentialRow> {
    const row = (kind: CredentialKind, lookup: string, name: string, rest: Partial<CredentialRow> = {}) =>
      this.#row(account.id, kind, lookup, name, rest);
    for (const key of account.apiKeys ?? []) yield row("apiKey", digestOf(key), hint(key));
    for (const token of account.tokens ?? []) yield row("token", digestOf(token), hint(token));
    for (const { id, secret, sessionToken } of account.accessKeys ?? [])
      yield row("accessKey", id, id, sealedBy(box, secret, sessionToken));
    for (const { username } of account.basic ?? [])
      yield row("basic", username, username, { secret: hashed.get(username) ?? null });
  }
  async make(account: string, wanted: NewCredential, box: SecretBox): Promise<MadeCredential> {
    const rest: Partial<CredentialRow> = {
      scopes: wanted.scopes ? JSON.stringify(wanted.scopes) : null,
      expires_at: wanted.expiresAtMs ?? null,
    };
    if (wanted.kind === "accessKey") {
      const id = `MDLY${this.#ids.secret(16).toUpperCase()}`;
      const secret = this.#ids.secret(40);
      const sessionToken = wanted.session ? this.#ids.secret(120) : undefined;
      return {
        row: this.#row(account, "accessKey", id, id, { ...rest, ...sealedBy(box, secret, sessionToken) }),
        shown: { accessKeyId: id, secretAccessKey: secret, ...(sessionToken && { sessionToken }) },
      };
    }
    if (wanted.kind === "basic") {
      const username = wanted.username ?? `user-${this.#ids.secret(8).toLowerCase()}`;
      const password = this.#ids.secret(24);
      const hashed = await hashPassword(password);
      return {
        row: this.#row(account, "basic", username, username, { ...rest, secret: hashed }),
        shown: { username, password },
      };
    }
    const secret = this.#ids.secret(40);
    const row = this.#row(account, wanted.kind, digestOf(secret), hint(secret), rest);
    return { row, shown: wanted.kind === "token" ? { token: secret } : { apiKey: secret } };
  }
  #row(
    account: string,
    kind: CredentialKind,
    lookup: string,
    name: string,
    rest: Partial<CredentialRow>,
  ): CredentialRow {
    return {
      id: this.#ids.next("cred"),
      account,
      kind,
      lookup,
      secret: null,
      name,
      scopes: null,
      session_token: null,
      expires_at: null,
      created_at: this.#clock.nowMs(),
      ...rest,
    };
  }
}

const sealedBy = (box: SecretBox, secret: string, sessionToken: string | undefined) => ({
  secret: box.seal(secret),
  session_token: sessionToken === undefined ? null : box.seal(sessionToken),
});

/** Enough to recognise a secret in a list, too little to use it. */
const hint = (secret: string): string => `${secret.slice(0, 4)}…`;
