/** URLs in feeds, and URLs of feeds. */

export const ADDRESS_MAX = 2_000;

/** Absolute http or https URL; empty for any other text. */
export function webAddress(raw: string, base = ""): string {
  const text = raw.trim().replace(/\s/g, "%20");
  if (text === "" || text.length > ADDRESS_MAX) return "";
  try {
    const url = base === "" ? new URL(text) : new URL(text, base);
    if (url.protocol !== "http:" && url.protocol !== "https:") return "";
    return url.href.length > ADDRESS_MAX ? "" : url.href;
  } catch {
    return "";
  }
}

/** Base URL of an element: its `xml:base`, resolved against the base of the document. */
export const baseIn = ({ base }: { readonly base: string }, documentBase: string): string =>
  (base === "" ? "" : webAddress(base, documentBase)) || documentBase;

export const hostOf = (address: string): string => {
  try {
    return new URL(address).hostname.replace(/^www\./, "");
  } catch {
    return "";
  }
};

const LOCAL = "local:";
export const isLocal = (address: string): boolean => address.startsWith(LOCAL);
export const localAddress = (name: string): string => `${LOCAL}${name}`;

/** Normalized key of a feed URL. It ignores scheme, host case, default port, fragment and trailing slash. */
export function addressKey(address: string): string {
  if (isLocal(address)) return address;
  try {
    const url = new URL(address.trim());
    const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
    return `${url.host}${path}${url.search}`;
  } catch {
    return address.trim();
  }
}

/** URLs of the podcast on other platforms, with the handle as a capture group. */
const PLATFORMS: readonly (readonly [member: string, pattern: RegExp])[] = [
  ["twitter_handle", /https?:\/\/(?:www\.)?(?:twitter|x)\.com\/@?(\w{1,30})/i],
  ["instagram_handle", /https?:\/\/(?:www\.)?instagram\.com\/([\w.]{1,40})/i],
  ["facebook_handle", /https?:\/\/(?:www\.)?facebook\.com\/([\w.-]{1,60})/i],
  ["patreon_handle", /https?:\/\/(?:www\.)?patreon\.com\/([\w-]{1,60})/i],
  ["youtube_url", /(https?:\/\/(?:www\.)?youtube\.com\/[\w@./?=-]{1,100})/i],
  ["linkedin_url", /(https?:\/\/(?:www\.)?linkedin\.com\/[\w./-]{1,100})/i],
  ["spotify_url", /(https?:\/\/open\.spotify\.com\/show\/\w{1,40})/i],
  ["amazon_music_url", /(https?:\/\/music\.amazon\.[a-z.]{2,6}\/podcasts\/[\w/-]{1,100})/i],
];
export function platformsIn(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [member, pattern] of PLATFORMS) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) found[member] = value;
  }
  return found;
}
const STORE_ONE = /https?:\/\/(?:podcasts|itunes)\.apple\.com\/([^\s"'<>]{1,300})/i;
/** Numeric id of the podcast in the first store. */
export const storeOneIdIn = (text: string): number =>
  Number(/\bid(\d{3,12})\b/.exec(STORE_ONE.exec(text)?.[1] ?? "")?.[1] ?? 0);
export const storeTwoIdIn = (text: string): string =>
  /https?:\/\/open\.spotify\.com\/show\/(\w{1,40})/i.exec(text)?.[1] ?? "";
