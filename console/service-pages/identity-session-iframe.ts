/**
 * The session iframe: answers `unchanged`, `changed` or `error` to an application that asks by message. SHA-256 is
 * written out because browsers offer theirs to secure pages only, and an application on plain http may frame us. The
 * client's id is read from the page, so that the script, and with it its hash, is the same for all.
 */
import { BROWSER_STATE_COOKIE } from "../../src/services/identity/people/domain/browser-session.ts";

const own = document.documentElement.getAttribute("data-client");
const primes: number[] = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p !== 0)) primes.push(n);
const fractionBits = (x: number): number => ((x % 1) * 4294967296) | 0;
const ROUND_CONSTANTS = Int32Array.from(primes, (p) => fractionBits(Math.cbrt(p)));
const FIRST_STATE = Int32Array.from(primes.slice(0, 8), (p) => fractionBits(Math.sqrt(p)));

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
/** Beyond the end of a typed array is nothing; no index here is. */
const at = (values: Int32Array, index: number): number => values[index] ?? 0;

/** The 16 words of a block, continued to 64. */
function expanded(block: DataView): Int32Array {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i += 1) w[i] = block.getInt32(i * 4);
  for (let i = 16; i < 64; i += 1) {
    const x = at(w, i - 15);
    const y = at(w, i - 2);
    const first = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const second = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = at(w, i - 16) + first + at(w, i - 7) + second;
  }
  return w;
}
function nextState(h: Int32Array, w: Int32Array): Int32Array {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, z = 0] = h;
  for (let i = 0; i < 64; i += 1) {
    const t =
      (z +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        ((e & f) ^ (~e & g)) +
        at(ROUND_CONSTANTS, i) +
        at(w, i)) |
      0;
    const u = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [z, g, f, e, d, c, b, a] = [g, f, e, (d + t) | 0, c, b, a, (t + u) | 0];
  }
  return Int32Array.from([a, b, c, d, e, f, g, z], (v, i) => v + at(h, i));
}
function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 128);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  let h: Int32Array = FIRST_STATE;
  for (let i = 0; i < padded.byteLength; i += 64)
    h = nextState(h, expanded(new DataView(padded.buffer, i, 64)));
  return Array.from(h, (v) => (v >>> 0).toString(16).padStart(8, "0")).join("");
}

function browserState(): string {
  const prefix = `${BROWSER_STATE_COOKIE}=`;
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(prefix));
  return found ? found.slice(prefix.length) : "";
}
function statusOf(message: unknown, origin: string): "unchanged" | "changed" | "error" {
  const [client, state, ...more] = typeof message === "string" ? message.split(" ") : [];
  if (!client || state === undefined || more.length > 0) return "error";
  const dot = state.indexOf(".");
  if (dot < 0 || (own && own !== client) || origin === "null") return "error";
  const salt = state.slice(dot + 1);
  return `${sha256(`${client} ${origin} ${browserState()} ${salt}`)}.${salt}` === state
    ? "unchanged"
    : "changed";
}
window.addEventListener("message", ({ source, data, origin }) => {
  if (source && source !== window)
    source.postMessage(statusOf(data, origin), { targetOrigin: origin === "null" ? "*" : origin });
});
