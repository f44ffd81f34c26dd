/** Constants of interfaces as words. Services' own pages use it, too. */
const CONSTANT = /^[A-Z][A-Z0-9]{3,}$|^[A-Z][A-Z0-9]*(?:[ _][A-Z0-9]+)+$/;
const CAMEL = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/;
const ABBREVIATIONS = new Set(["API", "ARN", "HSM", "HTTP", "HTTPS", "IBAN", "JSON", "SQL", "UUID"]);
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** Constants of interfaces as people write them: `IN_PROGRESS` and `inProgress` are both "In progress". */
export function wordsOf(text: string): string {
  if (ABBREVIATIONS.has(text.toUpperCase())) return text.toUpperCase();
  const isCamel = CAMEL.test(text);
  if (!isCamel && !CONSTANT.test(text)) return text;
  const spaced = isCamel ? text.replace(/([a-z])([A-Z])/g, "$1 $2") : text.replaceAll("_", " ");
  return capitalized(spaced.toLowerCase()).replace(/\b[a-z]+\b/gi, (word) =>
    ABBREVIATIONS.has(word.toUpperCase()) ? word.toUpperCase() : word,
  );
}
