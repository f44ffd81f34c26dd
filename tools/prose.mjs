/**
 * Checks the prose of the documents: long sentences, long lines, words that hide who does what, spelling, links.
 * `node tools/prose.mjs --table` prints words and mean sentence length for each document.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const WORDS_IN_A_SENTENCE_MAX = 40;
const LINE_MAX = 120;
/** Phrases of ours that readers could not follow. */
const RIDDLES = [
  /\bwhoever\b/i,
  /\bwhosoever\b/i,
  /\bthat of which\b/i,
  /\bwhat (?:\w+ ){1,6}is (?:shown|kept|told|asked|taken|said)\b/i,
  /\bmeets? (?:it|them|others|another|one)\b/i,
  /\bof one's own\b/i,
  /\btold of\b/i,
  /\bin vain\b/i,
  /\bfor ever\b/i,
  /\bsees to it\b/i,
  /\bat hand\b/i,
];
const FOLDERS = [".", "docs", "docs/decisions", "docs/guides"];
const SERVICES = ["src/services", "src/examples"];

function documents() {
  const listed = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  const ofServices = SERVICES.flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name, "README.md")),
  );
  return [
    ...listed.filter((path) => path.endsWith(".md")),
    ...ofServices.filter((path) => existsSync(path)),
  ].sort();
}

/** Fenced code, also inside lists. Code is never marked by indentation here, so indented lines are prose. */
const withoutCode = (text) => text.replace(/^[ ]*```[\s\S]*?^[ ]*```/gm, "");
const DEFINITION = /^ {0,3}\[([^\]]+)\]:\s*(\S+).*$/gm;

/** The text of a Markdown document: code, tables and link targets are not prose. */
function proseOf(text) {
  const lines = withoutCode(text)
    .replace(DEFINITION, "")
    .split("\n")
    .map((line) => (/^\s*\|/.test(line) ? "" : line));
  return lines
    .map((line) => line.replace(/^\s*(?:[-*]|\d+\.)\s+/, "\n"))
    .map((line) => (line.startsWith("#") ? `\n${line.replace(/^#+\s*/, "")}\n` : line))
    .join("\n")
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/`[^`]*`/g, "code")
    .replace(/[*_]{1,2}([^*_\n]+)[*_]{1,2}/g, "$1");
}
function sentencesOf(text) {
  return proseOf(text)
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph.replace(/\s+/g, " ").split(/(?<=[.!?:;])\s+(?=["(]?[\p{Lu}\d`"(])|(?<=[.!?])$/u),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}
const wordsOf = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));

