/** Parses the URLs of requests and redirects. Accepts only what every parser reads alike. */
import { hostOf } from "./address-guard.ts";
import { OutboundError } from "./errors.ts";

const URL_LENGTH_MAX = 8192;

/** Refuses spellings that lenient parsers repair silently, because a repaired URL may lead elsewhere. */
export function parseTargetUrl(text: string): URL {
  if (text.length > URL_LENGTH_MAX) throw badUrl(`The URL is longer than ${URL_LENGTH_MAX} characters.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(text)) {
    throw badUrl("The URL contains a control character or a backslash.");
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) throw badUrl("The URL must begin with http:// or https:// and name a host.");
  if (authority.includes("@")) throw badUrl("The URL must not contain a user name or password.");
  if (!URL.canParse(text)) throw badUrl("The URL is not valid.");
  return checked(new URL(text));
}

export function parseRedirectUrl(location: string, base: URL): URL {
  if (location.length > URL_LENGTH_MAX || !URL.canParse(location, base.href)) {
    throw badUrl(`${base.origin} redirects to an address that is not a valid URL.`);
  }
  return checked(new URL(location, base.href));
}

function checked(url: URL): URL {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw badUrl(`Only http and https can be reached, not "${url.protocol.slice(0, 20)}".`);
  }
  if (url.username !== "" || url.password !== "") {
    throw badUrl("The URL must not contain a user name or password.");
  }
  if (url.port === "0") throw badUrl("The URL names port 0, which cannot be reached.");
  if (hostOf(url) === "") throw badUrl("The URL names no host.");
  url.hash = "";
  return url;
}

function badUrl(message: string): OutboundError {
  return new OutboundError("badUrl", message);
}
