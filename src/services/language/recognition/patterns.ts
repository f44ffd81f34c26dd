/**
 * Patterns: utterances written as templates. `[a]` may be missing, `(a | b)` is one of several, `{entity}` and
 * `{entity:role}` match found entities, and a Pattern.Any matches any words between its neighbours.
 */
import { isPunctuation, type TextRules, wordOf } from "./reading.ts";
import { type Token, tokenize } from "./tokenize.ts";

export type PatternNode =
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "entity"; readonly entity: string; readonly role: string | undefined }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] };

export class PatternError extends Error {}

const NESTING_MAX = 8;
const MARKS = new Set(["[", "]", "(", ")", "{", "}", "|", "^"]);

/** Why it cannot be used; undefined if it can. */
export function checkPattern(text: string, { mayBeEmpty = false } = {}): string | undefined {
  try {
    const node = parsePattern(text, AS_WRITTEN);
    if (!mayBeEmpty && isEmpty(node)) return "The pattern asks for nothing: all of it may be missing.";
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

const AS_WRITTEN: TextRules = {
  culture: "en-us",
  withoutDiacritics: false,
  withoutPunctuation: false,
  rootsOnly: false,
};

export function parsePattern(text: string, rules: TextRules): PatternNode {
  const parser = new PatternParser(text, rules);
  return parser.parse();
}

/** Names of the entities that it speaks of, with their roles. */
export function entitiesOfPattern(
  node: PatternNode,
): readonly { entity: string; role: string | undefined }[] {
  if (node.kind === "entity") return [{ entity: node.entity, role: node.role }];
  if (node.kind === "sequence") return node.parts.flatMap(entitiesOfPattern);
  if (node.kind === "choice") return node.options.flatMap(entitiesOfPattern);
  return [];
}

class PatternParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #rules: TextRules;
  #at = 0;
  /** Of brackets; the pattern itself is none. */
  #depth = -1;

  constructor(text: string, rules: TextRules) {
    this.#text = text;
    this.#rules = rules;
    this.#tokens = tokenize(text, rules.culture);
  }

  parse(): PatternNode {
    if (this.#tokens.length === 0) throw new PatternError("The pattern is empty.");
    const node = this.#choice(undefined);
    if (this.#peek() !== undefined) throw new PatternError(`"${this.#peek()}" closes nothing.`);
    return node;
  }

  #peek(): string | undefined {
    const token = this.#tokens[this.#at];
    return token && this.#text.slice(token.start, token.end);
  }

  /** Up to the mark that closes it, or to the end. */
  #choice(closing: string | undefined): PatternNode {
    this.#depth += 1;
    if (this.#depth > NESTING_MAX)
      throw new PatternError(`Brackets are nested more than ${NESTING_MAX} deep.`);
    const options: PatternNode[] = [this.#sequence()];
    while (this.#peek() === "|") {
      if (closing === undefined)
        throw new PatternError('"|" stands outside of "( )": alternatives need brackets around them.');
      this.#at += 1;
      options.push(this.#sequence());
    }
    this.#depth -= 1;
    const [only] = options;
    return options.length === 1 && only ? only : { kind: "choice", options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === "|" || next === ")" || next === "]")
        return { kind: "sequence", parts };
      parts.push(this.#part(next));
    }
  }

  #part(next: string): PatternNode {
    if (next === "[" || next === "(") return this.#bracket(next);
    if (next === "{") return this.#entity();
    if (next === "}") throw new PatternError('"}" closes nothing.');
    this.#at += 1;
    // The beginning or the end of the utterance, which a pattern matches as a whole anyway.
    if (next === "^") return { kind: "sequence", parts: [] };
    if (this.#rules.withoutPunctuation && isPunctuation(next)) return { kind: "sequence", parts: [] };
    return { kind: "word", word: wordOf(next, this.#rules) };
  }

  #bracket(opening: "[" | "("): PatternNode {
    const closing = opening === "[" ? "]" : ")";
    this.#at += 1;
    const inside = this.#choice(closing);
    if (this.#peek() !== closing) throw new PatternError(`"${opening}" is not closed by "${closing}".`);
    this.#at += 1;
    return opening === "[" ? { kind: "choice", options: [inside, { kind: "sequence", parts: [] }] } : inside;
  }

  #entity(): PatternNode {
    const opening = this.#tokens[this.#at];
    let close = this.#at;
    while (close < this.#tokens.length && this.#textAt(close) !== "}") close += 1;
    const closing = this.#tokens[close];
    if (!opening || !closing) throw new PatternError('"{" is not closed by "}".');
    const written = this.#text.slice(opening.end, closing.start).trim();
    const { entity, role } = entityOf(written);
    if (entity === "" || role === "") throw new PatternError("An entity between { } has no name.");
    if ([...written].some((character) => MARKS.has(character)))
      throw new PatternError(`"${written}" is no name of an entity.`);
    this.#at = close + 1;
    return { kind: "entity", entity, role };
  }

  #textAt(at: number): string | undefined {
    const token = this.#tokens[at];
    return token && this.#text.slice(token.start, token.end);
  }
}

/** `entity`, `entity:role`; the colons of `Parent::Child` belong to the name. */
function entityOf(written: string): { entity: string; role: string | undefined } {
  const bare = written.startsWith("@") ? written.slice(1) : written;
  const colon = bare.search(/(?<!:):(?!:)/);
  if (colon < 0) return { entity: bare, role: undefined };
  return { entity: bare.slice(0, colon).trim(), role: bare.slice(colon + 1).trim() };
}

function isEmpty(node: PatternNode): boolean {
  if (node.kind === "sequence") return node.parts.every(isEmpty);
  if (node.kind === "choice") return node.options.some(isEmpty);
  return false;
}
