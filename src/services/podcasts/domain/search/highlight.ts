/** Highlights search terms as HTML. The only tags in it are the marks. */
import { type Clause, isClauseAt, type Query } from "./query.ts";
import { keepsBeginnings, stemmerOf } from "./stems.ts";
import { type Word, wordsOf } from "./words.ts";

const OPEN = '<span class="vendor-search-highlight">';
const CLOSE = "</span>";
const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const SPECIAL = /[&<>"']/g;
export const escapeHtml = (text: string): string => text.replace(SPECIAL, (sign) => ESCAPED[sign] ?? sign);

const TAG = /<[^<>]{0,2000}>/g;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const SPACES = /\s+/g;
const CODE_POINT_MAX = 0x10ffff;
const characterOf = (code: number): string =>
  code > 0 && code <= CODE_POINT_MAX && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : " ";

/** Text of sanitized HTML without tags. */
export function plainTextOf(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html.replace(SPACES, " ").trim();
  return html
    .replace(TAG, " ")
    .replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return characterOf(Number(decimal));
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
      return NAMED[(name ?? "").toLowerCase()] ?? " ";
    })
    .replace(SPACES, " ")
    .trim();
}

type Span = { start: number; end: number };

/** Stems only words whose first letter matches a wanted word, because stemming is slow. */
function likelyStems(words: readonly Word[], language: string, clauses: readonly Clause[]): string[] {
  const stem = stemmerOf(language);
  if (!keepsBeginnings(language)) return words.map(({ text }) => stem(text));
  const beginnings = new Set(clauses.flatMap((clause) => clause.words.flat().map((word) => word[0])));
  return words.map(({ text }) => (beginnings.has(text[0]) ? stem(text) : ""));
}

/** Match positions in order. Adjacent and overlapping matches are merged. */
function spansOf(words: readonly Word[], language: string, clauses: readonly Clause[]): Span[] {
  const stems = likelyStems(words, language, clauses);
  const spans: Span[] = [];
  for (let at = 0; at < words.length; at += 1)
    for (const clause of clauses) {
      if (!isClauseAt(stems, at, clause)) continue;
      const start = words[at]?.start ?? 0;
      const end = words[at + clause.words.length - 1]?.end ?? start;
      spans.push({ start, end });
    }
  return joined(spans);
}

function mark(text: string, spans: readonly Span[]): string {
  let marked = "";
  let at = 0;
  for (const { start, end } of spans) {
    marked += escapeHtml(text.slice(at, start)) + OPEN + escapeHtml(text.slice(start, end)) + CLOSE;
    at = end;
  }
  return marked + escapeHtml(text.slice(at));
}

/** Highlights the whole text. */
export const highlight = (text: string, language: string, { wanted }: Query): string =>
  mark(text, spansOf(wordsOf(text), language, wanted));

const EXCERPT_LETTERS = 300;
const LEAD_LETTERS = 60;
/** Limits the search for matches in a long text. */
const READ_LETTERS_MAX = 20_000;

/** An excerpt around the first match, or the start of the text if there is no match. */
export function excerpt(text: string, language: string, query: Query): string {
  const read = text.slice(0, READ_LETTERS_MAX);
  const spans = spansOf(wordsOf(read), language, query.wanted);
  const first = spans[0]?.start ?? 0;
  const from = first <= LEAD_LETTERS ? 0 : wordStart(read, first - LEAD_LETTERS);
  const to = wordEnd(read, from + EXCERPT_LETTERS);
  const inside = spans
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }) => ({ start: start - from, end: end - from }));
  const ahead = from > 0 ? "… " : "";
  const behind = to < text.length ? " …" : "";
  return ahead + mark(read.slice(from, to), inside) + behind;
}

export const isFoundIn = (text: string, language: string, { wanted }: Query): boolean =>
  spansOf(wordsOf(text.slice(0, READ_LETTERS_MAX)), language, wanted).length > 0;

function wordStart(text: string, at: number): number {
  const space = text.indexOf(" ", at);
  return space < 0 || space > at + LEAD_LETTERS ? at : space + 1;
}
function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  return space <= at - LEAD_LETTERS ? at : space;
}

/** Highlights the typed words. The last word can be a prefix. */
export function highlightTyped(text: string, typed: readonly string[]): string {
  const last = typed.at(-1) ?? "";
  const spans = wordsOf(text).filter(
    (word) => typed.includes(word.text) || (last !== "" && word.text.startsWith(last)),
  );
  return mark(text, joined(spans));
}
/** Merges adjacent and overlapping spans. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans) {
    const last = all.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
