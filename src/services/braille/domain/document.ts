/** The answer as a document: JSON, JSON in a call of a function (for scripts), or XML. */
import { escapeHtml } from "#kernel/html";
import type { Line, Page } from "./cells.ts";
import { cellWriterOf, type Form } from "./notation.ts";

/** What `contents` says besides the translation itself. */
export type Caption = { readonly text: string; readonly source: string; readonly destination: string };
export type DocumentKind = "json" | "javascript" | "xml";

/** The translation, written: one text, or a list of cells. */
type Translated = string | readonly string[];

/** Every line ends with a carriage return and a line feed, which are cells of their own in a list. */
export function writtenPage(page: Page, form: Form, imageFolderUrl: string): Translated {
  const write = cellWriterOf(form, imageFolderUrl);
  const written = Array.from({ length: 256 }, (_, cell) => write(cell));
  const cellsOf = (line: Line): string[] => Array.from(line, (cell) => written[cell] as string);
  if (form === "braille display") return page.map((line) => `${cellsOf(line).join("")}\r\n`).join("");
  return page.flatMap((line) => [...cellsOf(line), "\r", "\n"]);
}

function jsonOf(translated: Translated, { text, source, destination }: Caption): string {
  return JSON.stringify({
    success: { total: 1 },
    contents: { translated, text, translation: { source, destination } },
  });
}

/** The line separators were not allowed in scripts of old; the comment keeps the text from being taken for another format. */
const javaScriptOf = (json: string, callback: string): string =>
  `/**/${callback}(${json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")});`;

/** XML has no way to write most control characters, nor half characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** A bare carriage return would be read as a line feed. */
const xmlText = (text: string): string =>
  escapeHtml(text.replace(NOT_XML, "\ufffd")).replaceAll("\r", "&#13;").replaceAll("\n", "&#10;");
const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;

function xmlOf(translated: Translated, { text, source, destination }: Caption): string {
  const inner =
    typeof translated === "string"
      ? xmlText(translated)
      : translated.map((cell) => element("cell", xmlText(cell))).join("");
  const translation = element("source", xmlText(source)) + element("destination", xmlText(destination));
  const contents =
    element("translated", inner) + element("text", xmlText(text)) + element("translation", translation);
  const success = element("success", element("total", "1"));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("response", success + element("contents", contents))}\n`;
}

export function documentOf(
  kind: DocumentKind,
  callback: string,
  translated: Translated,
  caption: Caption,
): string {
  if (kind === "xml") return xmlOf(translated, caption);
  const json = jsonOf(translated, caption);
  return kind === "javascript" ? javaScriptOf(json, callback) : json;
}
