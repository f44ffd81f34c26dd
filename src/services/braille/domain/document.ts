/** Response document: JSON, JSONP (for scripts) or XML. */
import { escapeHtml } from "#kernel/html";
import type { Line, Page } from "./cells.ts";
import { cellWriterOf, type Form } from "./notation.ts";

/** Members of `contents` besides the translation. */
export type Caption = { readonly text: string; readonly source: string; readonly destination: string };
export type DocumentKind = "json" | "javascript" | "xml";

/** Written translation: one string, or a list of cells. */
type Translated = string | readonly string[];

/** Every line ends with CR LF. In a list, these are two separate cells. */
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

/**
 * Old JavaScript versions reject the line separators in string literals. The leading comment prevents
 * content sniffing.
 */
const javaScriptOf = (json: string, callback: string): string =>
  `/**/${callback}(${json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")});`;

/** XML cannot represent most control characters or lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
/** XML parsers normalize a bare carriage return to a line feed. */
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
