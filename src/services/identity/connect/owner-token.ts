/**
 * The short-lived credential of the dashboard. It is valid only as long as the owner's credential behind it.
 */
import { accountsStore, digestOf } from "#kernel/auth";
import type { Context, Principal } from "#kernel/operation";
import { findOwnerClaims, signOwnerToken } from "./access-token.ts";
import { OWNER_TOKEN_SECONDS } from "./domain/lifetimes.ts";
import type { State, TokenReader } from "./state.ts";
import type { Tables } from "./tables.ts";

const STAMP_LENGTH = 24;
type Named = { readonly kind: "token" | "basic"; readonly lookup: string };
type Credential = NonNullable<Awaited<ReturnType<typeof accountsStore.findCredential>>>;

const findCredential = (db: Context["db"], { kind, lookup }: Named): Promise<Credential | undefined> =>
  accountsStore.findCredential(db, kind, lookup);
/** Another one for every credential, and for every password that a user name has had. */
const stampOf = ({ id, secret }: Credential): string =>
  digestOf(`${id}\0${secret ?? ""}`).slice(0, STAMP_LENGTH);

/**
 * A short-lived token for the caller of the dashboard's sign-in. It becomes invalid with the credential that was used.
 * The credential's name is encrypted, so that the cookie does not reveal what an attacker has to guess.
 */
export async function issueOwnerToken(
  context: Context<Tables, State>,
  { username, token }: { readonly username?: string; readonly token?: string },
): Promise<{ readonly token: string; readonly maxAgeSeconds: number }> {
  const named: Named = token
    ? { kind: "token", lookup: digestOf(token) }
    : { kind: "basic", lookup: username ?? "" };
  const credential = await findCredential(context.db, named);
  const sealed = context.secrets.seal(JSON.stringify(named));
  const stamp = credential === undefined ? "" : stampOf(credential);
  return {
    token: await signOwnerToken(context, { credential: sealed, stamp }),
    maxAgeSeconds: OWNER_TOKEN_SECONDS,
  };
}

/** Returns undefined if it was encrypted with another secret key. */
function findNamed({ secrets }: TokenReader, sealed: string): Named | undefined {
  try {
    return JSON.parse(secrets.open(sealed));
  } catch {
    return undefined;
  }
}

/** The owner behind a dashboard cookie, as long as the owner's credential exists unchanged. */
export async function findOwner(reader: TokenReader, token: string): Promise<Principal | undefined> {
  const claims = await findOwnerClaims(reader, token);
  const named = claims && findNamed(reader, claims.credential);
  const credential = named && (await findCredential(reader.db, named));
  if (!claims || !credential) return undefined;
  if (credential.account !== claims.account || stampOf(credential) !== claims.stamp) return undefined;
  if (credential.expires_at !== null && credential.expires_at <= reader.clock.nowMs()) return undefined;
  return {
    account: credential.account,
    name: credential.name,
    credentialKind: "owner",
    admin: false,
    ...(credential.scopes !== null && { scopes: JSON.parse(credential.scopes) }),
  };
}
