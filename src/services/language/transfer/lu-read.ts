/**
 * Parses `.lu` text: intents with utterances and patterns, entities of every kind, phrase lists, and
 * metadata.
 */

import * as limits from "../domain/limits.ts";
import { checkLength, checkRoom } from "../domain/limits.ts";
import { PREBUILTS_OF_THE_MAKER } from "../domain/prebuilt-names.ts";
import { errors } from "../errors.ts";
import type { AppJson, JsonChild, JsonFeature, JsonModel } from "./app-json.ts";
import {
  type App,
  addKeyed,
  emptyApp,
  findKeyed,
  findNamed,
  keyOf,
  type Named,
  named,
  same,
  withMore,
} from "./lu-app.ts";
import { type Definition, definitionOf, takeName, takeNames } from "./lu-definition.ts";
import { InlineError, inlineOf, isPattern, patternOf } from "./lu-inline.ts";
import { LabelNames, learnLabelled } from "./lu-labels.ts";
import { findOlderDefinition, type OlderDefinition } from "./lu-older.ts";
import { endOfQuestion, isQuestion, withoutFences } from "./lu-questions.ts";
import { isReference, withTargets } from "./lu-references.ts";
import { readSaid } from "./lu-said.ts";

const LINES_MAX = 400_000;

type Line = { readonly number: number; readonly indent: number; readonly text: string };
const refuse = ({ number }: Pick<Line, "number">, why: string) =>
  errors.badArgument(`Line ${number}: ${why}`);

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
    if (open.length >= limits.LEVELS_MAX - 1)
      throw errors.badArgument(`Entities are nested to ${limits.LEVELS_MAX} levels at the most.`);
    (open.at(-1)?.child.children ?? roots).push(child);
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
type SubList = { canonicalForm?: string | null; list?: string[] | null };
/** Adds the values below a list; a value that is there already gets more synonyms. */
function addSubLists(subLists: SubList[], lines: readonly Line[]): void {
  let last: SubList | undefined;
  for (const item of itemsOf(lines)) {
    if (last && !item.endsWith(":")) last.list = withMore(last.list, synonymsIn(item));
    else {
      const canonicalForm = item.replace(/:$/, "").trim();
      last =
        findKeyed(subLists, canonicalForm) ?? addKeyed(subLists, canonicalForm, { canonicalForm, list: [] });
    }
  }
}

const itemsOf = (lines: readonly Line[]): string[] =>
  lines.map((line) => {
    const item = itemOf(line.text);
    if (item === undefined) throw refuse(line, "an item begins with '-'.");
    return item;
  });

function readDefinition(app: App, head: Line, lines: readonly Line[]): void {
  const [type, rest] = takeName(head.text.slice(1));
  const kind = type.toLowerCase();
  if (isKind(kind)) {
    const definition = definitionOf(rest);
    if (definition.name === "") throw refuse(head, "an entity needs a type and a name.");
    add(app, kind, definition, lines);
  } else addMore(app, head, definitionOf(`"${type}" ${rest}`), lines);
}
/** `@ City hasRoles from`: an addition to an earlier definition, or to an undeclared prebuilt entity. */
function addMore(app: App, head: Line, definition: Definition, lines: readonly Line[]): void {
  const { name } = definition;
  const kind =
    ADDED_TO.find(([, key]) => findNamed<Named>(app[key], name))?.[0] ??
    (PREBUILTS_OF_THE_MAKER.some((one) => same(one, name)) ? "prebuilt" : undefined) ??
    (findNamed(app.intents, name) ? "intent" : undefined);
  if (!kind) throw refuse(head, `there is no kind of entity '${name}'.`);
  add(app, kind, definition, lines);
}
const ADDED_TO = [
  ["ml", "entities"],
  ["hierarchical", "hierarchicals"],
  ["composite", "composites"],
  ["list", "closedLists"],
  ["regex", "regex_entities"],
  ["patternany", "patternAnyEntities"],
  ["prebuilt", "prebuiltEntities"],
  ["phraselist", "phraselists"],
] as const;
type Kind = (typeof ADDED_TO)[number][0] | "intent" | "simple";
const isKind = (kind: string): kind is Kind =>
  kind === "intent" || kind === "simple" || ADDED_TO.some(([one]) => one === kind);

