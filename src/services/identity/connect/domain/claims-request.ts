/** The `claims` parameter: claims asked for by name, in the ID token or at userinfo (OpenID Connect Core 5.5). Pure. */

import { IDENTITY_SCOPES, neutralScope } from "../../clients/index.ts";
import type { Profile } from "../../people/index.ts";
import { type Claims, claimsOf } from "./claims.ts";

/** `values`: only one of these will do. */
export type ClaimWish = { readonly name: string; readonly values?: readonly unknown[] };
export type ClaimsRequest = {
  readonly idToken: readonly ClaimWish[];
  readonly userinfo: readonly ClaimWish[];
};
export type ReadClaims = {
  readonly claims: ClaimsRequest;
  /** The expected person; undefined if the request leaves it open. */
  readonly subjects: readonly string[] | undefined;
  /** A certain `acr` is required. No sign-in method here has one. */
  readonly demandsContext: boolean;
};

const PROFILE = ["profile"];
const NAMES = ["profile", "vendor:name"];
const SCOPES_WITH: Readonly<Record<string, readonly string[]>> = {
  name: NAMES,
  given_name: NAMES,
  family_name: NAMES,
  preferred_username: PROFILE,
  nickname: PROFILE,
  picture: PROFILE,
  website: PROFILE,
  gender: PROFILE,
  birthdate: PROFILE,
  zoneinfo: PROFILE,
  locale: PROFILE,
  updated_at: PROFILE,
  email: ["email"],
  email_verified: ["email"],
  phone_number: ["phone"],
  phone_number_verified: ["phone"],
  address: ["address"],
  "vendor:location": ["vendor:location"],
};
const scopesWith = (name: string): readonly string[] => {
  const neutral = neutralScope(name);
  return Object.hasOwn(SCOPES_WITH, neutral) ? (SCOPES_WITH[neutral] ?? []) : [];
};

// --- Reading ---

type Wish = { readonly essential: boolean; readonly values: readonly unknown[] | undefined };
type Wishes = ReadonlyMap<string, Wish>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Returns undefined if it does not follow the standard. Unknown members are ignored. */
function readWish(given: unknown): Wish | undefined {
  if (given === null) return { essential: false, values: undefined };
  if (!isObject(given)) return undefined;
  const { essential = false, value, values } = given;
  if (typeof essential !== "boolean" || (values !== undefined && !Array.isArray(values))) return undefined;
  return { essential, values: value === undefined ? values : [value] };
}
function readWishes(given: unknown): Wishes | undefined {
  if (given === undefined || given === null) return new Map();
  if (!isObject(given)) return undefined;
  const wishes = new Map<string, Wish>();
  for (const [name, member] of Object.entries(given)) {
    const wish = readWish(member);
    if (!wish) return undefined;
    wishes.set(name, wish);
  }
  return wishes;
}
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Unknown claims are ignored. */
const knownOf = (wishes: Wishes): ClaimWish[] =>
  [...wishes]
    .filter(([name]) => scopesWith(name).length > 0)
    .map(([name, { values }]) => (values === undefined ? { name } : { name, values }));

function subjectsOf(...all: readonly Wishes[]): readonly string[] | undefined {
  const lists = all.map((wishes) => wishes.get("sub")?.values).filter((values) => values !== undefined);
  const [first, ...rest] = lists;
  return first
    ?.filter((one): one is string => typeof one === "string")
    .filter((one) => rest.every((list) => list.includes(one)));
}

/** Undefined when the text is malformed. */
export function readClaims(text: string): ReadClaims | undefined {
  const given = parse(text);
  if (!isObject(given)) return undefined;
  const idToken = readWishes(given.id_token);
  const userinfo = readWishes(given.userinfo);
  if (!idToken || !userinfo) return undefined;
  const context = idToken.get("acr");
  return {
    claims: { idToken: knownOf(idToken), userinfo: knownOf(userinfo) },
    subjects: subjectsOf(idToken, userinfo),
    demandsContext: context?.essential === true && context.values !== undefined,
  };
}

// --- Consent ---

/**
 * The prefix of a claim in the list of scopes of a consent. Scopes contain no space, so it is unambiguous.
 */
const MARK = "claim ";
const markOf = (name: string): string => `${MARK}${name}`;
export const findMarkedClaim = (item: string): string | undefined =>
  item.startsWith(MARK) ? item.slice(MARK.length) : undefined;

const isCovered = (name: string, scopes: readonly string[]): boolean =>
  scopes.some((scope) => scopesWith(name).includes(neutralScope(scope)));

/** The items to ask the person for: all scopes, and each claim that no scope includes. */
export function consentItems(request: {
  readonly scopes: readonly string[];
  readonly claims?: ClaimsRequest;
}): string[] {
  const { scopes, claims } = request;
  const wanted = claims ? [...claims.idToken, ...claims.userinfo].map(({ name }) => name) : [];
  const marks = wanted.filter((name) => !isCovered(name, scopes)).map(markOf);
  return [...new Set([...scopes, ...marks])];
}

export const scopesAmong = (items: readonly string[]): string[] =>
  items.filter((item) => findMarkedClaim(item) === undefined);

/** Returns undefined if no claim is left. */
export function grantedClaims(
  claims: ClaimsRequest | undefined,
  agreed: readonly string[],
): ClaimsRequest | undefined {
  if (!claims) return undefined;
  const isAgreed = ({ name }: ClaimWish) => isCovered(name, agreed) || agreed.includes(markOf(name));
  const idToken = claims.idToken.filter(isAgreed);
  const userinfo = claims.userinfo.filter(isAgreed);
  return idToken.length + userinfo.length === 0 ? undefined : { idToken, userinfo };
}

// --- Answering ---

const sameValue = (one: unknown, another: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(another);

/** The values of the requested claims. A claim that was requested with a different value is left out. */
export function wishedClaims(person: Profile, wishes: readonly ClaimWish[]): Claims {
  const all = claimsOf(person, [...IDENTITY_SCOPES, ...wishes.map(({ name }) => name)]);
  const told = wishes.filter(
    ({ name, values }) =>
      all[name] !== undefined &&
      (values === undefined || values.some((value) => sameValue(value, all[name]))),
  );
  return Object.fromEntries(told.map(({ name }) => [name, all[name]]));
}
