/** Scopes: which there are, and which claims about a person each of them opens. */
import { makersScopes, SCOPE_MARKS } from "../dialect.ts";
import type { Address, Profile } from "../seam.ts";

export const OPENID = "openid";
export type Claims = Record<string, unknown>;

const present = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));

function nameClaims(person: Profile): Claims {
  return { name: person.name, given_name: person.givenName, family_name: person.familyName };
}
function profileClaims(person: Profile): Claims {
  return {
    ...nameClaims(person),
    preferred_username: person.username,
    nickname: person.nickname,
    picture: person.picture,
    website: person.website,
    gender: person.gender,
    birthdate: person.birthdate,
    zoneinfo: person.zoneinfo,
    locale: person.locale,
    updated_at: Math.floor(person.updatedAtMs / 1000),
  };
}
function emailClaims({ email, emailVerified }: Profile): Claims {
  return email === undefined ? {} : { email, email_verified: emailVerified };
}
function phoneClaims({ phoneNumber, phoneNumberVerified }: Profile): Claims {
  return phoneNumber === undefined
    ? {}
    : { phone_number: phoneNumber, phone_number_verified: phoneNumberVerified };
}
/** One line of text as well, because some applications read nothing else. */
function addressClaims({ address }: Profile): Claims {
  if (address === undefined || Object.keys(address).length === 0) return {};
  return { address: { formatted: formattedAddress(address), ...address } };
}
function formattedAddress({ street_address, postal_code, locality, region, country }: Address): string {
  const place = [postal_code, locality].filter(Boolean).join(" ");
  return [street_address, place, region, country].filter(Boolean).join("\n");
}

type ScopeClaims = (person: Profile, spelling: string) => Claims;
/** The neutral names. A scope without claims of its own (`openid`, `vendor:push`) is agreed to all the same. */
const CLAIMS_OF: Readonly<Record<string, ScopeClaims>> = {
  [OPENID]: () => ({}),
  profile: profileClaims,
  email: emailClaims,
  phone: phoneClaims,
  address: addressClaims,
  "vendor:name": nameClaims,
  "vendor:location": ({ location }, spelling) => ({ [spelling]: location }),
  "vendor:push": () => ({}),
};

export const IDENTITY_SCOPES: readonly string[] = Object.keys(CLAIMS_OF);
export const CLAIM_NAMES: readonly string[] = [
  "sub",
  "iss",
  "aud",
  "exp",
  "iat",
  "auth_time",
  "nonce",
  "sid",
  "amr",
  "name",
  "given_name",
  "family_name",
  "preferred_username",
  "nickname",
  "picture",
  "website",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "updated_at",
  "email",
  "email_verified",
  "phone_number",
  "phone_number_verified",
  "address",
  "vendor:location",
];

/** `aq:name` is `vendor:name`, `oidc` is `openid`; the neutral names stand for themselves. */
export const neutralScope = (scope: string): string => makersScopes[scope] ?? scope;
export const isIdentityScope = (scope: string): boolean => Object.hasOwn(CLAIMS_OF, neutralScope(scope));

/** Keeps the caller's spelling, drops marks and repetitions. `oidc` becomes `openid`, which every library looks for. */
export function readScopes(text: string): string[] {
  const words = text.split(" ").filter((word) => word !== "");
  const plain = words.map((word) => word.replace(SCOPE_MARKS, ""));
  return [...new Set(plain.map((word) => (neutralScope(word) === OPENID ? OPENID : word)))];
}

/** Unknown scopes are ignored, as the standard advises; permissions count only where the client was given them. */
export function grantableScopes(asked: readonly string[], permissions: readonly string[]): string[] {
  return asked.filter((scope) => isIdentityScope(scope) || permissions.includes(scope));
}

export function claimsOf(person: Profile, scopes: readonly string[]): Claims {
  const claims: Claims = {};
  for (const scope of scopes) {
    const read = Object.hasOwn(CLAIMS_OF, neutralScope(scope)) ? CLAIMS_OF[neutralScope(scope)] : undefined;
    if (read) Object.assign(claims, read(person, scope));
  }
  return present(claims);
}
