/** Who calls: by a session that an installation opened, or by a key; signed requests in, signed answers out. */
import { verify } from "node:crypto";
import { promisify } from "node:util";
import { kernelErrors, type Principal } from "#kernel/operation";
import {
  type Authenticated,
  type AuthenticationTools,
  type Call,
  headerOf,
  type Protocol,
  plain,
  WrongCredential,
} from "#kernel/protocols";
import {
  admitStranger,
  getDefaultUser,
  isInstallationToken,
  isSessionToken,
  mayBeUsersKey,
  openEncrypted,
  openInstallationToken,
  problemIn,
  translated,
} from "./access/index.ts";
import { type Caller, type Db, errors, findSession, principalFor, type State } from "./book/index.ts";
import { findKey } from "./money/index.ts";

const AUTHENTICATION = "X-Vendor-Client-Authentication";
const LANGUAGE = "x-vendor-language";
const SIGNATURE = "x-vendor-client-signature";
const ENCRYPTION = "x-vendor-client-encryption";

const shownIn = (call: Pick<Call, "headers">): string | undefined =>
  headerOf(call, AUTHENTICATION.toLowerCase());

/**
 * The user of a request that carries an API key: an account's key acts for the default user, a user's key
 * for that user.
 */
async function userByKey(
  key: string,
  { accounts, database }: AuthenticationTools,
  state: State,
): Promise<Admitted | undefined> {
  const own = mayBeUsersKey(key) ? await findKey(database.read as Db, state.digestOf(key)) : undefined;
  if (own?.status !== "ACTIVE") {
    const known = await accounts.byApiKey(key);
    return known && { principal: known, userId: await getDefaultUser(state, known.account) };
  }
  const { account, id, user_id, permitted_ips } = own;
  return {
    principal: principalOf(account, user_id, "bankKey"),
    userId: user_id,
    keyId: id,
    ...(permitted_ips !== "" && { permittedIps: JSON.parse(permitted_ips) }),
  };
}
const principalOf = (account: string, userId: number, credentialKind: string): Principal => ({
  account,
  name: `bank user ${userId}`,
  credentialKind,
  admin: false,
  subject: String(userId),
});

/** Verifies on a thread of the pool, because verifying costs five times as much as passing it to a thread. */
const verifyBeside = promisify(verify);
/** A signature that is present must be valid. Each operation decides whether a signature is required. */
function checkerOf(call: Call, publicKey: string, state: State): NonNullable<Authenticated["checkBody"]> {
  const signature = headerOf(call, SIGNATURE);
  if (signature === undefined) return () => {};
  return async ({ bytes }) => {
    const isRight = await verifyBeside(
      "sha256",
      bytes,
      state.clientKey(publicKey),
      Buffer.from(signature, "base64"),
    );
    if (!isRight) throw errors.badRequest("The request signature is invalid.");
  };
}

/** Some clients encrypt card data with a key that only the bank can decrypt. */
async function openerOf(call: Call, state: State): Promise<NonNullable<Authenticated["openBody"]>> {
  const part = (name: string) => Buffer.from(headerOf(call, `${ENCRYPTION}-${name}`) ?? "", "base64");
  const around = { key: part("key"), iv: part("iv"), hmac: part("hmac") };
  const { privateKey } = await state.serverKey();
  return (bytes) => {
    const opened = openEncrypted(bytes, around, privateKey);
    if (!opened) throw errors.badRequest("The body cannot be decrypted.");
    return opened;
  };
}

/** Devices are registered and sessions opened by a key in the body, on behalf of an installation. */
async function byInstallation(
  token: string,
  call: Call,
  tools: AuthenticationTools,
  state: State,
): Promise<Authenticated> {
  const installation = openInstallationToken(token, tools.accounts.secrets);
  if (!installation) throw new WrongCredential(token, "The installation token is not valid.");
  const { bytes } = await call.body.receive();
  const key = keyIn(bytes);
  if (key === undefined) throw kernelErrors.unauthenticated("A session is needed: open one first.");
  const known = await userByKey(key, tools, state);
  if (!known) throw new WrongCredential(key, "The key given as secret is not valid.");
  return admit(state, call, { ...known, installation });
}
function keyIn(bytes: Uint8Array): string | undefined {
  try {
    const { secret } = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return typeof secret === "string" ? secret : undefined;
  } catch {
    return undefined;
  }
}

