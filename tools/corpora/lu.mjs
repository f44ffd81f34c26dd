/**
 * Real `.lu` files, read here and by the maker's own parser, which judges: `npm install @microsoft/bf-lu` somewhere, then
 * `npm run corpora -- lu FOLDER --judge NODE_MODULES`. Equal are names of models, utterances, labels and patterns.
 * References to other files, which the judge keeps as utterances, do not count, nor do blanks at the end of a label.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { contentOf } from "../../dist/services/language/transfer/app-json.js";
import { checkedContent } from "../../dist/services/language/transfer/check.js";
import { readLu } from "../../dist/services/language/transfer/lu-read.js";
import { share } from "./support.mjs";

const lower = (text) => (text ?? "").toLowerCase().trim();
const KINDS = [
  "entities",
  "composites",
  "closedLists",
  "prebuiltEntities",
  "regex_entities",
  "patternAnyEntities",
];
const flat = (labels, before = "") =>
  (labels ?? []).flatMap((label) => [
    `${before}${lower(label.entity)} ${label.role ? lower(label.role) : ""} ${label.startPos} ${label.endPos}`,
    ...flat(label.children, `${lower(label.entity)}::`),
  ]);
/** What is held against each other; a text that is there twice counts once. */
const REFERENCE = /^\[[^\]]*\](\([^)]*\)|\[[^\]]*\])$/;
const withoutReferences = (app) => ({
  ...app,
  utterances: (app.utterances ?? [])
    .filter(({ text }) => !REFERENCE.test(text))
    .map((utterance) => ({ ...utterance, entities: trimmed(utterance.entities, utterance.text) })),
});
const trimmed = (labels, text) =>
  (labels ?? []).map((label) => ({
    ...label,
    endPos: label.startPos + text.slice(label.startPos, label.endPos + 1).trimEnd().length - 1,
    children: trimmed(label.children, text),
  }));
const gist = (app) => ({
  intents: [
    ...new Set((app.intents ?? []).map(({ name }) => lower(name)).filter((name) => name !== "none")),
  ].sort(),
  entities: KINDS.flatMap((kind) => (app[kind] ?? []).map(({ name }) => `${kind} ${lower(name)}`)).sort(),
  utterances: [
    ...new Set((app.utterances ?? []).map(({ text, intent }) => `${lower(intent)}: ${lower(text)}`)),
  ].sort(),
  labels: [
    ...new Set(
      (app.utterances ?? []).flatMap(({ text, entities }) =>
        flat(entities).map((label) => `${lower(text)}: ${label.replace(/^.*::/, "")}`),
      ),
    ),
  ].sort(),
  patterns: [
    ...new Set((app.patterns ?? []).map(({ pattern }) => lower(pattern).replace(/[\s@]+/g, ""))),
  ].sort(),
});
async function ours(text) {
  const { app, leftOut } = readLu(text);
  let number = 0;
  const ids = { newId: () => randomUUID(), nextNumber: () => (number += 1) };
  const words = { culture: lower(app.culture) || "en-us", tokenizerVersion: "1.0.0" };
  await checkedContent(contentOf(app, words, ids), ids.newId);
  return { app, leftOut };
}

function judgeAt(base) {
  try {
    return createRequire(base)("@microsoft/bf-lu/lib/parser/luis/luisBuilder.js");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.error(
      "the judge is not installed: npm install --prefix DIR @microsoft/bf-lu, then --judge DIR/node_modules",
    );
    process.exit(2);
  }
}

export async function figures(folder, words) {
  const at = words.indexOf("--judge");
  const base = resolve(at < 0 ? "node_modules" : words[at + 1], "x.js");
  const { fromContentAsync } = judgeAt(base);
  const counts = { files: 0, judged: 0, read: 0, equal: 0, referring: 0, extra: 0 };
  for (const name of readdirSync(folder, { recursive: true })
    .filter((one) => one.endsWith(".lu"))
    .sort()) {
    counts.files += 1;
    const text = readFileSync(join(folder, name), "utf8");
    const judged = await fromContentAsync(text).catch(() => undefined);
    const own = await ours(text).catch((error) => ({ problem: error.message }));
    if (!judged) {
      if (!own.problem) counts.extra += 1;
      continue;
    }
    counts.judged += 1;
    if (own.leftOut?.length > 0) counts.referring += 1;
    if (own.problem) {
      if (words.includes("--differing")) console.error(`refused: ${name}: ${own.problem}`);
      continue;
    }
    counts.read += 1;
    const [wanted, got] = [gist(withoutReferences(judged)), gist(withoutReferences(own.app))];
    const other = Object.keys(wanted).filter(
      (part) => JSON.stringify(wanted[part]) !== JSON.stringify(got[part]),
    );
    if (other.length === 0) counts.equal += 1;
    else if (words.includes("--differing")) {
      console.error(`differs: ${name}: ${other.join(", ")}`);
      for (const part of other) {
        console.error(
          `    - ${wanted[part]
            .filter((one) => !got[part].includes(one))
            .slice(0, 4)
            .join(" | ")}`,
        );
        console.error(
          `    + ${got[part]
            .filter((one) => !wanted[part].includes(one))
            .slice(0, 4)
            .join(" | ")}`,
        );
      }
    }
  }
  return {
    files: counts.files,
    "read by the judge": counts.judged,
    "of these read": share(counts.read, counts.judged),
    "of these without what they refer to in other files": counts.referring,
    "of these equal": share(counts.equal, counts.read),
    "read though the judge does not": counts.extra,
  };
}
