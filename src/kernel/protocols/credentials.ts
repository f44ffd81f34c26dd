/** Simple credentials: API key header, bearer token, HTTP Basic. */

import type { Accounts } from "../auth/accounts.ts";
import type { Principal } from "../operation/context.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import type { Authenticated, AuthenticationTools, Call, Protocol } from "./protocol.ts";

export type Scheme = Pick<Protocol, "findShownSecret"> & {
  readonly security: NonNullable<Protocol["security"]>;
  authenticate(call: Call, tools: AuthenticationTools): Authenticated | Promise<Authenticated>;
};

export const headerOf = (call: Pick<Call, "headers">, name: string): string | undefined => {
  const value = call.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const challengeWith = (challenge: string | undefined) =>
  challenge === undefined ? {} : { headers: { "www-authenticate": challenge } };
const unauthenticated = (message: string, challenge?: string) =>
  kernelErrors.unauthenticated(message, challengeWith(challenge));

/** A wrong credential, as opposed to none: it may be a guess. */
export class WrongCredential extends ServiceError {
  readonly secret: string;
  constructor(secret: string, message: string, challenge?: string) {
    super(kernelErrors.unauthenticated, message, challengeWith(challenge));
    this.secret = secret;
  }
}

const keyShownIn = (call: Call, header: string, parameter: string | undefined): string | undefined =>
  headerOf(call, header.toLowerCase()) ??
  (parameter === undefined ? undefined : (new URLSearchParams(call.rawQuery).get(parameter) ?? undefined));

/** The query `parameter` is used if the header is missing. */
export const apiKeyIn = (header: string, { parameter }: { readonly parameter?: string } = {}): Scheme => ({
  security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: header } },
  findShownSecret(call) {
    const secret = keyShownIn(call, header, parameter);
    return secret === undefined ? undefined : { kind: "apiKey", secret };
  },
  authenticate(call, { accounts }) {
    const key = keyShownIn(call, header, parameter);
    if (!key) throw unauthenticated(`The header ${header} is missing.`);
    const known = (principal: Principal | undefined): Authenticated => {
      if (!principal) throw new WrongCredential(key, `The key in ${header} is not valid.`);
      return { principal };
    };
    const found = accounts.byApiKey(key);
    return found instanceof Promise ? found.then(known) : known(found);
  },
});

export function bearerTokenOf(call: Pick<Call, "headers">): string | undefined {
  const header = headerOf(call, "authorization");
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined;
}
function knownByBearer(call: Call, accounts: Accounts): Authenticated | Promise<Authenticated> {
  const token = bearerTokenOf(call);
  if (!token) throw unauthenticated("A bearer token is required.", 'Bearer realm="medley"');
  const known = (principal: Principal | undefined): Authenticated => {
    if (principal) return { principal };
    const challenge = 'Bearer realm="medley", error="invalid_token"';
    throw new WrongCredential(token, "The bearer token is not valid.", challenge);
  };
  const found = accounts.byToken(token);
  return found instanceof Promise ? found.then(known) : known(found);
}
export const bearer: Scheme = {
  security: { name: "bearer", scheme: { type: "http", scheme: "bearer" } },
  findShownSecret(call) {
    const secret = bearerTokenOf(call);
    return secret === undefined ? undefined : { kind: "token", secret };
  },
  authenticate: (call, { accounts }) => knownByBearer(call, accounts),
};

export function basicCredentialsOf(
  call: Pick<Call, "headers">,
): { username: string; password: string } | undefined {
  const header = headerOf(call, "authorization");
  if (header === undefined || !/^basic /i.test(header)) return undefined;
  const text = Buffer.from(header.slice(6).trim(), "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
export const basic: Scheme = {
  security: { name: "basic", scheme: { type: "http", scheme: "basic" } },
  findShownSecret(call) {
    const given = basicCredentialsOf(call);
    return given && { kind: "basic", secret: given.password };
  },
  async authenticate(call, { accounts }) {
    const given = basicCredentialsOf(call);
    if (!given) throw unauthenticated("HTTP Basic credentials are required.", 'Basic realm="medley"');
    const principal = await accounts.byPassword(given.username, given.password);
    if (principal) return { principal };
    const challenge = 'Basic realm="medley"';
    throw new WrongCredential(given.password, "The user name or password is wrong.", challenge);
  },
};
