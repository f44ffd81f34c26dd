/** Cuts a `$filter` text into tokens, reading each character once. */
import { FilterSyntaxError } from "./errors.ts";
import { findDateTime, GUID_LENGTH, getNumber, isDigit, isGuid, looksLikeDate } from "./literals.ts";

export type Token =
  | { readonly kind: "word"; readonly text: string; readonly position: number }
  | { readonly kind: "string"; readonly value: string; readonly position: number }
  | { readonly kind: "guid"; readonly value: string; readonly position: number }
  | { readonly kind: "number"; readonly value: number; readonly position: number }
  | { readonly kind: "dateTime"; readonly value: number; readonly position: number }
  | { readonly kind: "(" | ")" | "," | "/" | "." | "end"; readonly position: number };

const PUNCTUATION = new Set(["(", ")", ",", "/", "."]);
const SPACES = new Set([" ", "\t", "\n", "\r"]);

function isLetter(character: string | undefined): boolean {
  if (character === undefined) return false;
  return (
    (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "_"
  );
}

function isWordCharacter(character: string | undefined): boolean {
  return isLetter(character) || isDigit(character);
}

/** The characters that numbers, dates and bare guids are made of; a sign belongs to it only inside a date or exponent. */
function isValueCharacter(character: string | undefined): boolean {
  return (
    isWordCharacter(character) ||
    character === "." ||
    character === ":" ||
    character === "-" ||
    character === "+"
  );
}

type Piece = {
  readonly token: Token;
  readonly end: number;
};

/** A quote inside a string is written twice. */
function readString(text: string, start: number): { value: string; end: number } {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf("'", from);
    if (quote < 0) {
      throw new FilterSyntaxError(`The string that starts at position ${start} has no closing quote.`, start);
    }
    value += text.slice(from, quote);
    if (text[quote + 1] !== "'") return { value, end: quote + 1 };
    value += "'";
    from = quote + 2;
  }
}

function valueToken(text: string, position: number): Token {
  if (isGuid(text)) return { kind: "guid", value: text.toLowerCase(), position };
  if (looksLikeDate(text)) return dateTimeToken(text, position);
  return { kind: "number", value: getNumber(text, position), position };
}

function dateTimeToken(text: string, position: number): Token {
  const value = findDateTime(text);
  if (value === undefined) {
    throw new FilterSyntaxError(`'${text}' at position ${position} is not a valid date-time.`, position);
  }
  return { kind: "dateTime", value, position };
}

function readValue(text: string, start: number): Piece {
  let end = start + 1;
  while (isValueCharacter(text[end])) end += 1;
  return { token: valueToken(text.slice(start, end), start), end };
}

/** `datetime'…'` and `guid'…'` are the spellings of the older protocol. */
function prefixedToken(prefix: string, value: string, position: number): Token {
  switch (prefix.toLowerCase()) {
    case "datetime":
    case "datetimeoffset":
      return dateTimeToken(value, position);
    case "guid":
      if (isGuid(value)) return { kind: "guid", value: value.toLowerCase(), position };
      throw new FilterSyntaxError(`'${value}' at position ${position} is not a valid guid.`, position);
    default:
      throw new FilterSyntaxError(
        `'${prefix}' at position ${position} cannot stand before a string; known are datetime, datetimeoffset and guid.`,
        position,
      );
  }
}

function readWord(text: string, start: number): Piece {
  const maybeGuid = text.slice(start, start + GUID_LENGTH);
  if (isGuid(maybeGuid) && !isValueCharacter(text[start + GUID_LENGTH])) {
    return { token: valueToken(maybeGuid, start), end: start + GUID_LENGTH };
  }
  let end = start + 1;
  while (isWordCharacter(text[end])) end += 1;
  const word = text.slice(start, end);
  if (text[end] !== "'") return { token: { kind: "word", text: word, position: start }, end };
  const quoted = readString(text, end);
  return { token: prefixedToken(word, quoted.value, start), end: quoted.end };
}

function readToken(text: string, start: number): Piece {
  const character = text.charAt(start);
  if (PUNCTUATION.has(character)) {
    return { token: { kind: character as "(" | ")" | "," | "/" | ".", position: start }, end: start + 1 };
  }
  if (character === "'") {
    const { value, end } = readString(text, start);
    return { token: { kind: "string", value, position: start }, end };
  }
  if (isDigit(character) || (character === "-" && isDigit(text[start + 1]))) return readValue(text, start);
  if (isLetter(character)) return readWord(text, start);
  throw new FilterSyntaxError(`Unexpected character '${character}' at position ${start}.`, start);
}

/** The last token is always `end`. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < text.length) {
    if (SPACES.has(text.charAt(index))) {
      index += 1;
      continue;
    }
    const { token, end } = readToken(text, index);
    const previous = tokens.at(-1);
    const touches = previous !== undefined && index > 0 && !SPACES.has(text.charAt(index - 1));
    if (touches && isWordLike(previous) && isWordLike(token)) {
      throw new FilterSyntaxError(`A space is missing before position ${index}.`, index);
    }
    tokens.push(token);
    index = end;
  }
  tokens.push({ kind: "end", position: text.length });
  return tokens;
}

function isWordLike(token: Token): boolean {
  return (
    token.kind === "word" ||
    token.kind === "string" ||
    token.kind === "guid" ||
    token.kind === "number" ||
    token.kind === "dateTime"
  );
}
