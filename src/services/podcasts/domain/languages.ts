/** Languages of the directory, from the declared language or detected from the text. */
import { packageOnUse } from "#kernel/packages";

const detector = packageOnUse<typeof import("tinyld")>("tinyld");

const NAMES: Readonly<Record<string, string>> = {
  af: "Afrikaans",
  sq: "Albanian",
  am: "Amharic",
  ar: "Arabic",
  hy: "Armenian",
  az: "Azerbaijani",
  eu: "Basque",
  be: "Belarusian",
  bn: "Bengali",
  bs: "Bosnian",
  bg: "Bulgarian",
  my: "Burmese",
  ca: "Catalan",
  zh: "Chinese",
  hr: "Croatian",
  cs: "Czech",
  da: "Danish",
  nl: "Dutch",
  en: "English",
  eo: "Esperanto",
  et: "Estonian",
  fo: "Faeroese",
  fi: "Finnish",
  fr: "French",
  gd: "Gaelic",
  gl: "Galician",
  ka: "Georgian",
  de: "German",
  el: "Greek",
  gu: "Gujarati",
  ha: "Hausa",
  haw: "Hawaiian",
  he: "Hebrew",
  hi: "Hindi",
  hu: "Hungarian",
  is: "Icelandic",
  ig: "Igbo",
  id: "Indonesian",
  ga: "Irish",
  it: "Italian",
  ja: "Japanese",
  jv: "Javanese",
  kn: "Kannada",
  kk: "Kazakh",
  rw: "Kinyarwanda",
  ko: "Korean",
  ku: "Kurdish",
  la: "Latin",
  lv: "Latvian",
  lt: "Lithuanian",
  lb: "Luxembourgish",
  mk: "Macedonian",
  ms: "Malay",
  ml: "Malayalam",
  mt: "Maltese",
  mi: "Maori",
  mr: "Marathi",
  mn: "Mongolian",
  ne: "Nepali",
  no: "Norwegian",
  fa: "Persian",
  pl: "Polish",
  pt: "Portuguese",
  pa: "Punjabi",
  ro: "Romanian",
  ru: "Russian",
  sm: "Samoan",
  sa: "Sanskrit",
  sr: "Serbian",
  si: "Sinhala",
  sk: "Slovak",
  sl: "Slovenian",
  so: "Somali",
  es: "Spanish",
  sw: "Swahili",
  sv: "Swedish",
  tl: "Tagalog",
  ta: "Tamil",
  te: "Telugu",
  th: "Thai",
  bo: "Tibetan",
  tr: "Turkish",
  uk: "Ukrainian",
  ur: "Urdu",
  uz: "Uzbek",
  vi: "Vietnamese",
  cy: "Welsh",
  yi: "Yiddish",
  yo: "Yoruba",
  zu: "Zulu",
};
/** Other codes for the same language. */
const SAME: Readonly<Record<string, string>> = {
  nb: "no",
  nn: "no",
  iw: "he",
  in: "id",
  ji: "yi",
  jp: "ja",
  cn: "zh",
  fil: "tl",
  yue: "zh",
  cmn: "zh",
  eng: "en",
  deu: "de",
  ger: "de",
  fra: "fr",
  fre: "fr",
  spa: "es",
  ita: "it",
  por: "pt",
  jpn: "ja",
  zho: "zh",
  rus: "ru",
};
/** Default if the feed declares no language and detection fails. */
export const UNKNOWN_LANGUAGE = "English";
export const LANGUAGES: readonly string[] = [...Object.values(NAMES), "Any language"].sort();

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).map(([code, name]) => [name.toLowerCase(), code]),
);
/** `English` to `en`; undefined if the language is not listed. */
export const languageCodeOf = (name: string): string | undefined => CODES.get(name.toLowerCase());

/** `en-GB`, `eng` or `English` to `English`. */
export function languageNamed(declared: string): string | undefined {
  const whole = declared.trim().toLowerCase();
  const known = CODES.get(whole);
  if (known !== undefined) return NAMES[known];
  const [first = ""] = whole.split(/[-_\s;,]/, 1);
  return NAMES[SAME[first] ?? first];
}

/** The script decides the language, because feed templates often declare a wrong one. */
const SCRIPTS: readonly (readonly [pattern: RegExp, languages: readonly string[]])[] = [
  [/[\u3040-\u30ff]/g, ["ja"]],
  [/[\uac00-\ud7af]/g, ["ko"]],
  [/[\u4e00-\u9fff]/g, ["zh", "ja"]],
  [/[\u0400-\u04ff]/g, ["ru", "uk", "bg", "sr", "mk", "be", "kk", "mn"]],
  [/[\u0600-\u06ff]/g, ["ar", "fa", "ur", "ku"]],
  [/[\u0590-\u05ff]/g, ["he", "yi"]],
  [/[\u0370-\u03ff]/g, ["el"]],
  [/[\u0e00-\u0e7f]/g, ["th"]],
  [/[\u0900-\u097f]/g, ["hi", "mr", "ne", "sa"]],
];
const SAMPLE_CHARACTERS = 2_000;
const WORDS_NEEDED = 6;
const ACCURACY_NEEDED = 0.2;

/** Languages of the dominant script of the text; undefined for Latin. */
function languagesOfScript(text: string): readonly string[] | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return undefined;
  for (const [pattern, languages] of SCRIPTS)
    if ((text.match(pattern)?.length ?? 0) > letters * 0.3) return languages;
  return undefined;
}

/** Detected language; undefined if the text is too short or the detection fails. */
function detectedIn(text: string): string | undefined {
  const script = languagesOfScript(text);
  if (!script && text.split(/\s+/).length < WORDS_NEEDED) return undefined;
  const [best] = detector()
    .detectAll(text)
    .filter(({ lang }) => !script || script.includes(lang));
  if (best && best.accuracy >= ACCURACY_NEEDED) return best.lang;
  return script?.[0];
}

/** The declared language, unless it is unknown or the text has another script. */
export function languageOf(declared: string, text: string): string {
  const named = languageNamed(declared);
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const script = languagesOfScript(sample);
  const namedCode = named === undefined ? undefined : languageCodeOf(named);
  if (named !== undefined && (!script || script.includes(namedCode ?? ""))) return named;
  const detected = detectedIn(sample);
  return (detected === undefined ? named : NAMES[SAME[detected] ?? detected]) ?? UNKNOWN_LANGUAGE;
}
