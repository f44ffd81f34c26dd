/** Languages of podcasts: declared ones, unless the text is of another script. */
import { expect, it } from "vitest";
import { languageOf } from "./languages.ts";

it.each([
  ["en-us", "", "English"],
  ["de", "12345", "German"],
  ["", "", "English"],
  ["en", "Сегодня мы говорим о погоде и о новостях недели", "Russian"],
  ["ru", "Сегодня мы говорим о погоде и о новостях недели", "Russian"],
  ["", "Heute sprechen wir über das Wetter und die Nachrichten der Woche", "German"],
])("declared %j with the text %j is %s", (declared, text, language) =>
  expect(languageOf(declared, text)).toBe(language),
);
