/** The languages of applications, and other fixed lists of the interface. */
import { errors } from "../errors.ts";

export const CULTURES: readonly { readonly code: string; readonly name: string }[] = [
  { code: "en-us", name: "English" },
  { code: "zh-cn", name: "Chinese" },
  { code: "fr-fr", name: "French" },
  { code: "fr-ca", name: "French Canadian" },
  { code: "es-es", name: "Spanish" },
  { code: "es-mx", name: "Spanish Mexican" },
  { code: "it-it", name: "Italian" },
  { code: "de-de", name: "German" },
  { code: "ja-jp", name: "Japanese" },
  { code: "pt-br", name: "Portuguese" },
  { code: "ko-kr", name: "Korean" },
  { code: "nl-nl", name: "Dutch" },
  { code: "tr-tr", name: "Turkish" },
  { code: "hi-in", name: "Hindi" },
  { code: "ar-ar", name: "Arabic" },
  { code: "te-in", name: "Telugu" },
  { code: "ta-in", name: "Tamil" },
  { code: "gu-in", name: "Gujarati" },
  { code: "mr-in", name: "Marathi" },
];
export const TOKENIZER_VERSION = "1.0.0";

/** Answers it in lower case. */
export function checkCulture(culture: string): string {
  const code = culture.toLowerCase();
  if (!CULTURES.some((one) => one.code === code))
    throw errors.badArgument(
      `The culture ${culture} is not supported; there are ${CULTURES.map((one) => one.code).join(", ")}.`,
    );
  return code;
}

/** Domains that an application can name. They have no effect. */
export const DOMAINS: readonly string[] = [
  "Booking & Reference",
  "Communication",
  "Education",
  "Entertainment",
  "Finance",
  "Fitness & Health",
  "Food & Drink",
  "Gaming",
  "Home Automation",
  "Music & Audio",
  "News",
  "Others",
  "Places",
  "Productivity",
  "Shopping",
  "Sports",
  "Travel",
  "Weather",
];
export const USAGE_SCENARIOS: readonly string[] = ["Bot", "IoT", "Mobile Application", "Others"];
