/**
 * The assertions of YARA's own tests (`apt-get source yara`; FOLDER is its source): each rule is sent to a started server, and is given to
 * the engine directly. Counted are assertions that hold, and differences between the two. Left out are rules that the tests
 * compute, and rules that need the module `tests` or variables, which only YARA's own test programs define.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { share, withServer } from "./support.mjs";

const ESCAPES = { n: 10, t: 9, r: 13, 0: 0, a: 7, b: 8, f: 12, v: 11, "\\": 92, '"': 34, "'": 39, "?": 63 };
/** The bytes of a literal of C, one letter each. */
const bytesOf = (literal) =>
  literal
    .replace(/\\\r?\n/g, "")
    .replace(/\\(?:x([\da-f]+)|([0-7]{1,3})|(.))/gi, (_, hex, octal, plain) =>
      String.fromCharCode(
        hex
          ? Number.parseInt(hex, 16) & 0xff
          : octal
            ? Number.parseInt(octal, 8)
            : (ESCAPES[plain] ?? plain.charCodeAt(0)),
      ),
    );

const TOKEN = /"((?:[^"\\]|\\[\s\S])*)"|[A-Za-z_]\w*|\d\w*|\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)+'|\S/g;
function tokensOf(source) {
  const text = Buffer.from(source.replace(/\\\r?\n/g, " ")).toString("latin1");
  return [...text.matchAll(TOKEN)]
    .filter(([all]) => !all.startsWith("//") && !all.startsWith("/*"))
    .map(([all, inside]) => (inside === undefined ? all : { text: bytesOf(inside) }));
}

const DEFINITION = /^#define[ \t]+(\w+)[ \t]+((?:.*\\\r?\n)*.*)$/gm;
/** Names that stand for texts. */
const namesIn = (...sources) =>
  new Map(
    sources.flatMap((source) =>
      [...source.matchAll(DEFINITION)].map(([, name, value]) => [name, tokensOf(value)]),
    ),
  );
/** Undefined for what is computed. */
function textOf(tokens, names) {
  const [first] = tokens;
  if (first === "{") return String.fromCharCode(...tokens.filter((token) => /^\d/.test(token)).map(Number));
  let text = "";
  for (const token of tokens) {
    const part = token.text ?? (names.has(token) ? textOf(names.get(token), names) : undefined);
    if (part === undefined) return token === "NULL" ? NOTHING : undefined;
    text += part;
  }
  return text;
}
/** What the tests scan where they name no data. */
const NOTHING = "dummy";

/** Calls with their arguments, each a list of tokens. Variables with texts are noted on the way. */
function* assertionsIn(source, names) {
  const tokens = tokensOf(source.replace(DEFINITION, ""));
  for (let at = 0; at < tokens.length; at += 1) {
    const name = tokens[at];
    if (tokens[at + 1] === "=" || (tokens[at + 1] === "[" && tokens[at + 3] === "=")) {
      const value = tokens.slice(at, tokens.indexOf(";", at));
      const texts = value.slice(value.indexOf("=") + 1);
      const isArrayOfText = tokens[at + 1] === "[" && texts[0] !== "{";
      names.set(name, isArrayOfText ? [...texts, { text: "\0" }] : texts);
    }
    if (typeof name !== "string" || !name.startsWith("assert_") || tokens[at + 1] !== "(") continue;
    const given = [[]];
    let depth = 1;
    for (at += 2; depth > 0; at += 1) {
      if (tokens[at] === "(") depth += 1;
      if (tokens[at] === ")") depth -= 1;
      if (depth === 0) break;
      if (tokens[at] === "," && depth === 1) given.push([]);
      else given.at(-1).push(tokens[at]);
    }
    yield {
      kind: name.slice("assert_".length),
      texts: given.map((tokensGiven) => textOf(tokensGiven, names)),
    };
  }
}

const ofRegexp = (expression) => `rule test { strings: $a = /${expression}/ condition: $a }`;
const isFound = ({ isCompiled, rules }) => isCompiled && rules > 0;
const isMissed = ({ isCompiled, rules }) => isCompiled && rules === 0;
const isRefused = ({ isCompiled }) => !isCompiled;
/** A text of C ends at its first zero. */
const untilZero = (text) => text.split("\0", 1)[0];
const NEEDS_TEST_PROGRAM = /import "tests"|\bvar_\w+/;
/** What is applied to what, and what is right. Undefined for warnings, and for what is computed. */
function caseOf({ kind, texts: [first, second = NOTHING, third] }, folder) {
  if (first === undefined || NEEDS_TEST_PROGRAM.test(first)) return undefined;
  const has = (found) => isFound(found) && found.strings.includes(third);
  const kinds = {
    true_rule: () => ({ rule: first, data: untilZero(second), isRight: isFound }),
    false_rule: () => ({ rule: first, data: untilZero(second), isRight: isMissed }),
    true_rule_blob: () => ({ rule: first, data: second, isRight: isFound }),
    false_rule_blob: () => ({ rule: first, data: second, isRight: isMissed }),
    true_rule_file: () => ({
      rule: first,
      data: readFileSync(join(folder, second), "latin1"),
      isRight: isFound,
    }),
    string_capture: () => ({ rule: first, data: untilZero(second), isRight: has }),
    true_regexp: () => ({ rule: ofRegexp(first), data: untilZero(second), isRight: has }),
    false_regexp: () => ({ rule: ofRegexp(first), data: untilZero(second), isRight: isMissed }),
    error: () => ({ rule: first, data: NOTHING, isRight: isRefused }),
    regexp_syntax_error: () => ({ rule: ofRegexp(first), data: NOTHING, isRight: isRefused }),
  };
  return kinds[kind] && { kind, ...kinds[kind]() };
}

