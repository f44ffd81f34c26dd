/** Accounts, their credentials and policies. The hot path verifies from a cache in memory. */

import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import { type AnyDb, type Database, isUniqueViolation } from "../db/database.ts";
import { makeRoom } from "../memory/index.ts";
import type { Principal } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { CredentialRow } from "../runtime/tables.ts";
import * as store from "./accounts-store.ts";
import { ADMINISTER, builtInPolicy, IDENTIFY } from "./built-in.ts";
import { type CredentialKind, CredentialMaker, type NewCredential } from "./credential-maker.ts";
import type { AccountFile } from "./credentials-file.ts";
import { LentCredentials } from "./lent.ts";
import { isAllowed, isAllowedOn, matchesAction, type Policy, policiesOn } from "./policies.ts";
import { digestOf, hashNamedPassword, hashPassword, SecretBox, verifyPassword } from "./secrets.ts";

export type AccessKeySecret = {
  readonly id: string;
  readonly secret: string;
  readonly sessionToken?: string;
  readonly expiresAtMs?: number;
};
export type KnownAccessKey = { readonly key: AccessKeySecret; readonly principal: Principal };
/** `onAction`: the policies for each action that was asked for. */
type KnownPolicies = {
  readonly all: readonly Policy[];
  readonly onAction: Map<string, readonly Policy[]>;
  readonly untilMs: number;
};
type Known = {
  readonly principal: Principal;
  readonly row: CredentialRow;
  readonly secret: string | undefined;
  readonly sessionToken: string | undefined;
  readonly untilMs: number;
};
/** Verifies tokens that are not in the credential table, such as signed ones. */
export type TokenVerifier = (token: string) => Promise<Principal | undefined> | Principal | undefined;
/** Finds access keys that are not in the credential table, such as those of sessions. */
export type AccessKeyFinder = (id: string) => Promise<KnownAccessKey | undefined>;

const KEPT_MAX = 20_000;
const PASSWORD_KEPT_MS = 300_000;
const SECRET_KEY_SETTING = "secret-key";

export class Accounts {
  /** Credentials that the process lends itself for one call. */
  readonly lent: LentCredentials;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #maker: CredentialMaker;
  /** On a shared database another node may revoke a credential, so cached ones are trusted only for this time. */
  readonly #trustMs: number;
  readonly #known = new Map<string, Known>();
  /** By the secret itself, as requests send it; in memory only. */
  readonly #proven = new Map<string, Known>();
  /** Tokens whose signature was verified. */
  readonly #signedTokens = new Map<string, true>();
  readonly #policies = new Map<string, KnownPolicies>();
  readonly #scopeDecisions = new Map<string, boolean>();
  readonly #passwords = new Map<string, number>();
  readonly #verifiers: TokenVerifier[] = [];
  readonly #keyFinders: AccessKeyFinder[] = [];
  readonly #sessionKeys = new Map<string, KnownAccessKey & { readonly untilMs: number }>();
  /** Grows with every change: a lookup that began before a change must not be cached after it. */
  #changes = 0;
  #box: SecretBox | undefined;
  #boxKey: string | undefined;

  constructor(database: Database, clock: Clock, ids: Ids, secretKey: string | undefined) {
    this.#database = database;
    this.#clock = clock;
    this.#ids = ids;
    this.#maker = new CredentialMaker(clock, ids);
    this.lent = new LentCredentials(ids);
    this.#boxKey = secretKey;
    this.#trustMs = database.kind === "postgres" ? 1000 : Number.POSITIVE_INFINITY;
  }
  addTokenVerifier(verifier: TokenVerifier): void {
    this.#verifiers.push(verifier);
  }
  addAccessKeyFinder(finder: AccessKeyFinder): void {
    this.#keyFinders.push(finder);
  }
  /** Clears the cache, after any change. */
  forget(): void {
    this.#changes += 1;
    this.#known.clear();
    this.#sessionKeys.clear();
    this.#proven.clear();
    this.#signedTokens.clear();
    this.#policies.clear();
    this.#passwords.clear();
  }

