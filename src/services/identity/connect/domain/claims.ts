/** Which claims about a person each scope opens. */
import { type IdentityScope, neutralScope, OPENID } from "../../clients/index.ts";
import type { Address, Profile } from "../../people/index.ts";

export type Claims = Record<string, unknown>;

function nameClaims(person: Profile): Claims {
  return { name: person.name, given_name: person.givenName, family_name: person.familyName };
}
function profileClaims(person: Profile): Claims {
  return {
    name: person.name,
    given_name: person.givenName,
    family_name: person.familyName,
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
/** Also as one line of text, because some applications read only that. */
function addressClaims({ address }: Profile): Claims {
  if (address === undefined || Object.keys(address).length === 0) return {};
  return { address: { formatted: formattedAddress(address), ...address } };
}
function formattedAddress({ street_address, postal_code, locality, region, country }: Address): string {
  const place = [postal_code, locality].filter(Boolean).join(" ");
  return [street_address, place, region, country].filter(Boolean).join("\n");
}

type ScopeClaims = (person: Profile, spelling: string) => Claims;
/** Scopes without claims (`openid`, `vendor:push`) need consent as well. */
const CLAIMS_OF: Readonly<Record<IdentityScope, ScopeClaims>> = {
  [OPENID]: () => ({}),
  profile: profileClaims,
  email: emailClaims,
  phone: phoneClaims,
  address: addressClaims,
  "vendor:name": nameClaims,
  "vendor:location": ({ location }, spelling) => ({ [spelling]: location }),
  "vendor:push": () => ({}),
};

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

const isKnown = (scope: string): scope is IdentityScope => Object.hasOwn(CLAIMS_OF, scope);
export function claimsOf(person: Profile, scopes: readonly string[]): Claims {
  const claims: Claims = {};
  for (const scope of scopes) {
    const known = neutralScope(scope);
    if (!isKnown(known)) continue;
    const opened = CLAIMS_OF[known](person, scope);
    for (const name in opened) if (opened[name] !== undefined) claims[name] = opened[name];
  }
  return claims;
}
