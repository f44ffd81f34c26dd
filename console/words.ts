/** Constants of interfaces as words. Services' own pages use it, too. */
const CONSTANT = /^[A-Z][A-Z0-9]{3,}$|^[A-Z][A-Z0-9]*(?:[ _][A-Z0-9]+)+$/;
const CAMEL = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/;
const ABBREVIATIONS = new Set(["HTTP", "HTTPS", "IBAN", "JSON", "UUID"]);
/** Constants of interfaces as people write them: `IN_PROGRESS` and `inProgress` are both "In progress". */
export function wordsOf(text: string): string {
  if (ABBREVIATIONS.has(text)) return text;
  const isCamel = CAMEL.test(text);
  if (!isCamel && !CONSTANT.test(text)) return text;
  const spaced = isCamel ? text.replace(/([a-z])([A-Z])/g, "$1 $2") : text.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}
