/** The session iframe: answers `unchanged`, `changed` or `error` to an application that asks by message. */
import { createHash } from "node:crypto";
import { BROWSER_STATE_COOKIE } from "../people/index.ts";

/**
 * SHA-256 is written out because browsers offer theirs to secure pages only, and an application on plain http may
 * frame us. The client's id is read from the page, so that the script, and with it its hash, is the same for all.
 */
const SCRIPT = `
(function () {
  "use strict";
  var own = document.documentElement.getAttribute("data-client");
  var primes = [], k = [], h0 = [];
  for (var n = 2; primes.length < 64; n += 1) {
    if (primes.every(function (p) { return n % p !== 0; })) primes.push(n);
  }
  primes.forEach(function (p, i) {
    k[i] = (Math.cbrt(p) % 1 * 4294967296) | 0;
    if (i < 8) h0[i] = (Math.sqrt(p) % 1 * 4294967296) | 0;
  });
  function rotate(x, by) { return (x >>> by) | (x << (32 - by)); }
  function round(h, w) {
    var a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], z = h[7];
    for (var i = 0; i < 64; i += 1) {
      if (i > 15) {
        var x = w[i - 15], y = w[i - 2];
        w[i] = (w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + w[i - 7] +
          (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10))) | 0;
      }
      var t = (z + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      var u = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      z = g; g = f; f = e; e = (d + t) | 0; d = c; c = b; b = a; a = (t + u) | 0;
    }
    return [a, b, c, d, e, f, g, z].map(function (v, i) { return (v + h[i]) | 0; });
  }
  function sha256(text) {
    var bytes = Array.from(new TextEncoder().encode(text)), length = bytes.length, h = h0, i;
    bytes.push(128);
    while (bytes.length % 64 !== 56) bytes.push(0);
    for (i = 7; i >= 0; i -= 1) bytes.push(Math.floor(length * 8 / Math.pow(256, i)) % 256);
    for (i = 0; i < bytes.length; i += 64) {
      var w = [];
      for (var j = 0; j < 16; j += 1) {
        var at = i + j * 4;
        w[j] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
      }
      h = round(h, w);
    }
    return h.map(function (v) { return (v >>> 0).toString(16).padStart(8, "0"); }).join("");
  }
  function browserState() {
    var found = document.cookie.split("; ").find(function (pair) { return pair.indexOf("${BROWSER_STATE_COOKIE}=") === 0; });
    return found ? found.slice(${BROWSER_STATE_COOKIE.length + 1}) : "";
  }
  function statusOf(message, origin) {
    var parts = typeof message === "string" ? message.split(" ") : [];
    var dot = parts.length === 2 ? parts[1].indexOf(".") : -1;
    if (dot < 0 || parts[0] === "" || (own && own !== parts[0]) || origin === "null") return "error";
    var salt = parts[1].slice(dot + 1);
    return sha256(parts[0] + " " + origin + " " + browserState() + " " + salt) + "." + salt === parts[1]
      ? "unchanged" : "changed";
  }
  window.addEventListener("message", function (event) {
    if (event.source && event.source !== window)
      event.source.postMessage(statusOf(event.data, event.origin), event.origin === "null" ? "*" : event.origin);
  });
})();
`;
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
