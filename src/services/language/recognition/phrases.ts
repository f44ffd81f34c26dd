/** Finds phrases of a list in an utterance, word by word: list entities, phrase lists, lists given with a call. */
import { type Read, readUtterance, type TextRules } from "./reading.ts";

type Node<Value> = { readonly next: Map<string, Node<Value>>; values: Value[] };

export type FoundPhrase<Value> = {
  /** Places of tokens; `end` is the first that no longer belongs to it. */
  readonly start: number;
  readonly end: number;
  readonly values: readonly Value[];
};

export class PhraseTree<Value> {
  readonly #root: Node<Value> = { next: new Map(), values: [] };
  readonly #rules: TextRules;

  constructor(rules: TextRules) {
    this.#rules = rules;
  }

  add(phrase: string, value: Value): void {
    let node = this.#root;
    for (const word of readUtterance(phrase, this.#rules).words) {
      const next = node.next.get(word) ?? { next: new Map(), values: [] };
      node.next.set(word, next);
      node = next;
    }
    if (node !== this.#root && !node.values.includes(value)) node.values.push(value);
  }

  /** From each token on the longest phrase; a phrase within a longer one is left out. */
  find({ words }: Read): FoundPhrase<Value>[] {
    const found: FoundPhrase<Value>[] = [];
    let covered = 0;
    for (let start = 0; start < words.length; start += 1) {
      const longest = this.#longestAt(words, start);
      if (!longest || longest.end <= covered) continue;
      found.push(longest);
      covered = longest.end;
    }
    return found;
  }

  #longestAt(words: readonly string[], start: number): FoundPhrase<Value> | undefined {
    let node = this.#root;
    let longest: FoundPhrase<Value> | undefined;
    for (let at = start; at < words.length; at += 1) {
      const next = node.next.get(words[at] ?? "");
      if (!next) break;
      node = next;
      if (node.values.length > 0) longest = { start, end: at + 1, values: node.values };
    }
    return longest;
  }
}
