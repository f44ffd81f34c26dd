/**
 * Against forged forms. Every form carries a token that only a page of ours, shown in this very browser, could hold:
 * a digest of a random cookie. Besides, a browser that names the page a form came from must name one of ours.
 */
import { digestOf, sameText } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { hostCookie, listHostCookies } from "./cookies.ts";

const COOKIE = "identity_form";
const SECRET_LENGTH = 32;
const SECRET = /^[A-Za-z0-9]{32}$/;

/** `cookies` must go out with the page that holds the token. */
export type FormGuard = { readonly token: string; readonly cookies: readonly string[] };

const tokenOf = (secret: string): string => digestOf(`form\0${secret}`);
const listSecrets = (context: Pick<Context, "request">): readonly string[] =>
  listHostCookies(context, COOKIE).filter((secret) => SECRET.test(secret));
const cookieOf = (context: Pick<Context, "request">, secret: string) =>
  hostCookie(context, COOKIE, secret, { sites: "embedded" });

export function guardForms(context: Pick<Context, "request" | "ids">): FormGuard {
  const [kept] = listSecrets(context);
  if (kept !== undefined) return { token: tokenOf(kept), cookies: [] };
  return renewFormGuard(context);
}
/** Renewed after sign-in and sign-out, so that an earlier token becomes invalid. */
export function renewFormGuard(context: Pick<Context, "request" | "ids">): FormGuard {
  const secret = context.ids.secret(SECRET_LENGTH);
  return { token: tokenOf(secret), cookies: cookieOf(context, secret) };
}

/** Ties something else, such as a challenge, to this browser: to the first, and any of them is this browser's. */
export const listBrowserDigests = (context: Pick<Context, "request">): readonly string[] =>
  listSecrets(context).map((secret) => digestOf(`browser\0${secret}`));

function comesFromElsewhere({ request }: Pick<Context, "request">): boolean {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (typeof origin !== "string") return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.mountUrl).host;
}

export function isGenuineForm(context: Pick<Context, "request">, token: string | undefined): boolean {
  if (token === undefined || comesFromElsewhere(context)) return false;
  return listSecrets(context).some((secret) => sameText(token, tokenOf(secret)));
}
