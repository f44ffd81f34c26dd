/** Reads `.lu` text: intents with utterances and patterns, entities of every kind, phrase lists, and what the file says of itself. */

import { errors } from "../errors.ts";
import type { AppJson, JsonChild, JsonFeature, JsonModel } from "./app-json.ts";
import { type App, emptyApp, entitiesOf, keyOf, same } from "./lu-app.ts";
import { InlineError, inlineOf, isPattern, patternOf } from "./lu-inline.ts";
import { LabelNames } from "./lu-labels.ts";
import { findOlderDefinition, type OlderDefinition } from "./lu-older.ts";
import { endOfQuestion, isQuestion, withoutFences } from "./lu-questions.ts";

const LINES_MAX = 400_000;

type Line = { readonly number: number; readonly indent: number; readonly text: string };
const refuse = ({ number }: Pick<Line, "number">, why: string) =>
  errors.badArgument(`Line ${number}: ${why}`);

/** The one with that name, made where there is none. */
function named<Model extends { name?: string | null }>(
  models: Model[],
  name: string,
  make: () => Model,
): Model {
  const found = models.find((model) => same(model.name, name));
  if (found) return found;
  const made = make();
  models.push(made);
  return made;
}

/** `> !# @app.name = Travel desk`. */
function readSaid(app: App, text: string): void {
  const said = text.slice(1).trim();
  const equals = said.indexOf("=");
  if (!said.startsWith("!#") || equals < 0) return;
  const path = said.slice(2, equals).trim();
  const dot = path.indexOf(".");
  if (!path.startsWith("@") || dot < 0) return;
  const group = path.slice(1, dot);
  const key = path.slice(dot + 1);
  const value = said.slice(equals + 1).trim();
  if (group === "app" && key.startsWith("settings."))
    app.settings.push({ name: key.slice(9), value: value.trim() });
  else if (group === "app" && key === "regex_features") app.regex_features.push(featureIn(value));
  else if (group === "app" && isWord(key)) app[key] = value.trim();
  else if (key === "inherits" && (group === "intent" || group === "entity")) readInherits(app, group, value);
}
const WORDS = ["name", "versionId", "desc", "culture", "tokenizerVersion", "luis_schema_version"] as const;
const isWord = (key: string): key is (typeof WORDS)[number] => (WORDS as readonly string[]).includes(key);
function featureIn(value: string): App["regex_features"][number] {
  try {
    const { name, pattern, activated } = JSON.parse(value);
    return { name: String(name), pattern: String(pattern), activated: activated !== false };
  } catch {
    throw errors.badArgument(`'${value}' is no regular-expression feature.`);
  }
}
function readInherits(app: App, group: "intent" | "entity", value: string): void {
  const parts = new Map(
    value.split(";").map((part) => {
      const colon = part.indexOf(":");
      return [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
    }),
  );
  const [name, domain, model] = ["name", "domain_name", "model_name"].map((part) => parts.get(part) ?? "");
  if (!name || !domain || !model) return;
  const models = group === "intent" ? app.intents : app.entities;
  named<JsonModel>(models, name, () => ({ name, roles: [], children: [], features: [] })).inherits = {
    domain_name: domain,
    model_name: model,
  };
}

/** A name, in quotes where it has blanks, and what follows it. */
function takeName(text: string): [name: string, rest: string] {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('"') || trimmed.startsWith("'")) {
    const quote = trimmed[0] ?? '"';
    for (let at = 1; at < trimmed.length; at += 1) {
      if (trimmed[at] === "\\") at += 1;
      else if (trimmed[at] === quote)
        return [trimmed.slice(1, at).replaceAll(/\\(.)/g, "$1"), trimmed.slice(at + 1).trimStart()];
    }
  }
  const end = trimmed.search(/[\s,=([*]/);
  return end < 0 ? [trimmed, ""] : [trimmed.slice(0, end), trimmed.slice(end).trimStart()];
}
/** Names with commas between them; answers what follows. */
function takeNames(text: string): [names: { name: string; isRequired: boolean }[], rest: string] {
  const names = [];
  let rest = text;
  for (;;) {
    const [name, after] = takeName(rest);
    if (name === "") return [names, rest];
    const isRequired = after.startsWith("*");
    names.push({ name, isRequired });
    rest = (isRequired ? after.slice(1) : after).trimStart();
    if (!rest.startsWith(",")) return [names, rest];
    rest = rest.slice(1);
  }
}

type Definition = {
  readonly name: string;
  readonly roles: string[];
  readonly features: JsonFeature[];
  readonly flags: ReadonlySet<string>;
  /** What stands behind the equals sign. */
  readonly value: string;
};
const FLAG = /^\(?(interchangeable|disabledForAllModels|enabledForAllModels|disabled)\)?[\s,]*/i;

function definitionOf(text: string): Definition {
  let [name, rest] = takeName(text);
  const roles: string[] = [];
  const features: JsonFeature[] = [];
  const flags = new Set<string>();
  while (rest !== "" && !rest.startsWith("=")) {
    const keyword = /^(hasRoles?|usesFeatures?)\s+/i.exec(rest);
    const flag = FLAG.exec(rest);
    if (keyword) {
      const [names, after] = takeNames(rest.slice(keyword[0].length));
      if (/^hasRole/i.test(keyword[0])) roles.push(...names.map((one) => one.name));
      else features.push(...names.map((one) => ({ featureName: one.name, isRequired: one.isRequired })));
      rest = after.trimStart();
    } else if (flag) {
      flags.add((flag[1] ?? "").toLowerCase());
      rest = rest.slice(flag[0].length).trimStart();
    } else if (rest.startsWith("(") || rest.startsWith(")")) rest = rest.slice(1).trimStart();
    else {
      const [names, after] = takeNames(rest);
      if (names.length === 0) break;
      roles.push(...names.map((one) => one.name));
      rest = after.trimStart();
    }
  }
  return { name, roles, features, flags, value: rest.replace(/^=\s*/, "").trim() };
}

const itemOf = (text: string): string | undefined => /^[-*+]\s?(.*)$/.exec(text)?.[1]?.trim();
const partsOf = (value: string): string[] =>
  takeNames(value.replace(/^\[/, "").replace(/\]\s*$/, ""))[0].map(({ name }) => name);

/** Children, by how far their lines are indented. */
function childrenOf(lines: readonly Line[]): JsonChild[] {
  const roots: JsonChild[] = [];
  const open: { indent: number; child: JsonChild }[] = [];
  for (const line of lines) {
    const item = itemOf(line.text);
    const inside = item?.startsWith("@") ? item.slice(1) : undefined;
    if (inside === undefined) throw refuse(line, "a child of an entity begins with '- @'.");
    const [type, rest] = takeName(inside);
    const { name, features } = definitionOf(rest);
    const child: JsonChild = {
      name,
      ...(!/^(ml|simple)$/i.test(type) && { instanceOf: type }),
      children: [],
      features,
    };
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= line.indent) open.pop();
    const parent = open.at(-1)?.child;
    if (parent) parent.children = [...(parent.children ?? []), child];
    else roots.push(child);
    open.push({ indent: line.indent, child });
  }
  return roots;
}

/** Synonyms that share a line have commas or semicolons between them; behind a backslash these are part of a word. */
const synonymsIn = (item: string): string[] =>
  item
    .split(/(?<!\\)[,;]/)
    .map((word) => word.replaceAll(/\\([,;])/g, "$1").trim())
    .filter(Boolean);
function subListsOf(lines: readonly Line[]): { canonicalForm: string; list: string[] }[] {
  const subLists: { canonicalForm: string; list: string[] }[] = [];
  for (const line of lines) {
    const item = itemOf(line.text);
    if (item === undefined) throw refuse(line, "a value of a list begins with '-'.");
    if (item.endsWith(":")) subLists.push({ canonicalForm: item.slice(0, -1).trim(), list: [] });
    else {
      const last = subLists.at(-1);
      if (last) last.list.push(...synonymsIn(item));
      else subLists.push({ canonicalForm: item, list: [] });
    }
  }
  return subLists;
}

const itemsOf = (lines: readonly Line[]): string[] =>
  lines.map((line) => {
    const item = itemOf(line.text);
    if (item === undefined) throw refuse(line, "an item begins with '-'.");
    return item;
  });

function readDefinition(app: App, head: Line, lines: readonly Line[]): void {
  const [type, rest] = takeName(head.text.slice(1));
  const definition = definitionOf(rest);
  const { name, roles, features, flags, value } = definition;
  if (name === "" && type !== "") throw refuse(head, "an entity needs a type and a name.");
  switch (type.toLowerCase()) {
    case "intent":
      addFeatures(intentOf(app, name), features);
      return;
    case "ml":
    case "simple": {
      const entity = named<JsonModel>(app.entities, name, () => ({
        name,
        children: [],
        roles: [],
        features: [],
      }));
      entity.roles = [...(entity.roles ?? []), ...roles];
      entity.children = [...(entity.children ?? []), ...childrenOf(lines)];
      addFeatures(entity, features);
      return;
    }
    case "hierarchical":
    case "composite":
      app[type.toLowerCase() === "composite" ? "composites" : "hierarchicals"].push({
        name,
        roles,
        children: partsOf(value).map((part) => ({ name: part })),
      });
      return;
    case "prebuilt":
      app.prebuiltEntities.push({ name, roles });
      return;
    case "list":
      app.closedLists.push({ name, roles, subLists: subListsOf(lines) });
      return;
    case "regex":
      app.regex_entities.push({ name, roles, regexPattern: /^\/(.*)\/$/.exec(value)?.[1] ?? value });
      return;
    case "patternany":
      app.patternAnyEntities.push({ name, roles, explicitList: itemsOf(lines) });
      return;
    case "phraselist":
      app.phraselists.push({
        name,
        mode: flags.has("interchangeable"),
        words: [value, ...itemsOf(lines)].filter(Boolean).join(","),
        activated: !flags.has("disabled"),
        enabledForAllModels: !flags.has("disabledforallmodels"),
      });
      return;
    default:
      readAddition(app, head, type, rest);
  }
}

const addFeatures = (model: JsonModel, features: readonly JsonFeature[]): void => {
  model.features = [...(model.features ?? []), ...features];
};
const intentOf = (app: App, name: string): JsonModel =>
  named<JsonModel>(app.intents, name, () => ({ name, features: [] }));

/** `@ City hasRoles from`: more about what is declared elsewhere in the file. */
function readAddition(app: App, head: Line, name: string, rest: string): void {
  const { roles, features } = definitionOf(`"${name}" ${rest}`);
  const entity = entitiesOf(app).find((one) => same(one.name, name));
  const model: JsonModel | undefined = entity ?? app.intents.find((one) => same(one.name, name));
  if (!model) throw refuse(head, `there is no kind of entity '${name}'.`);
  if (roles.length > 0) model.roles = [...(model.roles ?? []), ...roles];
  if (features.length > 0) addFeatures(model, features);
}

/** A definition in the older notation. */
function readOlder(app: App, head: Line, lines: readonly Line[]): void {
  const found = findOlderDefinition(head.text.slice(1));
  if (!found) throw refuse(head, "an entity needs a name and, behind a colon, a type.");
  if (found.kind === "other") return;
  const { name } = found;
  if (found.kind === "phraselist") {
    const list = named(app.model_features, name, () => ({
      name,
      mode: found.isExchangeable,
      words: "",
      activated: true,
    }));
    list.words = [list.words, ...itemsOf(lines)].filter(Boolean).join(",");
    return;
  }
  const model = olderModelOf(app, found, lines);
  model.roles = [...new Set([...(model.roles ?? []), ...found.roles])];
}
function olderModelOf(
  app: App,
  found: Exclude<OlderDefinition, { kind: "other" | "phraselist" }>,
  lines: readonly Line[],
): { roles?: string[] | null } {
  const { name } = found;
  if (found.kind === "prebuilt") return named(app.prebuiltEntities, name, () => ({ name, roles: [] }));
  if (found.kind === "simple")
    return named<JsonModel>(app.entities, name, () => ({ name, children: [], roles: [], features: [] }));
  if (found.kind === "composite")
    return named<JsonModel>(app.composites, name, () => ({
      name,
      children: found.parts.map((part) => ({ name: part })),
    }));
  if (found.kind === "regex")
    return named(app.regex_entities, name, () => ({ name, roles: [], regexPattern: found.pattern }));
  const list = named<App["closedLists"][number]>(app.closedLists, name, () => ({
    name,
    roles: [],
    subLists: [],
  }));
  const synonyms = itemsOf(lines).flatMap(synonymsIn);
  list.subLists = [...(list.subLists ?? []), { canonicalForm: found.value, list: synonyms }];
  return list;
}

const REFERENCE = /^\[[^\]]*\](?:\([^)]*\)|:\s*\S+)$/;

