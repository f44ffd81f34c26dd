/** Headers for language, region and location, and error messages in English and Dutch. */

const LOCALE = /^[a-z]{2}_[A-Z]{2}$/;
const GEOLOCATION =
  /^-?\d{1,3}(?:\.\d{1,10})? -?\d{1,3}(?:\.\d{1,10})? -?\d{1,6}(?:\.\d{1,10})? \d{1,9}(?:\.\d{1,10})? [A-Z0-9]{2,3}$/;
type Said = {
  readonly language: string | undefined;
  readonly region: string | undefined;
  readonly geolocation: string | undefined;
};
/** The problem with the headers, or undefined if they are valid or absent. */
export function problemIn({ language, region, geolocation }: Said): string | undefined {
  if (language !== undefined && !LOCALE.test(language))
    return "X-Vendor-Language must be a language and a country, such as en_US or nl_NL.";
  if (region !== undefined && !LOCALE.test(region))
    return "X-Vendor-Region must be a language and a country, such as en_US or nl_NL.";
  if (geolocation !== undefined && !GEOLOCATION.test(geolocation))
    return "X-Vendor-Geolocation must be longitude, latitude, altitude, radius and country, with spaces between.";
  return undefined;
}

const DUTCH = "nl_";
const TEXTS: Readonly<Record<string, string>> = {
  "There is not enough money in the account.": "Er staat niet genoeg geld op de rekening.",
  "This request must be signed.": "Dit verzoek moet ondertekend zijn.",
  "The request signature is invalid.": "De handtekening van het verzoek klopt niet.",
  "The session token is not valid.": "De sessie is niet geldig.",
  "The session has ended: open another one.": "De sessie is afgelopen: open een nieuwe.",
  "The amount must be more than nothing.": "Het bedrag moet hoger zijn dan nul.",
  "This may not be used from here.": "Dit mag hiervandaan niet worden gebruikt.",
};
/** A general translation by status, for messages that have no translation. */
const KINDS: Readonly<Record<number, string>> = {
  400: "Het verzoek klopt niet.",
  401: "U bent niet aangemeld.",
  403: "Dit is niet toegestaan.",
  404: "Dit bestaat niet.",
  405: "Dit kan hier niet.",
  429: "Er zijn te veel verzoeken: probeer het later opnieuw.",
  466: "Dit verzoek moet ondertekend zijn.",
  500: "Er ging iets mis bij de bank.",
};
export function translated(message: string, status: number, language: string | undefined): string {
  if (!language?.startsWith(DUTCH)) return message;
  return TEXTS[message] ?? KINDS[status] ?? message;
}
