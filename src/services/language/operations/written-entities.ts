/** Entities without training: regular expressions, Pattern.Any and prebuilt ones. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import type { PatternAnyEntity } from "../domain/content.ts";
import {
  checkLength,
  checkName,
  checkRoom,
  EXPLICIT_LIST_MAX,
  keyOf,
  PATTERN_ANY_ENTITIES_MAX,
  REGEX_ENTITIES_MAX,
  REGEX_LENGTH_MAX,
  WORD_LENGTH_MAX,
} from "../domain/limits.ts";
import { wordsOfPrebuilt } from "../domain/prebuilt-words.ts";
import { errors } from "../errors.ts";
import { checkRegex, prebuiltNames } from "../learning/index.ts";
import type { LanguageContext } from "../state.ts";
import {
  ExplicitItem,
  modelShown,
  NewExplicitItem,
  NewPatternAny,
  NewRegex,
  PrebuiltAvailable,
  PrebuiltView,
} from "../wire/models.ts";
import { Count, Guid, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { addModel, getModel, renameEntity, replaceModel } from "./changes.ts";
import {
  called,
  type Editing,
  edit,
  getContentPlace,
  getPlace,
  operation,
  type VersionPath,
} from "./lookup.ts";

const P = "/apps/{appId}/versions/{versionId}";
const params = versionParams({ entityId: Guid });
const itemParams = versionParams({ entityId: Guid, itemId: Count });

function checkedRegex(pattern: string | null | undefined): string {
  if (!pattern) throw errors.badArgument("The regular expression must be given.");
  checkLength("regular expression", pattern, REGEX_LENGTH_MAX);
  const reason = checkRegex(pattern);
  if (reason !== undefined) throw errors.badArgument(`The regular expression is not supported: ${reason}`);
  return pattern;
}

const addRegex = operation({
  ...called("entities", "CreateRegexEntityModel"),
  summary: "Adds a regular-expression entity to a version",
  description: `Expressions with more than ${REGEX_LENGTH_MAX} characters, or with constructs that can take very long, are refused. A version may have ${REGEX_ENTITIES_MAX} such entities.`,
  method: "POST",
  path: `${P}/regexentities`,
  params: VersionParams,
  body: NewRegex,
  answers: { 201: Guid },
  examples: { body: { name: "Ticket", regexPattern: "[A-Z]{3}-[0-9]{4}" } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const entity = {
        kind: "regex",
        id: context.ids.uuid(),
        name: checkName("entity", body.name),
        roles: [],
        pattern: checkedRegex(body.regexPattern),
      } as const;
      const room = {
        what: "regular-expression entities",
        kinds: ["regex"],
        most: REGEX_ENTITIES_MAX,
      } as const;
      return answer(201, await addModel(editing, entity, room));
    }),
});

const updateRegex = operation({
  ...called("entities", "UpdateRegexEntityModel"),
  summary: "Changes the name or the expression of a regular-expression entity",
  description: "Members that are not given stay. Labels and patterns follow a new name.",
  method: "PUT",
  path: `${P}/regexentities/{entityId}`,
  params,
  body: NewRegex,
  answers: { 200: Status },
  examples: { body: { name: "Ticket", regexPattern: "[A-Z]{3}-[0-9]{5}" } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "regex", named.entityId);
      const pattern = body.regexPattern ? checkedRegex(body.regexPattern) : stored.model.pattern;
      const name = body.name ? await renameEntity(editing, stored, body.name) : stored.model.name;
      await replaceModel(editing, stored, { ...stored.model, name, pattern });
      return SUCCESS;
    }),
});

function newItems(
  editing: Editing,
  texts: readonly string[],
  before: PatternAnyEntity["explicitList"],
): PatternAnyEntity["explicitList"] {
  checkRoom("items of an explicit list", before.length + texts.length, EXPLICIT_LIST_MAX);
  return texts.map((text) => ({ id: editing.nextNumber(), text: checkedItem(text) }));
}
function checkedItem(text: string | undefined): string {
  const given = (text ?? "").trim();
  if (given === "") throw errors.badArgument("The item of the explicit list must be given.");
  checkLength("item of the explicit list", given, WORD_LENGTH_MAX);
  return given;
}

const addPatternAny = operation({
  ...called("entities", "CreatePatternAnyEntityModel"),
  summary: "Adds a Pattern.Any entity to a version",
  description: `It stands for any text in a pattern; the explicit list has texts that must stay whole. A version may have ${PATTERN_ANY_ENTITIES_MAX} such entities, each with ${EXPLICIT_LIST_MAX} items.`,
  method: "POST",
  path: `${P}/patternanyentities`,
  params: VersionParams,
  body: NewPatternAny,
  answers: { 201: Guid },
  examples: { body: { name: "BookTitle", explicitList: ["The Man Who Mistook His Wife for a Hat"] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const entity = {
        kind: "pattern-any",
        id: context.ids.uuid(),
        name: checkName("entity", body.name),
        roles: [],
        explicitList: newItems(editing, body.explicitList ?? [], []),
      } as const;
      const room = {
        what: "Pattern.Any entities",
        kinds: ["pattern-any"],
        most: PATTERN_ANY_ENTITIES_MAX,
      } as const;
      return answer(201, await addModel(editing, entity, room));
    }),
});

const updatePatternAny = operation({
  ...called("entities", "UpdatePatternAnyEntityModel"),
  summary: "Changes the name or replaces the explicit list of a Pattern.Any entity",
  description: "Members that are not given stay. Patterns follow a new name.",
  method: "PUT",
  path: `${P}/patternanyentities/{entityId}`,
  params,
  body: NewPatternAny,
  answers: { 200: Status },
  examples: { body: { name: "BookTitle", explicitList: [] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "pattern-any", named.entityId);
      const explicitList = body.explicitList
        ? newItems(editing, body.explicitList, [])
        : stored.model.explicitList;
      const name = body.name ? await renameEntity(editing, stored, body.name) : stored.model.name;
      await replaceModel(editing, stored, { ...stored.model, name, explicitList });
      return SUCCESS;
    }),
});

type EntityPath = VersionPath & { readonly entityId: string };
const getPatternAny = async (context: LanguageContext, path: EntityPath) =>
  getModel(context, await getContentPlace(context, path), "pattern-any", path.entityId);

const ITEMS = `${P}/patternanyentities/{entityId}/explicitlist`;
function getItem(explicitList: PatternAnyEntity["explicitList"], id: number) {
  const item = explicitList.find((one) => one.id === id);
  if (!item) throw errors.badArgument(`The explicit list has no item with the ID ${id}.`);
  return item;
}
const itemShown = ({ id, text }: PatternAnyEntity["explicitList"][number]) => ({
  id,
  explicitListItem: text,
});

const listItems = operation({
  ...called("entities", "GetExplicitList"),
  summary: "Lists the explicit list of a Pattern.Any entity",
  description: "All items, without pages.",
  method: "GET",
  path: ITEMS,
  params,
  answers: { 200: Type.Array(ExplicitItem) },
  async handle({ params: named }, context) {
    const { model } = await getPatternAny(context, named);
    return model.explicitList.map(itemShown);
  },
});
const addItem = operation({
  ...called("entities", "AddExplicitListItem"),
  summary: "Adds an item to the explicit list of a Pattern.Any entity",
  description: `At most ${EXPLICIT_LIST_MAX} items. The response is the id of the item.`,
  method: "POST",
  path: ITEMS,
  params,
  body: NewExplicitItem,
  answers: { 201: Count },
  examples: { body: { explicitListItem: "Far from the Madding Crowd" } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "pattern-any", named.entityId);
      const { explicitList } = stored.model;
      const added = newItems(editing, [body.explicitListItem ?? ""], explicitList);
      await replaceModel(editing, stored, { ...stored.model, explicitList: [...explicitList, ...added] });
      return answer(201, added[0]?.id ?? 0);
    }),
});
const readItem = operation({
  ...called("entities", "GetExplicitListItem"),
  summary: "Returns an item of an explicit list",
  description: "Ids come from `language.entities.getExplicitList`.",
  method: "GET",
  path: `${ITEMS}/{itemId}`,
  params: itemParams,
  answers: { 200: ExplicitItem },
  async handle({ params: named }, context) {
    const { model } = await getPatternAny(context, named);
    return itemShown(getItem(model.explicitList, named.itemId));
  },
});
const updateItem = operation({
  ...called("entities", "UpdateExplicitListItem"),
  summary: "Replaces an item of an explicit list",
  description: "The id stays.",
  method: "PUT",
  path: `${ITEMS}/{itemId}`,
  params: itemParams,
  body: NewExplicitItem,
  answers: { 200: Status },
  examples: { body: { explicitListItem: "Under Milk Wood" } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "pattern-any", named.entityId);
      const item = getItem(stored.model.explicitList, named.itemId);
      const text = checkedItem(body.explicitListItem);
      const explicitList = stored.model.explicitList.map((one) => (one === item ? { ...one, text } : one));
      await replaceModel(editing, stored, { ...stored.model, explicitList });
      return SUCCESS;
    }),
});
const deleteItem = operation({
  ...called("entities", "DeleteExplicitListItem"),
  summary: "Deletes an item of an explicit list",
  description: "Patterns that use the entity stay.",
  method: "DELETE",
  path: `${ITEMS}/{itemId}`,
  params: itemParams,
  answers: { 200: Status },
  handle: ({ params: named }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "pattern-any", named.entityId);
      const gone = getItem(stored.model.explicitList, named.itemId);
      const explicitList = stored.model.explicitList.filter((one) => one !== gone);
      await replaceModel(editing, stored, { ...stored.model, explicitList });
      return SUCCESS;
    }),
});

const listAvailable = operation({
  ...called("entities", "ListPrebuiltEntities"),
  summary: "Lists the prebuilt entities of the application's culture",
  description: "Add them with `language.entities.addPrebuilt`.",
  method: "GET",
  path: `${P}/listprebuilts`,
  params: VersionParams,
  answers: { 200: Type.Array(PrebuiltAvailable) },
  async handle({ params: named }, context) {
    const { application } = await getPlace(context, named);
    return prebuiltNames(application.culture).map((name) => ({ name, ...wordsOfPrebuilt(name) }));
  },
});
const addPrebuilts = operation({
  ...called("entities", "AddPrebuilt"),
  summary: "Adds prebuilt entities by name",
  description: `All or nothing: an unknown or existing name is refused. They need no training examples.`,
  method: "POST",
  path: `${P}/prebuilts`,
  params: VersionParams,
  body: Type.Array(
    Type.String({ maxLength: 1000, description: "The name of a prebuilt entity.", examples: ["number"] }),
    {
      maxItems: 100,
      description: "The names of prebuilt entities.",
    },
  ),
  answers: { 201: Type.Array(PrebuiltView) },
  examples: { body: ["number", "datetimeV2"] },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const { culture } = editing.application;
      const added = [];
      for (const wanted of body) {
        const known = prebuiltNames(culture).find((name) => keyOf(name) === keyOf(wanted));
        if (!known)
          throw errors.badArgument(`There is no prebuilt entity ${wanted} for the culture ${culture}.`);
        const entity = { kind: "prebuilt", id: context.ids.uuid(), name: known, roles: [] } as const;
        await addModel(editing, entity);
        added.push({ ...modelShown(entity), roles: [] });
      }
      return answer(201, added);
    }),
});

export const writtenEntityOperations = [
  addRegex,
  updateRegex,
  addPatternAny,
  updatePatternAny,
  listItems,
  addItem,
  readItem,
  updateItem,
  deleteItem,
  listAvailable,
  addPrebuilts,
];