/** Repeated declarations of a name are merged. */
function add(app: App, kind: Kind, definition: Definition, lines: readonly Line[]): void {
  const { name, roles, features, value } = definition;
  if (kind === "intent") addFeatures(intentOf(app, name), features);
  else if (kind === "phraselist") addPhrases(app, definition, lines);
  else {
    const model = modelOf(app, kind, name, value, lines);
    addRoles(model, roles);
    addFeatures(model, kind === "ml" || kind === "simple" ? features : []);
  }
}
function modelOf(
  app: App,
  kind: Exclude<Kind, "intent" | "phraselist">,
  name: string,
  value: string,
  lines: readonly Line[],
): JsonModel {
  switch (kind) {
    case "hierarchical":
    case "composite": {
      const model = named<JsonModel>(app[`${kind}s`], name, () => ({ name, children: [] }));
      model.children = withMore<JsonChild | string>(
        model.children,
        partsOf(value).map((part) => ({ name: part })),
      );
      return model;
    }
    case "prebuilt":
      return named(app.prebuiltEntities, name, () => ({ name, roles: [] }));
    case "list": {
      const list = named<App["closedLists"][number]>(app.closedLists, name, () => ({ name }));
      list.subLists ??= [];
      addSubLists(list.subLists, lines);
      return list;
    }
    case "regex": {
      const regex = named<App["regex_entities"][number]>(app.regex_entities, name, () => ({ name }));
      regex.regexPattern = (/^\/(.*)\/$/.exec(value)?.[1] ?? value) || regex.regexPattern || "";
      return regex;
    }
    case "patternany": {
      const any = named<App["patternAnyEntities"][number]>(app.patternAnyEntities, name, () => ({ name }));
      any.explicitList = withMore(any.explicitList, itemsOf(lines));
      return any;
    }
    default: {
      const entity = named<JsonModel>(app.entities, name, () => ({ name }));
      entity.children = withMore<JsonChild | string>(entity.children, childrenOf(lines));
      return entity;
    }
  }
}
function addPhrases(app: App, { name, flags, value }: Definition, lines: readonly Line[]): void {
  const list = named<App["phraselists"][number]>(app.phraselists, name, () => ({ name }));
  list.mode = (list.mode ?? false) || flags.has("interchangeable");
  addWords(list, [value, ...itemsOf(lines)]);
  list.activated = (list.activated ?? true) && !flags.has("disabled");
  list.enabledForAllModels = (list.enabledForAllModels ?? true) && !flags.has("disabledforallmodels");
}

function addWords(list: App["phraselists"][number], words: readonly string[]): void {
  const more = words.filter(Boolean).join(",");
  if (list.words && more) list.words += `,${more}`;
  else list.words ||= more;
}
function addRoles(model: { roles?: string[] | null }, roles: readonly string[]): void {
  model.roles = [...new Set([...(model.roles ?? []), ...roles])];
  checkRoom("roles of an entity", model.roles.length, limits.ROLES_PER_ENTITY_MAX);
}
const addFeatures = (model: JsonModel, features: readonly JsonFeature[]): void => {
  if (features.length > 0) model.features = withMore(model.features, features);
};
const intentOf = (app: App, name: string): JsonModel =>
  named<JsonModel>(app.intents, name, () => ({ name, features: [] }));

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
    addWords(list, itemsOf(lines));
    return;
  }
  const model = olderModelOf(app, found, lines);
  addRoles(model, found.roles);
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
  list.subLists ??= [];
  addKeyed<SubList>(list.subLists, found.value, { canonicalForm: found.value, list: synonyms });
  return list;
}

