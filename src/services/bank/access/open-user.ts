/** Creates users, each with one account. */

import { digestOf } from "#kernel/auth";
import {
  type BankContext,
  errors,
  type LedgerRow,
  takeId,
  type UserRow,
  userDetails,
} from "../book/index.ts";
import {
  claimByName,
  countUsers,
  insertAlias,
  insertKey,
  insertUser,
  openFundraiser,
  openLedger,
  receive,
  subscribe,
} from "../money/index.ts";
import { showInCatalog } from "./catalog-entry.ts";

export type UserKind = "person" | "company" | "provider";
type NewUser = {
  readonly kind: UserKind;
  readonly isDefault: boolean;
  readonly names: readonly [first: string, last: string];
  /** Whether the account starts with a balance of zero. */
  readonly isEmpty?: boolean;
  /** Further aliases that others can pay to. Payments that wait for such an alias go to this user. */
  readonly aliases?: readonly { readonly type: string; readonly value: string }[];
  /** The certificate that identifies a payment service provider. */
  readonly certificate?: { readonly fingerprint: string; readonly subject: string };
};
const KEY_LENGTH = 48;
const USERS_MAX = 10_000;
const SESSION_SECONDS = 7 * 86_400;
/** The opening balance, so that a new user can pay something. */
const OPENING_MINOR = 50_000;

const detailsOf = (kind: UserKind, [first, last]: NewUser["names"], subject?: string) => {
  if (kind === "person") return { first_name: first, last_name: last };
  return subject === undefined ? {} : { certificate_distinguished_name: subject };
};
const mailName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 40);

/** A key that acts for the user. It is stored as its digest. `id`: one that was taken before. */
export async function issueKey(
  context: BankContext,
  userId: number,
  description: string,
  id?: number,
): Promise<string> {
  const { db, account, clock, ids } = context;
  const key = ids.secret(KEY_LENGTH);
  const nowMs = clock.nowMs();
  await insertKey(db, {
    hash: digestOf(key),
    account,
    id: id ?? (await takeId(db, account)),
    user_id: userId,
    oauth_client_id: null,
    description,
    permitted_ips: "",
    status: "ACTIVE",
    created_at: nowMs,
    updated_at: nowMs,
  });
  return key;
}

/** The caller holds the sequence lock. */
export async function requireRoom({ db, account }: BankContext): Promise<void> {
  if ((await countUsers(db, account)) >= USERS_MAX)
    throw errors.badRequest(`An account has at most ${USERS_MAX} users.`);
}

/** A user with a first account and an e-mail address that leads to it. */
export async function openUser(
  context: BankContext,
  { kind, isDefault, names, isEmpty = false, aliases = [], certificate }: NewUser,
): Promise<{ readonly userId: number; readonly ledger: LedgerRow }> {
  const { db, account, ids, clock } = context;
  const userId = await takeId(db, account);
  const now = clock.nowMs();
  const [first, last] = names;
  const displayName = [first, last].filter(Boolean).join(" ");
  const row: UserRow = {
    account,
    id: userId,
    kind,
    public_uuid: ids.uuid(),
    is_default: isDefault ? 1 : 0,
    status: "ACTIVE",
    display_name: displayName,
    country: "NL",
    session_seconds: SESSION_SECONDS,
    certificate: certificate?.fingerprint ?? "",
    details: userDetails.write(detailsOf(kind, names, certificate?.subject)),
    created_at: now,
    updated_at: now,
  };
  await insertUser(db, row);
  await showInCatalog(context, row, {});
  await subscribe(context, row);
  const ledger = await openLedger(context, {
    userId,
    kind: "bank",
    currency: "EUR",
    country: "NL",
    displayName,
    description: "Everyday",
  });
  const email = `${[first, last].filter(Boolean).map(mailName).join(".")}.${userId}@bank.example`;
  await insertAlias(db, {
    account,
    type: "EMAIL",
    value: email,
    name: displayName,
    user_id: userId,
    ledger_id: ledger.id,
  });
  for (const { type, value } of aliases) {
    const known = value.trim().toLowerCase();
    const row = { account, type, value: known, name: displayName, user_id: userId, ledger_id: ledger.id };
    if (!(await insertAlias(db, row))) throw errors.badRequest(`Somebody is known as ${known} already.`);
    await claimByName(context, { type, value: known }, ledger);
  }
  await openFundraiser(context, ledger);
  if (!isEmpty)
    await receive(context, ledger, { minor: OPENING_MINOR, currency: ledger.currency }, "A first deposit");
  return { userId, ledger };
}
