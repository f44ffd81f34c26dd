/** CSV parser. Quoted fields can contain commas, quotes and line breaks. */

export type CsvLine = { readonly number: number; readonly fields: readonly string[] };

/** Skips empty lines. */
export function csvLinesOf(text: string): CsvLine[] {
  const lines: CsvLine[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  let number = 1;
  while (at < text.length) {
    const fields: string[] = [];
    const begun = number;
    for (;;) {
      const field = readField(text, at);
      number += field.lineEnds;
      fields.push(field.value);
      at = field.end;
      if (text[at] !== ",") break;
      at += 1;
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    number += 1;
    if (fields.some((field) => field !== "")) lines.push({ number: begun, fields });
  }
  return lines;
}

type Field = { readonly value: string; readonly end: number; readonly lineEnds: number };

function readField(text: string, from: number): Field {
  if (text[from] === '"') return readQuoted(text, from);
  let end = from;
  while (end < text.length && text[end] !== "," && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { value: text.slice(from, end).trim(), end, lineEnds: 0 };
}
/** Quotes inside are doubled. Text between the closing quote and the comma is kept. */
function readQuoted(text: string, from: number): Field {
  let value = "";
  let lineEnds = 0;
  let at = from + 1;
  while (at < text.length) {
    const character = text[at] as string;
    if (character === '"' && text[at + 1] === '"') at += 1;
    else if (character === '"') {
      const rest = readField(text, at + 1);
      return { value: (value + rest.value).trim(), end: rest.end, lineEnds };
    }
    if (character === "\n") lineEnds += 1;
    value += character;
    at += 1;
  }
  return { value: value.trim(), end: at, lineEnds };
}