  async #find(kind: CredentialKind, lookup: string): Promise<Known | undefined> {
    const key = `${kind}\0${lookup}`;
    const known = this.#known.get(key);
    if (known && known.untilMs > performance.now()) return this.#unexpired(known);
    const changes = this.#changes;
    const row = await store.findCredential(this.#database.read, kind, lookup);
    if (!row) return undefined;
    const account = await store.findAccount(this.#database.read, row.account);
    if (!account) return undefined;
    const found: Known = {
      row,
      principal: {
        account: row.account,
        name: row.name,
        credentialKind: kind,
        admin: account.admin === 1,
        ...(row.scopes !== null && { scopes: JSON.parse(row.scopes) }),
      },
      secret: kind === "accessKey" ? await this.#opened(row.secret) : undefined,
      sessionToken: await this.#opened(row.session_token),
      untilMs: performance.now() + this.#trustMs,
    };
    if (changes === this.#changes) remember(this.#known, key, found);
    return this.#unexpired(found);
  }
  async #opened(sealed: string | null): Promise<string | undefined> {
    return sealed === null ? undefined : (await this.#secretBox()).open(sealed);
  }
  #unexpired(known: Known): Known | undefined {
    const expires = known.row.expires_at;
    return expires !== null && expires <= this.#clock.nowMs() ? undefined : known;
  }
  /** Loads or makes the key that encrypts secrets. At start, because a transaction cannot open another one. */
  async prepare(): Promise<void> {
    await this.#secretBox();
  }
  get secrets(): SecretBox {
    if (!this.#box) throw new Error("secrets were asked for before the accounts were prepared");
    return this.#box;
  }
  async #secretBox(): Promise<SecretBox> {
    this.#box ??=
      this.#boxKey === undefined
        ? await this.#database.transact((db) => this.secretsIn(db))
        : new SecretBox(this.#boxKey);
    return this.#box;
  }
  /** The same on an open handle, for migrations, which run before `prepare`. */
  async secretsIn(db: AnyDb): Promise<SecretBox> {
    if (this.#boxKey !== undefined) return new SecretBox(this.#boxKey);
    const kept = await store.findSetting(db, SECRET_KEY_SETTING);
    const key = kept ?? this.#ids.secret(48);
    if (kept === undefined) await store.putSetting(db, SECRET_KEY_SETTING, key);
    return new SecretBox(key);
  }

  /** Synchronous if the key is cached. */
  byApiKey(key: string): Principal | undefined | Promise<Principal | undefined> {
    return this.#bySecret("apiKey", key);
  }
  /** A digest for each request would cost more than the lookup itself. */
  #bySecret(
    kind: "apiKey" | "token",
    secret: string,
  ): Principal | undefined | Promise<Principal | undefined> {
    const key = `${kind}\0${secret}`;
    const proven = this.#proven.get(key);
    if (proven && proven.untilMs > performance.now()) return this.#unexpired(proven)?.principal;
    return this.lent.bySecret(kind, secret) ?? this.#prove(key, kind, secret);
  }
  async #prove(key: string, kind: CredentialKind, secret: string): Promise<Principal | undefined> {
    const changes = this.#changes;
    const known = await this.#find(kind, digestOf(secret));
    if (!known) return undefined;
    if (changes === this.#changes) remember(this.#proven, key, known);
    return known.principal;
  }
  /** Synchronous if the token is cached. */
  byToken(token: string): Principal | undefined | Promise<Principal | undefined> {
    const known = this.#bySecret("token", token);
    if (known && !(known instanceof Promise)) return known;
    return this.#verifyToken(token, known);
  }
  async #verifyToken(
    token: string,
    looked: Principal | undefined | Promise<Principal | undefined>,
  ): Promise<Principal | undefined> {
    const known = await looked;
    if (known) return known;
    for (const verify of this.#verifiers) {
      const principal = await verify(token);
      if (!principal) continue;
      remember(this.#signedTokens, token, true);
      return principal;
    }
    return undefined;
  }
  /** Whether it was valid when it was last seen here. It may have been revoked since. */
  wasGood(kind: "apiKey" | "token", secret: string): boolean {
    return this.#proven.has(`${kind}\0${secret}`) || this.#signedTokens.has(secret);
  }
  /** Synchronous if the key is cached. Also finds an expired session key, so that the error can say so. */
  findAccessKey(id: string): KnownAccessKey | undefined | Promise<KnownAccessKey | undefined> {
    const known = this.#known.get(`accessKey\0${id}`);
    if (known && known.untilMs > performance.now()) return accessKeyOf(id, known);
    const session = this.#sessionKeys.get(id);
    if (session && session.untilMs > performance.now()) return session;
    const lent = this.lent.findAccessKey(id);
    if (lent) return { key: { id, secret: lent.secret }, principal: lent.principal };
    return this.#readAccessKey(id);
  }
  async #readAccessKey(id: string): Promise<KnownAccessKey | undefined> {
    const known = (await this.#find("accessKey", id)) ?? this.#known.get(`accessKey\0${id}`);
    return known ? accessKeyOf(id, known) : this.#findSessionKey(id);
  }
  async #findSessionKey(id: string): Promise<KnownAccessKey | undefined> {
    const changes = this.#changes;
    for (const find of this.#keyFinders) {
      const found = await find(id);
      if (!found) continue;
      if (changes === this.#changes)
        remember(this.#sessionKeys, id, { ...found, untilMs: performance.now() + this.#trustMs });
      return found;
    }
    return undefined;
  }
  /** Synchronous if the password is cached: hashing it for each request would cost more than the request. */
  byPassword(username: string, password: string): Principal | undefined | Promise<Principal | undefined> {
    const known = this.#known.get(`basic\0${username}`);
    if (known && known.untilMs > performance.now() && this.#unexpired(known)) {
      const proven = this.#passwords.get(passwordKeyOf(username, password, known));
      if (proven !== undefined && proven > performance.now()) return known.principal;
    }
    return this.lent.byPassword(username, password) ?? this.#provePassword(username, password);
  }
  async #provePassword(username: string, password: string): Promise<Principal | undefined> {
    const changes = this.#changes;
    const known = await this.#find("basic", username);
    const proof = known && passwordKeyOf(username, password, known);
    if (known && proof !== undefined && (this.#passwords.get(proof) ?? 0) > performance.now())
      return known.principal;
    // An unknown name takes as long as a wrong password, so that timing reveals no names.
    const valid = await verifyPassword(known?.row.secret ?? (await decoyHash()), password);
    if (!known || proof === undefined || !valid) return undefined;
    if (changes === this.#changes) remember(this.#passwords, proof, performance.now() + PASSWORD_KEPT_MS);
    return known.principal;
  }
  /** The state of a user name whose password was refused, for services that reveal it as their makers do. */
  async standingOf(username: string): Promise<"unknown" | "expired" | "known"> {
    const row = await store.findCredential(this.#database.read, "basic", username);
    if (!row) return "unknown";
    return row.expires_at !== null && Number(row.expires_at) <= this.#clock.nowMs() ? "expired" : "known";
  }

  /** Synchronous if the policies of the account are cached. */
  /** Inside a transaction, pass its `db`: a read of an in-memory database waits for the end of transactions. */
  isAllowed(principal: Principal, action: string, resource: string, db?: AnyDb): boolean | Promise<boolean> {
    if (action === IDENTIFY) return true;
    if (principal.session?.restrictions.some((policies) => !isAllowed(policies, action, resource)))
      return false;
    if (principal.scopes && !this.#isInScopes(principal.scopes, action)) return false;
    if (action === ADMINISTER && !principal.admin) return false;
    const known = this.#policies.get(principal.account);
    if (!known || known.untilMs <= performance.now())
      return this.#readPolicies(principal, action, resource, db);
    let policies = known.onAction.get(action);
    if (!policies) {
      policies = policiesOn(known.all, action);
      remember(known.onAction, action, policies);
    }
    return isAllowedOn(policies, resource);
  }
  #isInScopes(scopes: readonly string[], action: string): boolean {
    const key = `${scopes.join("\0")}\0\0${action}`;
    let answer = this.#scopeDecisions.get(key);
    if (answer === undefined) {
      answer = scopes.some((scope) => matchesAction(scope, action));
      remember(this.#scopeDecisions, key, answer);
    }
    return answer;
  }
  async #readPolicies(
    { account, admin }: Principal,
    action: string,
    resource: string,
    db?: AnyDb,
  ): Promise<boolean> {
    const changes = this.#changes;
    const kept = await store.listPolicies(db ?? this.#database.read, account);
    const policies = [builtInPolicy(admin), ...kept];
    // What a transaction reads may be rolled back.
    if (changes === this.#changes && db === undefined)
      this.#policies.set(account, {
        all: policies,
        onAction: new Map(),
        untilMs: performance.now() + this.#trustMs,
      });
    return isAllowed(policies, action, resource);
  }

  /**
   * Loads accounts with their plain secrets; idempotent. Waits for `first` before it writes; passwords are hashed
   * meanwhile.
   */
  async load(accounts: readonly AccountFile[], first: Promise<void> = Promise.resolve()): Promise<void> {
    const box = await this.#secretBox();
    const [hashed] = await Promise.all([this.#hashNewPasswords(accounts), first]);
    await this.#database.transact(async (db) => {
      for (const account of accounts) await this.#loadOne(db, account, box, hashed);
    });
    this.forget();
  }
  async #hashNewPasswords(accounts: readonly AccountFile[]): Promise<Map<string, string>> {
    const hashed = new Map<string, string>();
    for (const { basic = [] } of accounts) {
      for (const { username, password } of basic) {
        const kept = await store.findCredential(this.#database.read, "basic", username);
        const unchanged = kept?.secret && (await verifyPassword(kept.secret, password));
        hashed.set(username, unchanged ? String(kept.secret) : await hashNamedPassword(username, password));
      }
    }
    return hashed;
  }
  async #loadOne(
    db: AnyDb,
    account: AccountFile,
    box: SecretBox,
    hashed: Map<string, string>,
  ): Promise<void> {
    const { id, name = id, admin = false, policies = [] } = account;
    await store.putAccount(db, { id, name, admin, nowMs: this.#clock.nowMs() });
    await store.replacePolicies(db, id, policies);
    for (const row of this.#maker.rowsOf(account, box, hashed)) await store.putCredential(db, row);
  }

  /** Creates a credential. Only this answer contains its secret in plain text. */
  async create(account: string, wanted: NewCredential): Promise<Record<string, string>> {
    const made = await this.#maker.make(account, wanted, await this.#secretBox());
    try {
      await this.#database.transact((db) => store.insertCredential(db, made.row));
    } catch (error) {
      if (isUniqueViolation(error)) throw kernelErrors.conflict(`The name ${made.row.name} is taken.`);
      throw error;
    }
    this.forget();
    return { id: made.row.id, account, kind: wanted.kind, ...made.shown };
  }
}

function accessKeyOf(
  id: string,
  { row, secret, sessionToken, principal }: Known,
): KnownAccessKey | undefined {
  if (secret === undefined) return undefined;
  const key = {
    id,
    secret,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(row.expires_at !== null && { expiresAtMs: row.expires_at }),
  };
  return { key, principal };
}

function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  makeRoom(memory, KEPT_MAX);
  memory.set(key, value);
}

/** From the secret as requests send it, and the hash that it matched; in memory only. */
const passwordKeyOf = (username: string, password: string, { row }: Known): string =>
  `${username}\0${password}\0${row.secret}`;

let decoy: Promise<string> | undefined;
const decoyHash = (): Promise<string> => {
  decoy ??= hashPassword("no such user");
  return decoy;
};
