/** Describes what a scope shares, with the values that the application will see. */

import { html, type Markup } from "#kernel/html";
import { neutralScope } from "../clients/index.ts";
import { findMarkedClaim, wishedClaims } from "../connect/index.ts";
import type { Address, Profile } from "../people/index.ts";
import { type IconName, icon } from "./icons.ts";

type Words = { readonly icon: IconName; readonly title: string; readonly detail: string };

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(", ");
const addressText = (address: Address | undefined): string =>
  joined(address?.street_address, address?.postal_code, address?.locality, address?.region, address?.country);
const orEmpty = (text: string): string => (text === "" ? "You have not entered any" : text);

const words: Readonly<Record<string, (person: Profile) => Words>> = {
  openid: () => ({
    icon: "badge",
    title: "A way to recognise you",
    detail: "An identifier, the same at every visit",
  }),
  profile: (person) => ({
    icon: "person",
    title: "Your profile",
    detail: joined(
      person.name ?? joined(person.givenName, person.familyName),
      person.username,
      person.nickname,
      person.birthdate,
      person.gender,
      person.website,
      person.locale,
      person.zoneinfo,
    ),
  }),
  email: ({ email }) => ({ icon: "mail", title: "Your e-mail address", detail: orEmpty(email ?? "") }),
  phone: ({ phoneNumber }) => ({
    icon: "phone",
    title: "Your phone number",
    detail: orEmpty(phoneNumber ?? ""),
  }),
  address: ({ address }) => ({
    icon: "place",
    title: "Your postal address",
    detail: orEmpty(addressText(address)),
  }),
  "vendor:name": (person) => ({
    icon: "person",
    title: "Your name",
    detail: orEmpty(person.name ?? joined(person.givenName, person.familyName)),
  }),
  "vendor:location": ({ location }) => ({
    icon: "place",
    title: "Your location",
    detail: location
      ? joined(`${location.latitude}, ${location.longitude}`, addressText(location.address))
      : "You have not entered any",
  }),
  "vendor:push": () => ({
    icon: "bell",
    title: "Permission to notify you",
    detail: "Only while you stay connected",
  }),
};

/** Claims that an application asks for by name. */
const claimWords: Readonly<Record<string, readonly [icon: IconName, title: string]>> = {
  name: ["person", "Your name"],
  given_name: ["person", "Your given name"],
  family_name: ["person", "Your family name"],
  preferred_username: ["badge", "Your user name"],
  nickname: ["person", "Your nickname"],
  picture: ["person", "Your picture"],
  website: ["person", "Your website"],
  gender: ["person", "Your gender"],
  birthdate: ["person", "Your date of birth"],
  zoneinfo: ["place", "Your time zone"],
  locale: ["person", "Your language"],
  updated_at: ["person", "When your profile last changed"],
  email: ["mail", "Your e-mail address"],
  email_verified: ["mail", "Whether your e-mail address is confirmed"],
  phone_number: ["phone", "Your phone number"],
  phone_number_verified: ["phone", "Whether your phone number is confirmed"],
};
function valueText(name: string, person: Profile): string {
  const value = wishedClaims(person, [{ name }])[name];
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return name === "updated_at" ? "The time, nothing else" : orEmpty(String(value ?? ""));
}
/** A claim that equals a scope is described like the scope. */
function wordsOfClaim(name: string, person: Profile): Words {
  const known = Object.hasOwn(claimWords, name) ? claimWords[name] : undefined;
  if (!known) return wordsOf(name, person);
  const [iconName, title] = known;
  return { icon: iconName, title, detail: valueText(name, person) };
}

/** A permission such as `braille:*`, `backup:ListVaults` or `Vendor.Sql/servers/read`. */
function permissionWords(scope: string): Words {
  if (scope === "*")
    return {
      icon: "key",
      title: "Permission to use every service",
      detail: "In the account’s name, without any limit",
    };
  const [, service = scope, action = "*"] = /^([^:/]+)[:/](.+)$/.exec(scope) ?? [];
  return {
    icon: "key",
    title: `Permission to use the service ${service}`,
    detail:
      action === "*" ? "In the account’s name, everything it can do" : `In the account’s name, for ${action}`,
  };
}

function wordsOf(item: string, person: Profile): Words {
  const claim = findMarkedClaim(item);
  if (claim !== undefined) return wordsOfClaim(claim, person);
  const neutral = neutralScope(item);
  return (Object.hasOwn(words, neutral) ? words[neutral]?.(person) : undefined) ?? permissionWords(item);
}

export function scopeList(scopes: readonly string[], person: Profile): Markup {
  const items = scopes.map((scope) => {
    const { icon: name, title, detail } = wordsOf(scope, person);
    return html`<li>${icon(name)}<div><strong>${title}</strong><span>${detail}</span></div></li>`;
  });
  return html`<ul class="scopes">${items}</ul>`;
}
/** One line, for lists of connected applications. */
export const scopeSentence = (scopes: readonly string[], person: Profile): string =>
  scopes.map((scope) => wordsOf(scope, person).title).join(" · ");
