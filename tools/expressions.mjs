/**
 * Every regular expression of the product takes time that grows with its text and no faster: outside text reaches most of
 * them, so none is left out. Read from the sources and from what the services declare. `--write` notes those that were
 * proven in `tools/proven-expressions.json`, so that only new ones take time.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "./installed.mjs";

const { parseSync } = load("analysis", "@swc/core");

const TIMEOUT_MS = 120_000;
const sourceFolder = new URL("../src/", import.meta.url);
const provenFile = new URL("./proven-expressions.json", import.meta.url);
/** Makes its expressions of tables while modules are loaded, which is when they are listed. */
const BUILDERS = new Set(["kernel/dialects/dialect.ts"]);

/** Expressions as they are written, and places where one is made only when a function runs: nobody could list that one. */
function readSources() {
  const written = [];
  const late = [];
  for (const file of readdirSync(sourceFolder, { recursive: true })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    const tree = parseSync(readFileSync(new URL(file, sourceFolder), "utf8"), {
      syntax: "typescript",
      target: "es2022",
    });
    const visit = (node, inFunction) => {
      if (node === null || typeof node !== "object") return;
      if (node.type === "RegExpLiteral") written.push({ source: node.pattern, flags: node.flags });
      const isMade = /^(?:New|Call)Expression$/.test(node.type) && node.callee?.value === "RegExp";
      if (isMade && inFunction && !BUILDERS.has(file)) late.push(file);
      const inside = inFunction || /Function|Method|Constructor/.test(node.type ?? "");
      for (const part of Object.values(node)) visit(part, inside);
    };
    visit(tree, false);
  }
  return { written, late };
}
/** What modules make of texts when they are loaded, and the patterns of declared shapes. */
async function readServices() {
  const found = [];
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, [source, flags]) {
      const expression = new target(source, flags);
      found.push({ source: expression.source, flags: expression.flags });
      return expression;
    },
  });
  try {
    const { loadServices } = await import("../dist/app/services.js");
    const { createAdminServices } = await import("../dist/admin/index.js");
    const services = [...(await loadServices()), ...createAdminServices({ services: [], config: {} }, {})];
    const seen = new Set();
    for (const { operations } of services)
      for (const { params, query, headers, body, answers } of operations)
        gatherPatterns([params, query, headers, body, answers], found, seen);
  } finally {
    globalThis.RegExp = Native;
  }
  return found;
}
function gatherPatterns(schema, found, seen) {
  if (schema === null || typeof schema !== "object" || seen.has(schema)) return;
  seen.add(schema);
  if (typeof schema.pattern === "string") found.push({ source: schema.pattern, flags: "" });
  for (const source of Object.keys(schema.patternProperties ?? {})) found.push({ source, flags: "" });
  for (const part of Object.values(schema)) gatherPatterns(part, found, seen);
}

const nameOf = ({ source, flags }) => `/${source}/${flags}`;

export async function listExpressions() {
  const { written, late } = readSources();
  const byName = new Map([...written, ...(await readServices())].map((one) => [nameOf(one), one]));
  return { expressions: [...byName.keys()].sort().map((name) => byName.get(name)), late };
}

/** Undefined when it is proven. */
async function findProblem({ source, flags }) {
  const { check } = load("expressions", "recheck");
  const { status, complexity, attack, error } = await check(source, flags, { timeout: TIMEOUT_MS });
  if (status === "safe") return undefined;
  if (status === "unknown") return `not proven: ${error?.kind}`;
  return `${complexity.summary}, for instance on ${attack.pattern}`;
}

async function main() {
  const { expressions, late } = await listExpressions();
  const proven = new Set(JSON.parse(readFileSync(provenFile, "utf8")));
  const now = [];
  const problems = late.map(
    (file) => `${file} makes an expression only when a function runs: make it a constant`,
  );
  let isNew = 0;
  for (const expression of expressions) {
    const name = nameOf(expression);
    const problem = proven.has(name) ? undefined : await findProblem(expression);
    if (!proven.has(name)) isNew += 1;
    if (problem === undefined) now.push(name);
    else problems.push(`${name} is slow: ${problem}`);
  }
  for (const problem of problems) console.error(problem);
  if (process.argv.includes("--write")) writeFileSync(provenFile, `${JSON.stringify(now, null, 2)}\n`);
  else if (isNew > 0) console.log("to spare time: node tools/expressions.mjs --write");
  console.log(`${expressions.length} expressions, ${isNew} of them new, ${problems.length} problems`);
  process.exit(problems.length > 0 ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
