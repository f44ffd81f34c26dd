/** Validates tokens with keys that the issuer publishes or a policy names. */

import type { Clock } from "#kernel/clock";
import { makeRoom } from "#kernel/memory";
import type { Outbound } from "#kernel/outbound";
import type { JwtRules } from "../domain/index.ts";
import { findClaims, findIssuer, type TokenKey, tokenKeysIn } from "./jws.ts";

const KEPT_MS = 300_000;
const CONFIGS_MAX = 100;
const ANSWER_BYTES_MAX = 256 * 1024;
const TIMEOUT_MS = 15_000;

type Published = { readonly issuer: string; readonly keys: readonly TokenKey[] };

export class TokenKeys {
  readonly #clock: Clock;
  readonly #outbound: Outbound;
  readonly #published = new Map<string, { readonly found: Promise<Published>; readonly untilMs: number }>();
  constructor(clock: Clock, outbound: Outbound) {
    this.#clock = clock;
    this.#outbound = outbound;
  }
  forget(): void {
    this.#published.clear();
  }
  /** Undefined if the token is valid. */
  async findProblem(token: string, rules: JwtRules): Promise<string | undefined> {
    let published: readonly Published[];
    try {
      published = await Promise.all(rules.openidConfigs.map((url) => this.#find(url)));
    } catch {
      return "The keys of the issuer could not be read.";
    }
    // The keys of one issuer must not vouch for another.
    const issuer = findIssuer(token);
    const trusted = published.filter((one) => issuer === one.issuer || rules.issuers.includes(issuer ?? ""));
    const keys = (trusted.length === 0 ? published : trusted).flatMap((one) => one.keys);
    const claims = findClaims(token, { keys, secrets: rules.keys });
    if (!claims) return "IDX10511: Signature validation failed.";
    const issuers = [...rules.issuers, ...published.map(({ issuer }) => issuer)];
    return problemOf(claims, rules, issuers, this.#clock.nowMs() / 1000);
  }
  #find(url: string): Promise<Published> {
    const nowMs = this.#clock.machineNowMs();
    const known = this.#published.get(url);
    if (known && known.untilMs > nowMs) return known.found;
    makeRoom(this.#published, CONFIGS_MAX);
    const found = this.#read(url);
    this.#published.set(url, { found, untilMs: nowMs + KEPT_MS });
    found.catch(() => this.#published.delete(url));
    return found;
  }
  async #read(url: string): Promise<Published> {
    const { issuer, jwks_uri } = await this.#json(url);
    const { keys } = await this.#json(String(jwks_uri));
    if (typeof issuer !== "string") throw new Error(`${url} names no issuer`);
    if (!Array.isArray(keys)) throw new Error(`${jwks_uri} holds no keys`);
    return { issuer, keys: tokenKeysIn(keys) };
  }
  async #json(url: string): Promise<Record<string, unknown>> {
    const answer = await this.#outbound.request({
      method: "GET",
      url,
      timeoutMs: TIMEOUT_MS,
      responseBytesMax: ANSWER_BYTES_MAX,
    });
    if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
    return JSON.parse(answer.body.toString("utf8"));
  }
}

type Claims = Readonly<Record<string, unknown>>;
/** A time that is not a number becomes NaN, which fails every comparison. */
const timeOf = (value: unknown): number | undefined =>
  value === undefined ? undefined : typeof value === "number" ? value : Number.NaN;

function problemOf(
  claims: Claims,
  rules: JwtRules,
  issuers: readonly string[],
  nowSeconds: number,
): string | undefined {
  const { iss, aud } = claims;
  const [exp, nbf] = [timeOf(claims.exp), timeOf(claims.nbf)];
  const { skewSeconds, audiences } = rules;
  if (exp === undefined && rules.requireExpiration) return "The token has no expiration time.";
  if (exp !== undefined && !(exp + skewSeconds > nowSeconds)) return "The token has expired.";
  if (nbf !== undefined && !(nbf - skewSeconds <= nowSeconds)) return "The token is not yet valid.";
  if (issuers.length > 0 && !issuers.includes(String(iss))) return "The issuer of the token is not allowed.";
  const told = [aud ?? []].flat();
  if (audiences.length > 0 && !audiences.some((one) => told.includes(one)))
    return "The audience of the token is not allowed.";
  const missing = rules.claims.find((claim) => !hasClaim(claims[claim.name], claim));
  return missing && `The claim '${missing.name}' is missing or has another value.`;
}
function hasClaim(value: unknown, { match, separator, values }: JwtRules["claims"][number]): boolean {
  if (value === undefined) return false;
  const told = [value].flat().flatMap((one) => (separator ? String(one).split(separator) : [String(one)]));
  if (values.length === 0) return true;
  return match === "all"
    ? values.every((one) => told.includes(one))
    : values.some((one) => told.includes(one));
}
