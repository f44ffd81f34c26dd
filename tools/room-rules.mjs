/**
 * What no import shows: ports hold no code, queries are built in `store` and `migrations` alone, what `store` shows takes the database first and
 * the account next, and tables carry their service's prefix. Reads the syntax of every service's files and of the admin
 * interface's; and of all sources, that constants are called by what they are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { misnamedIn } from "./constant-names.mjs";
import { load } from "./installed.mjs";

const { parseSync } = load("analysis", "@swc/core");
const QUERY_WORDS = new Set([
  "selectFrom",
  "insertInto",
  "replaceInto",
  "updateTable",
  "deleteFrom",
  "mergeInto",
  "createTable",
  "alterTable",
  "dropTable",
  "executeQuery",
]);
const TABLE_WORDS = new Set(["createTable", "renameTo"]);
const QUERY_FILE = /\/(?:store|migrations)(?:\/|\.ts$)/;
const STORE_FILE = /\/store(?:\/|\.ts$)/;
const TEST_FILE = /\.test\.ts$/;
const HAS_ROOMS = /^src\/(?:services|admin)\//;
const PORT_FILE = /^src\/ports\//;
const CODE = new Set([
  "ArrowFunctionExpression",
  "ClassDeclaration",
  "ClassExpression",
  "FunctionDeclaration",
  "FunctionExpression",
]);
const ROOM = /^src\/services\/([^/]+)\//;
/** Two services share this folder, and the beginning of their names. */
const PREFIXES = { "configuration-stores": "configuration_" };

const prefixOf = (service) => PREFIXES[service] ?? `${service.replaceAll("-", "_")}_`;

/** Every node of a syntax tree, each before what it holds. */
function* nodesIn(node) {
  if (typeof node !== "object" || node === null) return;
  if (typeof node.type === "string") yield node;
  for (const value of Object.values(node)) yield* nodesIn(value);
}

/** Where a query begins: a builder's method however it is reached, or a statement written out. */
function* queriesIn(tree) {
  for (const node of nodesIn(tree)) {
    const named = node.type === "Identifier" || node.type === "StringLiteral" ? node.value : undefined;
    if (QUERY_WORDS.has(named)) yield { span: node.span, text: named };
    if (
      node.type === "TaggedTemplateExpression" &&
      [...nodesIn(node.tag)].some(({ value }) => value === "sql")
    )
      yield { span: node.span, text: "sql`…`" };
  }
}

const wordOf = ({ callee }) => (callee.type === "MemberExpression" ? callee.property : callee).value;
const textsIn = (nodes) => nodes.filter(({ type }) => type === "StringLiteral");

/** The names of tables that are made, renamed to, listed as `tables`, or members of a type `…Tables`. */
function* tablesIn(tree) {
  for (const node of nodesIn(tree)) {
    if (node.type === "CallExpression" && TABLE_WORDS.has(wordOf(node)))
      yield* textsIn(node.arguments.map(({ expression }) => expression)).slice(0, 1);
    const isList =
      (node.type === "VariableDeclarator" && node.id.value === "tables") ||
      (node.type === "KeyValueProperty" && node.key.value === "tables");
    if (isList)
      for (const inner of nodesIn(node.init ?? node.value))
        if (inner.type === "ArrayExpression")
          yield* textsIn(inner.elements.map(({ expression }) => expression));
    if (node.type === "TsTypeAliasDeclaration" && /Tables$/.test(node.id.value))
      for (const { key } of membersOf(node.typeAnnotation)) if (key?.type === "Identifier") yield key;
  }
}
const membersOf = ({ members, types = [] }) => members ?? types.flatMap(membersOf);

/** What a function calls its parameters, those taken apart included. */
const parametersOf = ({ params }) =>
  params.map((parameter) => {
    const { value, properties } = parameter.pat ?? parameter;
    return value ?? properties?.map(({ key }) => key?.value) ?? [];
  });
/** What a file shows to others: functions, and constants that are functions. */
function* shownFunctions(tree) {
  for (const { type, declaration } of tree.body) {
    if (type !== "ExportDeclaration") continue;
    if (declaration.type === "FunctionDeclaration")
      yield { name: declaration.identifier.value, made: declaration, span: declaration.span };
    for (const { id, init } of declaration.declarations ?? [])
      if (init?.type === "ArrowFunctionExpression") yield { name: id.value, made: init, span: id.span };
  }
}
/** Whether it speaks of a `db` from outside; a function inside that is given its own does not. */
function namesDatabase(node) {
  if (typeof node !== "object" || node === null) return false;
  if (node.type === "Identifier" && node.value === "db") return true;
  if (node.type === "ArrowFunctionExpression" && parametersOf(node)[0] === "db") return false;
  return Object.values(node).some(namesDatabase);
}
/** Functions of a store that ask the database, and whose parameters come in another order than everywhere. */
function* misorderedIn(tree) {
  for (const { name, made, span } of shownFunctions(tree)) {
    const [first, ...others] = parametersOf(made);
    if (namesDatabase(made.body) && (first !== "db" || others.flat().indexOf("account") > 0))
      yield { span, text: name };
  }
}

const BEFORE_THE_FIRST_WORD = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*/;
/** The parser counts bytes, from the first word of the file on. */
function lineOf(bytes, tree, span) {
  const [before] = BEFORE_THE_FIRST_WORD.exec(bytes.toString());
  const end = Buffer.byteLength(before) + span.start - tree.span.start;
  return bytes.subarray(0, end).toString().split("\n").length;
}

function breachesIn(file, path) {
  const bytes = readFileSync(path);
  const tree = parseSync(bytes.toString(), { syntax: "typescript", target: "es2022" });
  const at = (span) => `${file}:${lineOf(bytes, tree, span)}`;
  const breaches = [];
  for (const { span, text } of misnamedIn(tree))
    breaches.push({ rule: "plain-constants-in-upper-case", text: `${at(span)} ${text}` });
  if (PORT_FILE.test(file))
    for (const { type, span } of nodesIn(tree))
      if (CODE.has(type)) breaches.push({ rule: "ports-hold-types-alone", text: `${at(span)} ${type}` });
  if (!HAS_ROOMS.test(file)) return breaches;
  if (!QUERY_FILE.test(file))
    for (const { span, text } of queriesIn(tree))
      breaches.push({ rule: "queries-only-in-store", text: `${at(span)} ${text}` });
  if (STORE_FILE.test(file))
    for (const { span, text } of misorderedIn(tree))
      breaches.push({ rule: "store-takes-database-and-account-first", text: `${at(span)} ${text}` });
  const [, service] = ROOM.exec(file) ?? [];
  if (service !== undefined)
    for (const { value, span } of tablesIn(tree))
      if (!value.startsWith(prefixOf(service)))
        breaches.push({
          rule: "tables-carry-the-prefix",
          text: `${at(span)} ${value} does not begin with ${prefixOf(service)}`,
        });
  return breaches;
}

/** All breaches below `root`. */
export function findBreaches(root) {
  return readdirSync(join(root, "src"), { recursive: true })
    .map((name) => `src/${name}`)
    .filter((file) => file.endsWith(".ts") && !TEST_FILE.test(file))
    .flatMap((file) => breachesIn(file, join(root, file)));
}
