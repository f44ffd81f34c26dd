/**
 * When an error happens, in the words that callers get: the messages in the code, with `…` for what differs. Written into
 * the build, for the documentation. A kind with many messages has none here: no few of them would stand for all.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MESSAGES_MAX = 4;
const DECLARED = /^\s+(\w+): \["([\w.-]+)", (\d{3})\]/gm;
const MADE = /\b\w*[eE]rrors\.(\w+)\(\s*(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)")/g;

/** `${…}` at any depth of braces becomes an ellipsis. */
function withoutValues(text) {
  let [plain, depth] = ["", 0];
  for (let at = 0; at < text.length; at += 1) {
    if (depth === 0 && text.startsWith("${", at)) {
      plain += "…";
      [depth, at] = [1, at + 1];
    } else if (depth > 0) depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
    else plain += text[at];
  }
  return plain.replaceAll(/\\(.)/g, "$1").trim();
}

function wordsIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
  const kinds = new Map(
    texts.flatMap((text) =>
      [...text.matchAll(DECLARED)].map(([, name, code, status]) => [name, `${status} ${code}`]),
    ),
  );
  const words = new Map();
  for (const [, name, template, quoted] of texts.flatMap((text) => [...text.matchAll(MADE)])) {
    const kind = kinds.get(name);
    if (kind === undefined) continue;
    const message = withoutValues(template ?? quoted);
    if (message !== "" && message !== "…") words.set(kind, (words.get(kind) ?? new Set()).add(message));
  }
  return Object.fromEntries(
    [...words].filter(([, some]) => some.size <= MESSAGES_MAX).map(([kind, some]) => [kind, [...some]]),
  );
}

export function writeErrorWords(file) {
  const services = readdirSync("src/services", { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const words = Object.fromEntries(services.map(({ name }) => [name, wordsIn(join("src/services", name))]));
  writeFileSync(file, JSON.stringify({ ...words, "*": wordsIn("src/kernel") }));
}
