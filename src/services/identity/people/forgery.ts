/**
 * Against forged forms. Every form carries a token that only a page of ours, shown in this very browser, could hold:
 * a digest of a random cookie. Besides, a browser that names the page a form came from must name one of ours.
 */
import { digestOf, sameText } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { findHostCookie, hostCookie } from "./cookies.ts";

const COOKIE = "identity_form";
const SECRET_LENGTH = 32;
const SECRET = /^[A-Za-z0-9]{32}$/;

/** `cookies` must go out with the page that holds the token. */
export type FormGuard = { readonly token: string; readonly cookies: readonly string[] };

const tokenOf = (secret: string): string => digestOf(`form\0${secret}`);
const findSecret = (context: Pick<Context, "request">): string | undefined => {
  const secret = findHostCookie(context, COOKIE);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
};
const cookieOf = (context: Pick<Context, "request">, secret: string) =>
  hostCookie(context, COOKIE, secret, { sites: "embedded" });

export function guardForms(context: Pick<Context, "request" | "ids">): FormGuard {
  const kept = findSecret(context);
  if (kept !== undefined) return { token: tokenOf(kept), cookies: [] };
  return renewFormGuard(context);
}
/** After sign-in and sign-out, so that a token seen before is worth nothing afterwards. */
export function renewFormGuard(context: Pick<Context, "request" | "ids">): FormGuard {
  const secret = context.ids.secret(SECRET_LENGTH);
  return { token: tokenOf(secret), cookies: [cookieOf(context, secret)] };
}

/** Ties something else, such as a challenge, to this browser. */
export const browserDigestOf = (context: Pick<Context, "request">): string | undefined => {
  const secret = findSecret(context);
  return secret === undefined ? undefined : digestOf(`browser\0${secret}`);
};

function comesFromElsewhere({ request }: Pick<Context, "request">): boolean {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (typeof origin !== "string") return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.mountUrl).host;
}

export function isGenuineForm(context: Pick<Context, "request">, token: string | undefined): boolean {
  const secret = findSecret(context);
  if (secret === undefined || token === undefined || comesFromElsewhere(context)) return false;
  return sameText(token, tokenOf(secret));
}
