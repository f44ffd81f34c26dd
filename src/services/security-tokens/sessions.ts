/** Session keys: created here, and looked up when a signature is verified. */
import { accountsStore, type KnownAccessKey, type Policy } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { QueryTime } from "#kernel/protocols";
import { checkSessions, EXPIRED_KEPT_MS } from "./domain/limits.ts";
import { countSessions, deleteEndedSessions, findSession, insertSession } from "./store.ts";
import type { Tables } from "./tables.ts";

const KEY_ID_LENGTH = 16;
const SECRET_LENGTH = 40;
const TOKEN_LENGTH = 300;

export type NewSession = {
  readonly account: string;
  readonly name: string;
  readonly seconds: number;
  readonly scopes?: readonly string[] | undefined;
  readonly restrictions: readonly (readonly Policy[])[];
};
export type SessionKey = {
  readonly AccessKeyId: string;
  readonly SecretAccessKey: string;
  readonly SessionToken: string;
  readonly Expiration: QueryTime;
};

/** The long-lived key behind the caller, with which its sessions end. */
function issuedTo({ name, credentialKind, session }: Context["principal"]): string | null {
  if (session) return session.issuedTo ?? null;
  return credentialKind === "accessKey" ? name : null;
}

export const makeSession = (context: Context<Tables>, wanted: NewSession): Promise<SessionKey> =>
  context.transact((inner) => keepSession(inner, wanted));
async function keepSession(context: Context<Tables>, wanted: NewSession): Promise<SessionKey> {
  const { db, clock, ids, secrets, principal } = context;
  const { account, name, seconds, scopes, restrictions } = wanted;
  const nowMs = clock.nowMs();
  await deleteEndedSessions(db, account, nowMs - EXPIRED_KEPT_MS);
  checkSessions(await countSessions(db, account, nowMs));
  const id = `ASIA${ids.secret(KEY_ID_LENGTH).toUpperCase()}`;
  const secret = ids.secret(SECRET_LENGTH);
  const token = ids.secret(TOKEN_LENGTH);
  const expiresAtMs = nowMs + seconds * 1000;
  await insertSession(db, account, {
    id,
    secret: secrets.seal(secret),
    token: secrets.seal(token),
    name,
    scopes: scopes ? JSON.stringify(scopes) : null,
    restrictions: JSON.stringify(restrictions),
    issued_to: issuedTo(principal),
    created_at: nowMs,
    expires_at: expiresAtMs,
  });
  return {
    AccessKeyId: id,
    SecretAccessKey: secret,
    SessionToken: token,
    Expiration: new QueryTime(expiresAtMs),
  };
}

/** Nothing where its account, or the key that it was got with, is no longer there. */
export async function findSessionKey(
  { db, secrets }: Context,
  id: string,
): Promise<KnownAccessKey | undefined> {
  const row = await findSession(db, undefined, id);
  if (!row || !(await accountsStore.findAccount(db, row.account))) return undefined;
  const issued = row.issued_to ?? undefined;
  if (issued !== undefined && !(await accountsStore.findCredential(db, "accessKey", issued)))
    return undefined;
  return {
    key: {
      id,
      secret: secrets.open(row.secret),
      sessionToken: secrets.open(row.token),
      expiresAtMs: Number(row.expires_at),
    },
    principal: {
      account: row.account,
      name: row.name,
      credentialKind: "session",
      admin: false,
      ...(row.scopes !== null && { scopes: JSON.parse(row.scopes) }),
      session: { issuedTo: issued, restrictions: JSON.parse(row.restrictions) },
    },
  };
}
