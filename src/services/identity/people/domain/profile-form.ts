/** The profile form: its fields, their limits, and the conversion to a profile. Pure. */

import { findEmailProblem } from "./names.ts";
import type { AboutMe, Address, Profile } from "./profile.ts";

export const PROFILE_FIELDS = [
  "name",
  "given_name",
  "family_name",
  "nickname",
  "email",
  "phone_number",
  "website",
  "picture",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "street_address",
  "locality",
  "region",
  "postal_code",
  "country",
  "latitude",
  "longitude",
] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];
export type ProfileValues = Readonly<Partial<Record<ProfileField, string>>>;
export type ProfileProblems = Readonly<Partial<Record<ProfileField, string>>>;

const LENGTH_MAX = 200;
const URL_LENGTH_MAX = 1000;

export function valuesOf(profile: Profile): ProfileValues {
  const { address, location } = profile;
  return {
    name: profile.name,
    given_name: profile.givenName,
    family_name: profile.familyName,
    nickname: profile.nickname,
    email: profile.email,
    phone_number: profile.phoneNumber,
    website: profile.website,
    picture: profile.picture,
    gender: profile.gender,
    birthdate: profile.birthdate,
    zoneinfo: profile.zoneinfo,
    locale: profile.locale,
    street_address: address?.street_address,
    locality: address?.locality,
    region: address?.region,
    postal_code: address?.postal_code,
    country: address?.country,
    latitude: location && String(location.latitude),
    longitude: location && String(location.longitude),
  };
}

const isZone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};
const isLocale = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};
const isWebUrl = (text: string): boolean =>
  text.length <= URL_LENGTH_MAX && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lengths[month - 1] ?? 0);
}
const isWithin = (text: string, limit: number): boolean =>
  /^-?\d{1,3}(?:\.\d{1,8})?$/.test(text) && Math.abs(Number(text)) <= limit;

type Check = (text: string) => string | undefined;
const when =
  (passes: (text: string) => boolean, problem: string): Check =>
  (text) =>
    passes(text) ? undefined : problem;
const checks: Readonly<Partial<Record<ProfileField, Check>>> = {
  email: findEmailProblem,
  phone_number: when(
    (text) => /^\+[1-9][0-9 ()-]{5,22}$/.test(text),
    "Write it with the country code, such as +41 44 123 45 67.",
  ),
  website: when(isWebUrl, "Write it with http:// or https://."),
  picture: when(isWebUrl, "Write it with http:// or https://."),
  birthdate: when(isDay, "Write it as year-month-day, such as 1990-04-23."),
  zoneinfo: when(isZone, "Write it as Europe/Zurich."),
  locale: when(isLocale, "Write it as a language tag, such as en-GB."),
  latitude: when((text) => isWithin(text, 90), "A number from -90 to 90."),
  longitude: when((text) => isWithin(text, 180), "A number from -180 to 180."),
};

function findProblem(name: ProfileField, text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return "Use readable characters only.";
  if (text.length > LENGTH_MAX && name !== "website" && name !== "picture")
    return `Use up to ${LENGTH_MAX} characters.`;
  return checks[name]?.(text);
}

export type ReadProfile = {
  readonly values: ProfileValues;
  readonly problems: ProfileProblems;
  readonly about: AboutMe;
  readonly email: string | undefined;
};

/** Fields left empty are not kept. */
export function readProfile(form: ProfileValues): ReadProfile {
  const values: Partial<Record<ProfileField, string>> = {};
  const problems: Partial<Record<ProfileField, string>> = {};
  for (const name of PROFILE_FIELDS) {
    const text = (form[name] ?? "").trim();
    if (text === "") continue;
    values[name] = text;
    const problem = findProblem(name, text);
    if (problem !== undefined) problems[name] = problem;
  }
  if ((values.latitude === undefined) !== (values.longitude === undefined))
    problems[values.latitude === undefined ? "latitude" : "longitude"] = "Give both, or none.";
  return { values, problems, about: aboutOf(values), email: values.email };
}

const without = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

function aboutOf(values: ProfileValues): AboutMe {
  const address: Address = without({
    street_address: values.street_address,
    locality: values.locality,
    region: values.region,
    postal_code: values.postal_code,
    country: values.country,
  });
  const hasAddress = Object.keys(address).length > 0;
  const hasPlace = values.latitude !== undefined && values.longitude !== undefined;
  return without({
    name: values.name,
    givenName: values.given_name,
    familyName: values.family_name,
    nickname: values.nickname,
    phoneNumber: values.phone_number?.replace(/[ ()-]/g, ""),
    website: values.website,
    picture: values.picture,
    gender: values.gender,
    birthdate: values.birthdate,
    zoneinfo: values.zoneinfo,
    locale: values.locale,
    address: hasAddress ? address : undefined,
    location: hasPlace
      ? {
          latitude: Number(values.latitude),
          longitude: Number(values.longitude),
          ...(hasAddress && { address }),
        }
      : undefined,
  });
}