function readUtterance(app: App, intent: string | undefined, line: Line): void {
  if (intent === undefined) throw refuse(line, "this belongs to no intent.");
  const item = itemOf(line.text);
  if (item === undefined) throw refuse(line, "an utterance begins with '-'.");
  if (item === "") return;
  intentOf(app, intent);
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

/** Lines that belong to the line above: indented lines, or list items. */
function bodyOf(lines: readonly Line[], from: number): readonly Line[] {
  let end = from;
  while (end < lines.length && itemOf(lines[end]?.text ?? "") !== undefined) end += 1;
  return lines.slice(from, end);
}

/**
 * With sections, the content below an intent's heading belongs to that intent, or to an intent named after
 * both.
 */
type Sections = "none" | "merged" | "apart";
type Place = { readonly above: string | undefined; readonly intent: string | undefined };

function placeBelow(app: App, line: Line, next: Line | undefined, sections: Sections, before: Place): Place {
  const { above } = before;
  if (sections !== "none" && above !== undefined && line.text.startsWith("##"))
    return { above, intent: sections === "merged" ? above : `${above}.${headingOf(line)}` };
  const intent = headingOf(line);
  checkLength("name of the intent", intent, limits.NAME_LENGTH_MAX);
  // An intent that has only sections is not one itself.
  if (sections !== "apart" || !next?.text.startsWith("##")) intentOf(app, intent);
  return { above: intent, intent };
}
/** Answers the lines that refer to other files, which are left out. */
function readContents(app: App, lines: readonly Line[], sections: Sections): Line[] {
  const references: Line[] = [];
  let place: Place = { above: undefined, intent: undefined };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as Line;
    if (isQuestion(line)) at = endOfQuestion(lines, at);
    else if (line.text.startsWith("#")) place = placeBelow(app, line, lines[at + 1], sections, place);
    else if (/^[$@]/.test(line.text)) {
      at += readDefined(app, lines, at);
      if (sections === "none") place = { above: undefined, intent: undefined };
    } else if (isReference(itemOf(line.text) ?? line.text)) references.push(line);
    else readUtterance(app, place.intent, line);
  }
  return references;
}
const headingOf = ({ text }: Line): string => text.replace(/^#+\s*/, "").trim();
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

function sectionsOf(lines: readonly Line[]): Sections {
  const says = (what: RegExp): boolean => lines.some(({ text }) => what.test(text));
  if (!says(/^>\s*!#\s*@enableSections\s*=\s*true/i)) return "none";
  return says(/^>\s*!#\s*@enableMergeIntents\s*=\s*false/i) ? "apart" : "merged";
}

export type ReadLu = {
  readonly app: AppJson;
  /** Lines, by their numbers, that refer to other files, which cannot be followed here. */
  readonly leftOut: readonly number[];
};
export function readLu(source: string): ReadLu {
  const app = emptyApp();
  const raw = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (raw.length > LINES_MAX) throw errors.badArgument(`A file has ${LINES_MAX} lines at the most.`);
  const lines = withTargets(raw, { isLeftOut: true })
    .map(
      (text, at): Line => ({
        number: at + 1,
        indent: text.length - text.trimStart().length,
        text: text.trim(),
      }),
    )
    .filter(({ text }) => text !== "");
  const isSaid = ({ text }: Line): boolean => text.startsWith(">");
  const references = readContents(
    app,
    withoutFences(lines).filter((line) => !isSaid(line)),
    sectionsOf(lines),
  );
  app.utterances = firstOfIntents(app.utterances);
  for (const { text } of lines.filter(isSaid)) readSaid(app, text);
  learnLabelled(app);
  const names = new LabelNames(app);
  for (const utterance of app.utterances) utterance.entities = names.settled(utterance.entities ?? []);
  for (const { pattern } of app.patterns) names.settlePattern(pattern ?? "");
  return { app, leftOut: references.map(({ number }) => number) };
}
export const appFromLu = (source: string): AppJson => readLu(source).app;
