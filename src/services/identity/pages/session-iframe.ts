/** The session iframe: answers `unchanged`, `changed` or `error` to an application that asks by message. */
import { createHash } from "node:crypto";
import { builtScript } from "#kernel/html";

const { text: SCRIPT } = builtScript("identity-session-iframe");
const SCRIPT_HASH = createHash("sha256").update(SCRIPT).digest("base64");
const CACHE_SECONDS = 7200;

/** `clientId` undefined: the frame that discovery names, for clients of every kind. */
export function renderSessionIframe(
  clientId: string | undefined,
  frameOrigins: readonly string[] | undefined,
) {
  const ancestors = frameOrigins === undefined ? "*" : frameOrigins.join(" ") || "'none'";
  const attribute = clientId === undefined ? "" : ` data-client="${clientId}"`;
  return {
    html: `<!doctype html><html lang="en"${attribute}><head><meta charset="utf-8"><title>Session</title></head><body><script>${SCRIPT}</script></body></html>`,
    headers: {
      "cache-control": `public, max-age=${CACHE_SECONDS}`,
      "content-security-policy": `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors ${ancestors}`,
      "x-content-type-options": "nosniff",
    },
  };
}
