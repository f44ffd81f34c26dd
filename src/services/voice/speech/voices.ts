/**
 * Maps voice and language of a message to an engine voice. The engine supports only English; other languages
 * are read with English sounds.
 */
import { SpeechError } from "./errors.ts";

/** Engine voices: an American woman, an American man, a Scottish man. */
export type EngineVoiceName = "slt" | "rms" | "awb";

export type EngineVoice = {
  name: EngineVoiceName;
  /** Pitch factor, such as for children's voices. */
  pitch: number;
};

const WOMAN: EngineVoice = { name: "slt", pitch: 1 };
const MAN: EngineVoice = { name: "rms", pitch: 1 };
const BRITISH_MAN: EngineVoice = { name: "awb", pitch: 1 };
const GIRL: EngineVoice = { name: "slt", pitch: 1.2 };
const BOY: EngineVoice = { name: "slt", pitch: 1.12 };

type LanguageVoices = {
  women: string;
  men: string;
  girls?: string;
  boys?: string;
};

const VOICES_BY_LANGUAGE: Readonly<Record<string, LanguageVoices>> = {
  arb: { women: "Zeina", men: "" },
  "ar-AE": { women: "Hala", men: "Zayd" },
  "ca-ES": { women: "Arlet", men: "" },
  "cmn-CN": { women: "Zhiyu", men: "" },
  "cs-CZ": { women: "Jitka", men: "" },
  "cy-GB": { women: "Gwyneth", men: "" },
  "da-DK": { women: "Naja Sofie", men: "Mads" },
  "de-AT": { women: "Hannah", men: "" },
  "de-CH": { women: "Sabrina", men: "" },
  "de-DE": { women: "Marlene Vicki", men: "Hans Daniel" },
  "en-AU": { women: "Nicole Olivia", men: "Russell" },
  "en-GB": { women: "Amy Emma", men: "Brian Arthur" },
  "en-GB-WLS": { women: "", men: "Geraint" },
  "en-IE": { women: "Niamh", men: "" },
  "en-IN": { women: "Aditi Raveena Kajal", men: "" },
  "en-NZ": { women: "Aria", men: "" },
  "en-SG": { women: "Jasmine", men: "" },
  "en-US": {
    women: "Joanna Kendra Kimberly Salli Danielle Ruth",
    men: "Joey Matthew Gregory Stephen Patrick",
    girls: "Ivy",
    boys: "Justin Kevin",
  },
  "en-ZA": { women: "Ayanda", men: "" },
  "es-ES": { women: "Conchita Lucia", men: "Enrique Sergio Raul" },
  "es-MX": { women: "Mia", men: "Andres" },
  "es-US": { women: "Lupe Penelope", men: "Miguel Pedro" },
  "fi-FI": { women: "Suvi", men: "" },
  "fr-BE": { women: "Isabelle", men: "" },
  "fr-CA": { women: "Chantal Gabrielle", men: "Liam" },
  "fr-FR": { women: "Celine Lea", men: "Mathieu Remi" },
  "hi-IN": { women: "Aditi Kajal", men: "" },
  "is-IS": { women: "Dora", men: "Karl" },
  "it-IT": { women: "Bianca Carla", men: "Giorgio Adriano" },
  "ja-JP": { women: "Mizuki Kazuha Tomoko", men: "Takumi" },
  "ko-KR": { women: "Seoyeon Jihye", men: "" },
  "nb-NO": { women: "Liv Ida", men: "" },
  "nl-BE": { women: "Lisa", men: "" },
  "nl-NL": { women: "Lotte Laura", men: "Ruben" },
  "pl-PL": { women: "Ewa Maja Ola", men: "Jacek Jan" },
  "pt-BR": { women: "Camila Vitoria", men: "Ricardo Thiago" },
  "pt-PT": { women: "Ines", men: "Cristiano" },
  "ro-RO": { women: "Carmen", men: "" },
  "ru-RU": { women: "Tatyana", men: "Maxim" },
  "sv-SE": { women: "Astrid Elin", men: "" },
  "tr-TR": { women: "Filiz Burcu", men: "" },
  "yue-CN": { women: "Hiujin", men: "" },
};

const LANGUAGE_DEFAULT = "en-US";
const BRITISH = new Set(["en-gb", "en-gb-wls", "en-ie", "cy-gb"]);

type NamedVoice = {
  engineVoice: EngineVoice;
  languages: string[];
};

const languages = new Map<string, { code: string; engineVoice: EngineVoice }>();
const voices = new Map<string, NamedVoice>();

for (const [code, names] of Object.entries(VOICES_BY_LANGUAGE)) {
  const key = code.toLowerCase();
  const man = BRITISH.has(key) ? BRITISH_MAN : MAN;
  const prefersMan = BRITISH.has(key) || names.women === "";
  languages.set(key, { code, engineVoice: prefersMan ? man : WOMAN });
  addVoices(names.women, WOMAN, key);
  addVoices(names.men, man, key);
  addVoices(names.girls ?? "", GIRL, key);
  addVoices(names.boys ?? "", BOY, key);
}

function addVoices(names: string, engineVoice: EngineVoice, language: string): void {
  for (const name of names.toLowerCase().split(" ")) {
    if (name === "") continue;
    const known = voices.get(name);
    if (known === undefined) voices.set(name, { engineVoice, languages: [language] });
    else known.languages.push(language);
  }
}

export function isKnownLanguage(code: string): boolean {
  return languages.has(code.toLowerCase());
}

/** Case-insensitive. A voice that does not speak the language is rejected. */
export function getEngineVoice(languageCode: string | undefined, voiceId: string | undefined): EngineVoice {
  const language = languages.get((languageCode ?? LANGUAGE_DEFAULT).toLowerCase());
  if (language === undefined) {
    const known = Object.keys(VOICES_BY_LANGUAGE).join(", ");
    throw new SpeechError(
      "unknownLanguage",
      `The language "${languageCode}" is not known; known are ${known}`,
    );
  }
  if (voiceId === undefined) return language.engineVoice;
  const voice = voices.get(voiceId.toLowerCase());
  if (voice === undefined) throw new SpeechError("unknownVoice", `The voice "${voiceId}" is not known`);
  if (languageCode !== undefined && !voice.languages.includes(language.code.toLowerCase())) {
    throw new SpeechError(
      "unknownVoice",
      `The voice "${voiceId}" does not speak the language ${language.code}`,
    );
  }
  return voice.engineVoice;
}
