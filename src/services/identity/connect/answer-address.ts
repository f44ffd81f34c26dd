/** How an authentication response travels: in the query, in the fragment, or as a form that posts itself. */
import { createHash } from "node:crypto";
import { html, Markup } from "#kernel/html";
import { type Answer, answer } from "#kernel/operation";
import type { ReplyAddress } from "./domain/authorization-request.ts";

export type ReplyParameters = Readonly<Record<string, string | number | undefined>>;

const PRIVATE_HEADERS = { "cache-control": "no-store", pragma: "no-cache", "referrer-policy": "no-referrer" };

function encoded(parameters: ReplyParameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) search.append(name, String(value));
  return search.toString();
}

/** The registered address stays as it is written, character by character. */
export function addressWith(
  redirectUri: string,
  mode: "query" | "fragment",
  parameters: ReplyParameters,
): string {
  if (mode === "fragment") return `${redirectUri}#${encoded(parameters)}`;
  const joint = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
  return `${redirectUri}${joint}${encoded(parameters)}`;
}

export function replyWith(
  { redirectUri, responseMode, state }: ReplyAddress,
  parameters: ReplyParameters,
  cookies: readonly string[] = [],
): Answer<string | undefined> {
  const all = { ...parameters, state };
  const headers = { ...PRIVATE_HEADERS, ...(cookies.length > 0 && { "set-cookie": cookies }) };
  if (responseMode === "form_post") return formPost(redirectUri, all, headers);
  return answer<string | undefined>(302, undefined, {
    ...headers,
    location: addressWith(redirectUri, responseMode, all),
  });
}

const SUBMIT = "document.forms[0].submit()";
const SUBMIT_HASH = createHash("sha256").update(SUBMIT).digest("base64");

function formPost(
  redirectUri: string,
  parameters: ReplyParameters,
  headers: Readonly<Record<string, string | readonly string[]>>,
): Answer<string> {
  const fields = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>One moment</title></head><body><form method="post" action="${redirectUri}">${fields}<noscript><button>Continue</button></noscript></form><script>${new Markup(SUBMIT)}</script></body></html>`;
  return answer(200, page.text, {
    ...headers,
    "content-security-policy": `default-src 'none'; script-src 'sha256-${SUBMIT_HASH}'; base-uri 'none'`,
    "x-content-type-options": "nosniff",
  });
}