function readUtterance(app: App, intent: string | undefined, line: Line): void {
  if (REFERENCE.test(itemOf(line.text) ?? line.text))
    throw refuse(
      line,
      "this refers to another file, which cannot be followed here: only `medley language` can.",
    );
  if (intent === undefined) throw refuse(line, "this belongs to no intent.");
  const item = itemOf(line.text);
  if (item === undefined) throw refuse(line, "an utterance begins with '-'.");
  if (item === "") return;
  if (isPattern(item)) {
    app.patterns.push({ pattern: patternOf(item), intent });
    return;
  }
  try {
    const { text, labels } = inlineOf(item);
    app.utterances.push({ text, intent, entities: [...labels] });
  } catch (error) {
    if (error instanceof InlineError) throw refuse(line, `${error.message}.`);
    throw error;
  }
}

/** Lines that belong to what stands above them: indented, or items of a list. */
function bodyOf(lines: readonly Line[], from: number): readonly Line[] {
  let end = from;
  while (end < lines.length && itemOf(lines[end]?.text ?? "") !== undefined) end += 1;
  return lines.slice(from, end);
}

/** With sections, what stands below an intent's heading is of that intent. */
function readContents(app: App, lines: readonly Line[], hasSections: boolean): void {
  let intent: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as Line;
    const isSection = hasSections && intent !== undefined && line.text.startsWith("##");
    if (isSection) continue;
    if (isQuestion(line)) at = endOfQuestion(lines, at);
    else if (line.text.startsWith("#")) intent = readHeading(app, line);
    else if (/^[$@]/.test(line.text)) {
      at += readDefined(app, lines, at);
      if (!hasSections) intent = undefined;
    } else readUtterance(app, intent, line);
  }
}
function readHeading(app: App, { text }: Line): string {
  const name = text.replace(/^#+\s*/, "").trim();
  intentOf(app, name);
  return name;
}
/** Answers how many lines belong to the definition. */
function readDefined(app: App, lines: readonly Line[], at: number): number {
  const head = lines[at] as Line;
  const body = bodyOf(lines, at + 1);
  if (head.text.startsWith("$")) readOlder(app, head, body);
  else readDefinition(app, head, body);
  return body.length;
}

/** A text is an example of one intent: of the first that has it. */
function firstOfIntents(utterances: App["utterances"]): App["utterances"] {
  const intents = new Map<string, string>();
  return utterances.filter(({ text, intent }) => {
    const first = intents.get(text?.trim() ?? "") ?? keyOf(intent);
    intents.set(text?.trim() ?? "", first);
    return first === keyOf(intent);
  });
}

export function appFromLu(source: string): AppJson {
  const app = emptyApp();
  const raw = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (raw.length > LINES_MAX) throw errors.badArgument(`A file has ${LINES_MAX} lines at the most.`);
  const lines = raw
    .map(
      (text, at): Line => ({
        number: at + 1,
        indent: text.length - text.trimStart().length,
        text: text.trim(),
      }),
    )
    .filter(({ text }) => text !== "");
  const isSaid = ({ text }: Line): boolean => text.startsWith(">");
  readContents(
    app,
    withoutFences(lines).filter((line) => !isSaid(line)),
    lines.some(({ text }) => /^>\s*!#\s*@enableSections\s*=\s*true/i.test(text)),
  );
  app.utterances = firstOfIntents(app.utterances);
  for (const { text } of lines.filter(isSaid)) readSaid(app, text);
  const names = new LabelNames(app);
  for (const { entities } of app.utterances) names.learnLabelled(entities ?? []);
  for (const utterance of app.utterances) utterance.entities = names.settled(utterance.entities ?? []);
  for (const { pattern } of app.patterns) names.settlePattern(pattern ?? "");
  return app;
}