type Admitted = Caller & { readonly principal: Principal };
function admit(state: State, call: Call, admitted: Admitted): Authenticated {
  const principal = principalFor(admitted.principal, admitted);
  const { installation } = admitted;
  if (!installation) return { principal };
  state.signFor(call.headers);
  return { principal, checkBody: checkerOf(call, installation.publicKey, state) };
}

async function bySession(
  token: string,
  call: Call,
  { database, clock }: AuthenticationTools,
  state: State,
): Promise<Authenticated> {
  const session = await findSession(database.read as Db, state.digestOf(token));
  if (!session) throw new WrongCredential(token, "The session token is not valid.");
  if (session.expires_at <= clock.nowMs())
    throw kernelErrors.unauthenticated("The session has ended: open another one.");
  const { account, user_id, installation_id, public_key, device_id, key_id, id, permitted_ips } = session;
  const admitted = admit(state, call, {
    principal: principalOf(account, user_id, "bankSession"),
    userId: user_id,
    keyId: key_id,
    installation: { id: installation_id, publicKey: public_key },
    deviceId: device_id,
    sessionId: id,
    permittedIps: JSON.parse(permitted_ips),
  });
  const isEncrypted = headerOf(call, `${ENCRYPTION}-key`) !== undefined;
  return isEncrypted ? { ...admitted, openBody: await openerOf(call, state) } : admitted;
}

async function authenticate(
  call: Call,
  tools: AuthenticationTools,
  _params: unknown,
  state: State,
): Promise<Authenticated> {
  const shown = shownIn(call);
  if (!shown) {
    const stranger = await admitStranger(call, tools, state);
    if (stranger) return { principal: stranger };
    throw kernelErrors.unauthenticated(`The header ${AUTHENTICATION} is missing.`);
  }
  if (isSessionToken(shown)) return bySession(shown, call, tools, state);
  if (isInstallationToken(shown)) return byInstallation(shown, call, tools, state);
  const known = await userByKey(shown, tools, state);
  if (!known) throw new WrongCredential(shown, `The key in ${AUTHENTICATION} is not valid.`);
  return admit(state, call, known);
}

const LONG_MAX = 100;
/** The response repeats the request id that the client sent. */
function answerHeaders({ id, headers }: { id: string; headers: Call["headers"] }): Record<string, string> {
  const requestId = headerOf({ headers }, "x-vendor-client-request-id");
  return {
    "x-vendor-client-response-id": id,
    ...(requestId !== undefined && { "x-vendor-client-request-id": requestId.slice(0, LONG_MAX) }),
  };
}

const base = plain({
  scheme: {
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: AUTHENTICATION } },
    findShownSecret(call) {
      const secret = shownIn(call);
      return secret === undefined ? undefined : { kind: "apiKey", secret };
    },
    authenticate: () => {
      throw new Error("the bank authenticates by itself");
    },
  },
  errorBody: ({ message }) => ({
    Error: [{ error_description: message, error_description_translated: message }],
  }),
  errorSchema: {
    type: "object",
    required: ["Error"],
    properties: {
      Error: {
        type: "array",
        description: "What went wrong, for people.",
        items: {
          type: "object",
          required: ["error_description", "error_description_translated"],
          properties: {
            error_description: {
              type: "string",
              description: "In English.",
              examples: ["There is not enough money in the account."],
            },
            error_description_translated: {
              type: "string",
              description: "In the language that was asked for.",
              examples: ["There is not enough money in the account."],
            },
          },
        },
      },
    },
  },
});

export const protocol: Protocol = {
  ...base,
  authenticate,
  answerHeaders,
  check(call) {
    const problem = problemIn({
      language: headerOf(call, LANGUAGE),
      region: headerOf(call, "x-vendor-region"),
      geolocation: headerOf(call, "x-vendor-geolocation"),
    });
    if (problem !== undefined) throw errors.badRequest(problem);
  },
  renderError(error, call) {
    const { message, status } = error;
    const inTheirs = translated(message, status, headerOf(call, LANGUAGE));
    const body = { Error: [{ error_description: message, error_description_translated: inTheirs }] };
    return { ...base.renderError(error, call), body };
  },
  /**
   * Clients with an installation have the bank's public key and can verify signatures. Answers to other
   * callers are not signed, because signing is expensive.
   */
  signAnswer({ headers }, body, state: State) {
    if (!state.isSignedFor(headers)) return undefined;
    return state.signatureOf(body).then((signature) => ({ "x-vendor-server-signature": signature }));
  },
};
