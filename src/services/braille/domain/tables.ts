/** The available braille tables, and their selection. */

export type BrailleTable = {
  /** File name of the table without its extension. Callers use this name. */
  readonly name: string;
  readonly file: string;
  /** BCP 47 language tag. */
  readonly language: string;
  readonly languageName: string;
  /** 0: computer braille, character by character. 1: uncontracted. 2 and 3: contracted. */
  readonly grade: number;
  readonly dots: 6 | 8;
  readonly title: string;
};

const table = (
  file: string,
  language: string,
  languageName: string,
  grade: number,
  dots: 6 | 8,
  title: string,
): BrailleTable => ({
  name: file.slice(0, file.indexOf(".")),
  file,
  language,
  languageName,
  grade,
  dots,
  title,
});

/** The most used table of each language comes first. */
export const brailleTables: readonly BrailleTable[] = [
  table("en-ueb-g2.ctb", "en", "english", 2, 6, "Unified English Braille, contracted"),
  table("en-ueb-g1.ctb", "en", "english", 1, 6, "Unified English Braille, uncontracted"),
  table(
    "en-us-g2.ctb",
    "en-US",
    "english",
    2,
    6,
    "English Braille American Edition (before Unified English Braille), contracted",
  ),
  table(
    "en-us-g1.ctb",
    "en-US",
    "english",
    1,
    6,
    "English Braille American Edition (before Unified English Braille), uncontracted",
  ),
  table("en-us-comp8.ctb", "en-US", "english", 0, 8, "American computer braille"),
  table(
    "en-GB-g2.ctb",
    "en-GB",
    "english",
    2,
    6,
    "British English (before Unified English Braille), contracted",
  ),
  table(
    "en-gb-g1.utb",
    "en-GB",
    "english",
    1,
    6,
    "British English (before Unified English Braille), uncontracted",
  ),
  table("afr-za-g1.ctb", "af", "afrikaans", 1, 6, "Afrikaans, uncontracted"),
  table("ar-ar-g1.utb", "ar", "arabic", 1, 6, "Arabic, uncontracted"),
  table("as-in-g1.utb", "as", "assamese", 1, 6, "Assamese"),
  table("bg.ctb", "bg", "bulgarian", 0, 8, "Bulgarian computer braille"),
  table("be-in-g1.utb", "bn", "bengali", 1, 6, "Bengali"),
  table("ca-g1.ctb", "ca", "catalan", 1, 6, "Catalan, uncontracted"),
  table("chr-us-g1.ctb", "chr", "cherokee", 1, 6, "Cherokee, uncontracted"),
  table("ckb-g1.ctb", "ckb", "kurdish", 1, 6, "Sorani Kurdish, uncontracted"),
  table("cs-g1.ctb", "cs", "czech", 1, 6, "Czech, uncontracted"),
  table("cy-cy-g2.ctb", "cy", "welsh", 2, 6, "Welsh, contracted"),
  table("cy-cy-g1.utb", "cy", "welsh", 1, 6, "Welsh, uncontracted"),
  table("da-dk-g26.ctb", "da", "danish", 2, 6, "Danish, contracted"),
  table("da-dk-g16.ctb", "da", "danish", 1, 6, "Danish, uncontracted"),
  table("da-dk-g08.ctb", "da", "danish", 0, 8, "Danish computer braille"),
  table("de-de-g2.ctb", "de", "german", 2, 6, "German (Kurzschrift), contracted"),
  table("de-de-g1.ctb", "de", "german", 1, 6, "German (Vollschrift), partly contracted"),
  table("de-de-g0.utb", "de", "german", 0, 6, "German (Basisschrift), uncontracted"),
  table("de-de-comp8.ctb", "de", "german", 0, 8, "German computer braille"),
  table("de-ch-g2.ctb", "de-CH", "german", 2, 6, "Swiss German (Kurzschrift), contracted"),
  table("de-ch-g1.ctb", "de-CH", "german", 1, 6, "Swiss German (Vollschrift), partly contracted"),
  table("de-ch-g0.utb", "de-CH", "german", 0, 6, "Swiss German (Basisschrift), uncontracted"),
  table("el.ctb", "el", "greek", 1, 6, "Greek, uncontracted"),
  table("eo-g1.ctb", "eo", "esperanto", 1, 6, "Esperanto, uncontracted"),
  table("es-g1.ctb", "es", "spanish", 1, 6, "Spanish, uncontracted"),
  table("Es-Es-G0.utb", "es", "spanish", 0, 8, "Spanish computer braille"),
  table("et-g0.utb", "et", "estonian", 0, 8, "Estonian computer braille"),
  table("fa-ir-g1.utb", "fa", "persian", 1, 6, "Persian, uncontracted"),
  table("fi.utb", "fi", "finnish", 1, 6, "Finnish, uncontracted"),
  table("fi-fi-8dot.ctb", "fi", "finnish", 0, 8, "Finnish computer braille"),
  table("fr-bfu-g2.ctb", "fr", "french", 2, 6, "French (code unifié), contracted"),
  table("fr-bfu-comp6.utb", "fr", "french", 1, 6, "French (code unifié), uncontracted"),
  table("fr-bfu-comp8.utb", "fr", "french", 0, 8, "French (code unifié) computer braille"),
  table("ga-g2.ctb", "ga", "irish", 2, 6, "Irish, contracted"),
  table("ga-g1.utb", "ga", "irish", 1, 6, "Irish, uncontracted"),
  table("gu-in-g1.utb", "gu", "gujarati", 1, 6, "Gujarati"),
  table("haw-us-g1.ctb", "haw", "hawaiian", 1, 6, "Hawaiian, uncontracted"),
  table("he.ctb", "he", "hebrew", 0, 8, "Hebrew computer braille"),
  table("hi-in-g1.utb", "hi", "hindi", 1, 6, "Hindi"),
  table("hr.ctb", "hr", "croatian", 0, 8, "Croatian computer braille"),
  table("hu-hu-g2.ctb", "hu", "hungarian", 2, 6, "Hungarian, contracted"),
  table("hu-hu-g1.ctb", "hu", "hungarian", 1, 6, "Hungarian, uncontracted"),
  table("hu-hu-comp8.ctb", "hu", "hungarian", 0, 8, "Hungarian computer braille"),
  table("is.ctb", "is", "icelandic", 0, 8, "Icelandic computer braille"),
  table("it-it-comp6.utb", "it", "italian", 1, 6, "Italian, uncontracted"),
  table("it-it-comp8.utb", "it", "italian", 0, 8, "Italian computer braille"),
  table("iu-ca-g1.ctb", "iu", "inuktitut", 1, 6, "Inuktitut, uncontracted"),
  table("ka-in-g1.utb", "kn", "kannada", 1, 6, "Kannada"),
  table("ko-g2.ctb", "ko", "korean", 2, 6, "Korean, contracted"),
  table("ko-g1.ctb", "ko", "korean", 1, 6, "Korean, uncontracted"),
  table("lt.ctb", "lt", "lithuanian", 0, 8, "Lithuanian computer braille"),
  table("Lv-Lv-g1.utb", "lv", "latvian", 1, 6, "Latvian, uncontracted"),
  table("mao-nz-g1.ctb", "mi", "maori", 1, 6, "Maori, uncontracted"),
  table("ml-in-g1.utb", "ml", "malayalam", 1, 6, "Malayalam"),
  table("mn-MN.utb", "mn", "mongolian", 1, 6, "Mongolian, uncontracted"),
  table("mr-in-g1.utb", "mr", "marathi", 1, 6, "Marathi"),
  table("mt.ctb", "mt", "maltese", 0, 8, "Maltese computer braille"),
  table("np-in-g1.utb", "ne", "nepali", 1, 6, "Nepali"),
  table("nl-NL-g0.utb", "nl", "dutch", 1, 6, "Dutch (Netherlands), uncontracted"),
  table("nl-BE-g0.utb", "nl-BE", "dutch", 1, 6, "Dutch (Belgium), uncontracted"),
  table("no-no-g3.ctb", "no", "norwegian", 3, 6, "Norwegian, fully contracted"),
  table("no-no-g2.ctb", "no", "norwegian", 2, 6, "Norwegian, contracted"),
  table("no-no-g1.ctb", "no", "norwegian", 1, 6, "Norwegian, partly contracted"),
  table("no-no-g0.utb", "no", "norwegian", 0, 6, "Norwegian, uncontracted"),
  table("no-no-8dot.utb", "no", "norwegian", 0, 8, "Norwegian computer braille"),
  table("or-in-g1.utb", "or", "odia", 1, 6, "Odia"),
  table("pu-in-g1.utb", "pa", "punjabi", 1, 6, "Punjabi"),
  table("Pl-Pl-g1.utb", "pl", "polish", 1, 6, "Polish, uncontracted"),
  table("pt-pt-g2.ctb", "pt", "portuguese", 2, 6, "Portuguese, contracted"),
  table("pt-pt-g1.utb", "pt", "portuguese", 1, 6, "Portuguese, uncontracted"),
  table("ro.ctb", "ro", "romanian", 0, 8, "Romanian computer braille"),
  table("ru-ru-g1.utb", "ru", "russian", 1, 6, "Russian, uncontracted"),
  table("sa-in-g1.utb", "sa", "sanskrit", 1, 6, "Sanskrit"),
  table("sin.utb", "si", "sinhala", 1, 6, "Sinhala"),
  table("sk-g1.ctb", "sk", "slovak", 1, 6, "Slovak, uncontracted"),
  table("sl-si-g1.utb", "sl", "slovenian", 1, 6, "Slovenian, uncontracted"),
  table("sot-za-g1.ctb", "st", "sotho", 1, 6, "Sotho, uncontracted"),
  table("sr-g1.ctb", "sr", "serbian", 1, 6, "Serbian, uncontracted"),
  table("Se-Se-g1.utb", "sv", "swedish", 1, 6, "Swedish, uncontracted"),
  table("sv-1996.ctb", "sv", "swedish", 0, 8, "Swedish computer braille"),
  table("ta-ta-g1.ctb", "ta", "tamil", 1, 6, "Tamil"),
  table("te-in-g1.utb", "te", "telugu", 1, 6, "Telugu"),
  table("tr-g1.ctb", "tr", "turkish", 1, 6, "Turkish, uncontracted"),
  table("tr.ctb", "tr", "turkish", 0, 8, "Turkish computer braille"),
  table("tsn-za-g1.ctb", "tn", "tswana", 1, 6, "Tswana, uncontracted"),
  table("vi-g1.ctb", "vi", "vietnamese", 1, 6, "Vietnamese, uncontracted"),
  table("zh-chn.ctb", "zh", "chinese", 1, 6, "Chinese (Mandarin, mainland)"),
  table("zh-tw.ctb", "zh-TW", "chinese", 1, 8, "Chinese (Mandarin, Taiwan)"),
  table("zh-hk.ctb", "zh-HK", "chinese", 1, 8, "Chinese (Cantonese)"),
];

export const defaultTable: BrailleTable = brailleTables[0] as BrailleTable;

export type TableChoice = {
  readonly table?: string;
  readonly language?: string;
  readonly grade?: number;
};

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Selects by name, otherwise by language and grade. The most used matching table wins. */
export function findTable({ table: name, language, grade }: TableChoice): BrailleTable | undefined {
  if (name !== undefined)
    return brailleTables.find((one) => sameText(one.name, name) || sameText(one.file, name));
  const ofLanguage = tablesOf(language ?? defaultTable.language);
  return grade === undefined ? ofLanguage[0] : ofLanguage.find((one) => one.grade === grade);
}

/** `de-AT` has no table and falls back to `de`. `de` does not match `de-CH`. */
function tablesOf(language: string): readonly BrailleTable[] {
  const exact = brailleTables.filter((one) => sameText(one.language, language));
  if (exact.length > 0 || !language.includes("-")) return exact;
  return tablesOf(language.slice(0, language.lastIndexOf("-")));
}
