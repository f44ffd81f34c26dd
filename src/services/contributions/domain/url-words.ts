/** Address words, made from names in any script. */
import anyAscii from "any-ascii";

const URL_WORDS_LENGTH_MAX = 80;
const NOT_PLAIN = /[^a-z0-9]+/g;
const APOSTROPHES = /['’]/g;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** `otherwise` is used if a name has no letter that can be transliterated. */
export function urlWordsOf(name: string, otherwise: string): string {
  const plain = BEYOND_ASCII.test(name)
    ? anyAscii(name.normalize("NFKC").replace(APOSTROPHES, ""))
    : name.replaceAll("'", "");
  const spelt = plain.toLowerCase().replace(NOT_PLAIN, "-").slice(0, URL_WORDS_LENGTH_MAX);
  const trimmed = spelt.replace(/^-/, "").replace(/-$/, "");
  return trimmed === "" ? otherwise : trimmed;
}

/** The first free one: `flood`, `flood-2`, `flood-3`. */
export function freeUrlWords(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const next = `${wanted}-${number}`;
    if (!taken.has(next)) return next;
  }
}
