/**
 * Access to the admin API: admin accounts, and every account for its own records, by bearer token or
 * session.
 */
import { ACKNOWLEDGE_OWN, ADMINISTER, READ_OWN } from "#kernel/auth";
import { kernelErrors, type Principal } from "#kernel/operation";
import { bearer, type Call, cookiesOf, type Protocol, plain } from "#kernel/protocols";
import { isCsrfOf, type Sessions } from "./sessions.ts";

const spoken = plain({ scheme: bearer });
export const adminProtocol: Protocol = {
  ...spoken,
  answerHeaders: (call) => ({ ...spoken.answerHeaders(call), "x-content-type-options": "nosniff" }),
};

export const SESSION_COOKIE = "medley_console";
export const CSRF_HEADER = "x-medley-csrf";
type Asked = Pick<Call, "headers">;
/**
 * The first cookie has the most specific path. A cookie that another site planted on a wider path comes
 * later.
 */
export const sessionSecretOf = (asked: Asked): string | undefined => cookiesOf(asked, SESSION_COOKIE)[0];
/** Sec-Fetch-Site as set by the browser. Undefined if absent, such as over plain HTTP. */
export const fetchSiteOf = ({ headers }: Asked): string | undefined => {
  const site = headers["sec-fetch-site"];
  return typeof site === "string" ? site : undefined;
};

/**
 * Browsers send cookies with cross-site requests too. Only requests of the console's own pages are accepted.
 */
function refuseForgery(call: Call, secret: string): void {
  const shown = call.headers[CSRF_HEADER];
  if (isCsrfOf(secret, shown)) return;
  const isRead = call.method === "GET" || call.method === "HEAD";
  if (shown === undefined && isRead && fetchSiteOf(call) === "same-origin") return;
  throw kernelErrors.forbidden(
    `A session is good for the console's own pages: the header ${CSRF_HEADER} is missing or wrong.`,
  );
}

/** A bearer token takes precedence over a session. */
export const adminProtocolWith = (sessions: Sessions): Protocol => ({
  ...adminProtocol,
  async authenticate(call, tools) {
    const secret = call.headers.authorization === undefined ? sessionSecretOf(call) : undefined;
    if (secret === undefined) return bearer.authenticate(call, tools);
    refuseForgery(call, secret);
    const session = await sessions.find(secret);
    if (!session) throw kernelErrors.unauthenticated("The session is over: sign in again.");
    return { principal: session.principal };
  },
});

export const ADMIN_PERMISSION = ADMINISTER;
/** For operations that return records of accounts. Accounts see their own records, admins see all. */
export const OWN_PERMISSION = READ_OWN;
export const ACKNOWLEDGE_PERMISSION = ACKNOWLEDGE_OWN;

/** Account whose records are shown. Undefined means all. */
export function visibleAccountOf(
  { account, admin }: Principal,
  wanted: string | undefined,
): string | undefined {
  if (admin) return wanted;
  if (wanted !== undefined && wanted !== account)
    throw kernelErrors.forbidden("Records of other accounts are for admins.");
  return account;
}