function linesBeyond(path, text) {
  let code = false;
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*```/.test(line)) code = !code;
    const length = [...line.replace(/\]\([^)]*\)/g, "]")].length;
    return code || length <= LINE_MAX ? [] : [`${path}:${index + 1}: ${length} characters in a line`];
  });
}
const isHere = (target) => !/^(?:https?:|mailto:|#)/.test(target);
/** The label of a reference-style link, such as `[text][label]` or `[label][]`. */
const labelsIn = (text) =>
  [...text.matchAll(/\[([^\]]+)\]\[([^\]]*)\]/g)].map(([, shown, label]) => (label || shown).toLowerCase());
function brokenLinks(path, text) {
  const prose = withoutCode(text).replace(/`[^`]*`/g, "code");
  const defined = new Map([...prose.matchAll(DEFINITION)].map(([, label, to]) => [label.toLowerCase(), to]));
  const inline = [...text.matchAll(/\]\(([^)\s]+)/g)].map(([, target]) => target);
  const targets = [...inline, ...defined.values()].filter(isHere).map((target) => target.replace(/#.*$/, ""));
  const body = prose.replace(DEFINITION, "");
  const used = labelsIn(body);
  const isUsed = (label) => used.includes(label) || body.toLowerCase().includes(`[${label}]`);
  return [
    ...targets
      .filter((target) => !existsSync(join(dirname(path), decodeURI(target))))
      .map((target) => `${path}: the link to ${target} leads nowhere`),
    ...used
      .filter((label) => !defined.has(label))
      .map((label) => `${path}: the link [${label}] is not defined`),
    ...[...defined.keys()]
      .filter((label) => !isUsed(label))
      .map((label) => `${path}: the link [${label}] is never used`),
  ];
}
function judge(path) {
  const text = readFileSync(path, "utf8");
  const sentences = sentencesOf(text);
  const counts = sentences.map((sentence) => wordsOf(sentence).length);
  const words = counts.reduce((sum, count) => sum + count, 0);
  return {
    path,
    words,
    mean: words / Math.max(1, counts.length),
    long: sentences
      .filter((_, index) => counts[index] > WORDS_IN_A_SENTENCE_MAX)
      .map((sentence) => `${path}: ${wordsOf(sentence).length} words: ${sentence.slice(0, 90)}…`),
    riddles: sentences
      .filter((sentence) => RIDDLES.some((riddle) => riddle.test(sentence)))
      .map((sentence) => `${path}: hard to read: ${sentence.slice(0, 140)}`),
    lines: linesBeyond(path, text),
    links: brokenLinks(path, text),
  };
}

/** Names, codes and numbers are no words; what the project's own list holds is spelt right. */
async function speller() {
  const [{ default: nspell }, { default: dictionary }] = await Promise.all([
    import("nspell"),
    import("dictionary-en-gb"),
  ]);
  const spell = nspell(dictionary);
  const own = readFileSync(new URL("prose-words.txt", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  for (const word of own) spell.add(word);
  const known = new Map();
  return (word) => {
    if (!known.has(word)) known.set(word, spell.correct(word) || spell.correct(word.toLowerCase()));
    return known.get(word);
  };
}
const isPlainWord = (word) =>
  /^\p{L}{3,}$/u.test(word) && !/\p{Ll}\p{Lu}/u.test(word) && !/^\p{Lu}+s?$/u.test(word);
function misspeltIn(path, isKnown) {
  const words = proseOf(readFileSync(path, "utf8")).match(/[\p{L}\d_./@:'’-]+/gu) ?? [];
  const plain = words
    .map((word) => word.replace(/[.:/-]+$/, "").replace(/^[/.'-]+/, ""))
    .filter((word) => !/n['’]t$/.test(word))
    .map((word) => word.replace(/['’]s?$/, ""))
    .filter((word) => !/[\d_./@:]/.test(word))
    .flatMap((word) => word.split("-"))
    .filter(isPlainWord);
  return [...new Set(plain)].filter((word) => !isKnown(word));
}

/** So many may stand: a sentence can be long for a reason. Lower them when documents get better. */
const ALLOWED = { long: 5, riddles: 5, lines: 0, links: 0, misspelt: 0 };

const isKnown = await speller();
const judged = documents().map(judge);
if (process.argv.includes("--table"))
  for (const { path, words, mean, long, lines, riddles } of judged)
    console.log(
      `${String(words).padStart(6)} words ${mean.toFixed(1).padStart(5)} a sentence ${long.length} long ` +
        `${lines.length} lines ${riddles.length} riddles  ${path}`,
    );
const found = {
  long: judged.flatMap(({ long }) => long),
  riddles: judged.flatMap(({ riddles }) => riddles),
  lines: judged.flatMap(({ lines }) => lines),
  links: judged.flatMap(({ links }) => links),
  misspelt: judged.flatMap(({ path }) =>
    misspeltIn(path, isKnown).map((word) => `${path}: spelling: ${word}`),
  ),
};
let isFailed = false;
for (const [kind, messages] of Object.entries(found)) {
  if (messages.length <= ALLOWED[kind]) continue;
  isFailed = true;
  console.error(`${messages.length} ${kind}, ${ALLOWED[kind]} allowed:\n  ${messages.join("\n  ")}`);
}
const words = judged.reduce((sum, one) => sum + one.words, 0);
console.log(`prose: ${judged.length} documents, ${words} words`);
process.exit(isFailed ? 1 : 0);
