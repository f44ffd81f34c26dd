/** Passkeys (WebAuthn): a key pair on the person's device, unlocked there by finger, face or PIN. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Context } from "#kernel/operation";
import { listBrowserDigests } from "./forgery.ts";
import * as store from "./store/passkeys.ts";
import { findUser } from "./store/users.ts";
import type { PasskeyRow, Tables, UserRow } from "./tables.ts";
import { profileOf } from "./users.ts";

export type PasskeyPurpose = "create" | "sign-in";
const PASSKEYS_MAX = 20;
const CHALLENGE_BYTES = 32;
const CHALLENGE_MS = 5 * 60_000;
const NAME_LENGTH_MAX = 60;
const ANSWER_LENGTH_MAX = 16_384;
/** Ed25519, P-256 and RSA: every authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The library is loaded on first use: most installations never need it at start. */
const webAuthn = () => import("@simplewebauthn/server");

/** Browsers tie passkeys to a host name. A bare network address has none. */
export function findRelyingParty({ request }: Pick<Context, "request">): string | undefined {
  const { hostname } = new URL(request.mountUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : hostname;
}

/** Undefined where passkeys cannot work, or when the browser has not seen a page of ours. Needs a transaction. */
async function makeChallenge(
  context: Context<Tables>,
  purpose: PasskeyPurpose,
): Promise<{ challenge: string; relyingParty: string } | undefined> {
  const relyingParty = findRelyingParty(context);
  const [browserDigest] = listBrowserDigests(context);
  if (relyingParty === undefined || browserDigest === undefined) return undefined;
  const challenge = context.ids.bytes(CHALLENGE_BYTES).toString("base64url");
  await store.insertChallenge(context.db, {
    challenge,
    account: "",
    purpose,
    browser_digest: browserDigest,
    expires_at: context.clock.nowMs() + CHALLENGE_MS,
  });
  return { challenge, relyingParty };
}

/** The options for `navigator.credentials.get`. They name no person, because the device knows the account. */
export async function signInOptions(context: Context<Tables>): Promise<object | undefined> {
  const made = await context.transact((inner) => makeChallenge(inner, "sign-in"));
  if (!made) return undefined;
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: made.relyingParty,
    challenge: Buffer.from(made.challenge, "base64url"),
    userVerification: "required",
    timeout: CHALLENGE_MS,
  });
}

/** The options for `navigator.credentials.create`. */
export async function createOptions(context: Context<Tables>, user: UserRow): Promise<object | undefined> {
  const made = await context.transact((inner) => makeChallenge(inner, "create"));
  if (!made) return undefined;
  const known = await store.listPasskeys(context.db, user.id, PASSKEYS_MAX);
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: "Medley",
    rpID: made.relyingParty,
    challenge: Buffer.from(made.challenge, "base64url"),
    userID: new TextEncoder().encode(user.id),
    userName: user.username,
    userDisplayName: profileOf(user).name ?? user.username,
    excludeCredentials: known
      .filter((passkey) => passkey.relying_party === made.relyingParty)
      .map((passkey) => ({ id: passkey.credential_id, transports: JSON.parse(passkey.transports) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_MS,
  });
}

type Answered = { readonly id: string; readonly challenge: string; readonly response: unknown };
/** The device's answer as it came in a form; undefined when it is not even shaped like one. */
function readAnswer(text: string): Answered | undefined {
  if (text.length > ANSWER_LENGTH_MAX) return undefined;
  try {
    const response = JSON.parse(text);
    const client = JSON.parse(Buffer.from(response.response.clientDataJSON, "base64url").toString("utf8"));
    if (typeof response.id !== "string" || typeof client.challenge !== "string") return undefined;
    return { id: response.id, challenge: client.challenge, response };
  } catch {
    return undefined;
  }
}

/** The challenge is used up whatever comes of it. */
async function isOurChallenge(
  context: Context<Tables>,
  challenge: string,
  purpose: PasskeyPurpose,
): Promise<boolean> {
  const browserDigests = listBrowserDigests(context);
  if (browserDigests.length === 0) return false;
  return context.transact(({ db, clock }) =>
    store.takeChallenge(db, { challenge, purpose, browserDigests }, clock.nowMs()),
  );
}

export type PasskeyOutcome = { readonly problem?: string };

/** Needs a context outside any transaction: proofs take time. */
export async function addPasskey(
  context: Context<Tables>,
  user: UserRow,
  given: { readonly answer: string; readonly name: string },
): Promise<PasskeyOutcome> {
  const failed = { problem: "The passkey could not be added. Please try again." };
  const answered = readAnswer(given.answer);
  const relyingParty = findRelyingParty(context);
  if (!answered || relyingParty === undefined) return failed;
  if (!(await isOurChallenge(context, answered.challenge, "create"))) return failed;
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: answered.response as RegistrationResponseJSON,
    expectedChallenge: answered.challenge,
    expectedOrigin: new URL(context.request.mountUrl).origin,
    expectedRPID: relyingParty,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified) return failed;
  const { credential } = verified.registrationInfo;
  return context.transact(async ({ db, clock }) => {
    const known = await store.listPasskeys(db, user.id, PASSKEYS_MAX);
    if (known.length >= PASSKEYS_MAX) return { problem: `There is room for ${PASSKEYS_MAX} passkeys.` };
    const added = await store.insertPasskey(db, {
      credential_id: credential.id,
      account: user.account,
      user_id: user.id,
      relying_party: relyingParty,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      name: given.name.trim().slice(0, NAME_LENGTH_MAX) || "Passkey",
      created_at: clock.nowMs(),
      used_at: null,
    });
    return added ? {} : failed;
  });
}

/** Who the passkey belongs to, when its proof holds. `account` undefined: any. */
export async function findByPasskey(
  context: Context<Tables>,
  account: string | undefined,
  answer: string,
): Promise<UserRow | undefined> {
  const answered = readAnswer(answer);
  const relyingParty = findRelyingParty(context);
  if (!answered || relyingParty === undefined) return undefined;
  if (!(await isOurChallenge(context, answered.challenge, "sign-in"))) return undefined;
  const passkey = await store.findPasskey(context.db, answered.id);
  if (!passkey || passkey.relying_party !== relyingParty) return undefined;
  if (account !== undefined && passkey.account !== account) return undefined;
  const counter = await verifiedCounter(context, answered, passkey);
  if (counter === undefined) return undefined;
  return context.transact(async ({ db, clock }) => {
    await store.notePasskeyUse(db, passkey.credential_id, counter, clock.nowMs());
    return findUser(db, passkey.user_id);
  });
}

async function verifiedCounter(
  { request }: Pick<Context, "request">,
  { challenge, response }: Answered,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: new URL(request.mountUrl).origin,
    expectedRPID: passkey.relying_party,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, "base64url")),
      counter: passkey.counter,
      transports: JSON.parse(passkey.transports),
    },
  }).catch(() => undefined);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}

export const listPasskeys = (db: Context<Tables>["db"], userId: string) =>
  store.listPasskeys(db, userId, PASSKEYS_MAX);
export const removePasskey = (db: Context<Tables>["db"], userId: string, credentialId: string) =>
  store.deletePasskeyOf(db, userId, credentialId);
