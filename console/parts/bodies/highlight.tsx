/** JSON and XML with their parts told apart by colour, and a copy of them in lines that people can read. */
import type { JSX } from "preact";

type Piece = readonly [kind: "key" | "text" | "number" | "word" | "mark" | "plain", text: string];

const JSON_PIECE =
  /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],])|([^"\d{}[\],tfn-]+|.)/g;

function piecesOf(
  whole: string,
  [string, colon, number, word, mark]: readonly (string | undefined)[],
): Piece[] {
  if (string !== undefined && colon !== undefined)
    return [
      ["key", string],
      ["mark", colon],
    ];
  if (string !== undefined) return [["text", string]];
  if (number !== undefined) return [["number", number]];
  if (word !== undefined) return [["word", word]];
  return [[mark === undefined ? "plain" : "mark", whole]];
}
export const jsonPieces = (text: string): Piece[] =>
  [...text.matchAll(JSON_PIECE)].flatMap(([whole, ...groups]) => piecesOf(whole, groups));

const XML_PIECE =
  /(<!--[\s\S]*?(?:-->|$))|(<\/?)([\w:.-]+)|([\w:.-]+)(=)("[^"]*"|'[^']*')|(\/?>|\?>)|([^<>]+?(?=[\s<>])|.|\s)/g;
/** Names of tags and attributes count only between < and >. */
export function xmlPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [whole, comment, open, tag, name, equals, value, close] of text.matchAll(XML_PIECE)) {
    if (comment !== undefined) pieces.push(["mark", comment]);
    else if (open !== undefined && tag !== undefined) pieces.push(["mark", open], ["key", tag]);
    else if (name !== undefined && equals !== undefined && value !== undefined)
      pieces.push(["word", name], ["mark", equals], ["text", value]);
    else pieces.push([close === undefined ? "plain" : "mark", whole]);
  }
  return pieces;
}

/** Each tag on a line of its own, moved in by how deep it is; a text stays beside its tag. */
export function indentXml(text: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const [part] of text.replace(/>\s+</g, "><").matchAll(/<[^>]*>[^<]*|[^<]+/g)) {
    const isEnd = part.startsWith("</");
    if (isEnd) depth = Math.max(0, depth - 1);
    const last = lines.at(-1);
    if (
      isEnd &&
      last &&
      !last.trimStart().startsWith("</") &&
      /^\s*<[^/!?][^>]*[^/]?>[^<]*$/.test(last) &&
      nameOf(last) === nameOf(part)
    )
      lines[lines.length - 1] = last + part;
    else lines.push("  ".repeat(depth) + part.trimEnd());
    if (!isEnd && /^<[^/!?]/.test(part) && !/\/>/.test(part)) depth += 1;
  }
  return lines.join("\n");
}
const nameOf = (tag: string): string | undefined => /^\s*<\/?([\w:.-]+)/.exec(tag)?.[1];

export type Language = "json" | "xml" | "hex" | "none";
const LENGTH_MAX = 200_000;
const plain = (text: string): Piece[] => [["plain", text]];
const piecesIn: Readonly<Record<Language, (text: string) => Piece[]>> = {
  json: jsonPieces,
  xml: xmlPieces,
  hex: plain,
  none: plain,
};
/** Neighbours of one kind become one element; what is too long for colours stays plain. */
export function Highlighted({
  text,
  language,
}: {
  readonly text: string;
  readonly language: Language;
}): JSX.Element {
  const pieces: Piece[] = text.length > LENGTH_MAX ? plain(text) : piecesIn[language](text);
  return (
    <code>
      {pieces.map(([kind, part], at) =>
        kind === "plain" || kind === "mark" ? (
          part
        ) : (
          <span key={at} class={`code-${kind}`}>
            {part}
          </span>
        ),
      )}
    </code>
  );
}