const ENGINE = createRequire(import.meta.url).resolve("@virustotal/yara-x");
/** The interface reports no more of one string. */
const MATCHES_TOLD_MAX = 100;
let engines = 0;
let engine;
/** An engine that has trapped is in no state to go on, so the next rule gets another one. */
async function engineAfresh() {
  engines += 1;
  engine = await import(`${pathToFileURL(ENGINE)}?${engines}`);
  engine.initSync({ module: readFileSync(join(dirname(ENGINE), "yara_x_js_bg.wasm")) });
}

async function byEngine({ rule, data }) {
  if (!engine) await engineAfresh();
  const content = Buffer.from(data, "latin1");
  const compiler = new engine.Compiler();
  try {
    compiler.addSource(Buffer.from(rule, "latin1").toString("utf8"));
    const { matches } = compiler.build().scanner().scan(content);
    const told = matches.filter(({ isPrivate }) => !isPrivate);
    return {
      isCompiled: true,
      rules: told.length,
      strings: told.flatMap(({ patterns }) =>
        patterns
          .filter(({ isPrivate }) => !isPrivate)
          .flatMap((pattern) =>
            pattern.matches
              .slice(0, MATCHES_TOLD_MAX)
              .map(({ offset, length }) => content.toString("latin1", offset, offset + length)),
          ),
      ),
    };
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError;
    if (isTrap) await engineAfresh();
    return { isCompiled: false, rules: 0, strings: [], problem: isTrap ? error.message : compiler.errors[0] };
  }
}

async function byServer({ rule, data }, origin) {
  const content = Buffer.from(data, "latin1");
  const form = new FormData();
  form.set("file", new Blob([content]), "sample.bin");
  form.append("rules", Buffer.from(rule, "latin1").toString("base64"));
  const answer = await fetch(`${origin}/unpack/v1/apply-yara-rules`, {
    method: "POST",
    body: form,
  });
  const body = await answer.json();
  if (answer.status !== 200) return { isCompiled: false, rules: 0, strings: [], problem: body.message };
  const { matches, rules } = body.result;
  return {
    isCompiled: rules[0]?.is_compiled ?? false,
    rules: matches.length,
    strings: matches.flatMap(({ strings }) =>
      strings.map(({ offset, length }) => content.toString("latin1", offset, offset + length)),
    ),
    problem: rules[0]?.errors[0],
  };
}

const same = (one, other) =>
  one.isCompiled === other.isCompiled &&
  one.rules === other.rules &&
  JSON.stringify([...one.strings].sort()) === JSON.stringify([...other.strings].sort());

export async function figures(folder, words) {
  const tests = join(folder, "tests");
  const [blobs, helpers, source] = ["blob.h", "util.h", "test-rules.c"].map((file) =>
    readFileSync(join(tests, file), "utf8"),
  );
  const names = namesIn(blobs, helpers, source);
  const assertions = [...assertionsIn(blobs, names), ...assertionsIn(source, names)];
  const cases = assertions.flatMap((one) => caseOf(one, folder) ?? []);
  const right = { server: 0, engine: 0, same: 0 };
  await withServer(["unpack"], async (medley) => {
    for (const one of cases) {
      const ours = await byServer(one, medley.url);
      const alone = await byEngine(one);
      right.server += one.isRight(ours) ? 1 : 0;
      right.engine += one.isRight(alone) ? 1 : 0;
      right.same += same(ours, alone) ? 1 : 0;
      if (words.includes("--differing") && (!one.isRight(ours) || !same(ours, alone)))
        console.error(
          JSON.stringify({
            kind: one.kind,
            rule: one.rule.slice(0, 300),
            data: one.data.slice(0, 40),
            ours,
            engine: alone,
          }),
        );
    }
  });
  return {
    "assertions that hold": share(right.server, cases.length),
    "assertions that hold in the engine alone": share(right.engine, cases.length),
    "equal answers of both": share(right.same, cases.length),
  };
}
