/** List entities and their sub-lists. */
import { answer } from "#kernel/operation";
import type { SubList } from "../domain/content.ts";
import {
  checkLength,
  checkName,
  checkRoom,
  LIST_ENTITIES_MAX,
  SUB_LISTS_MAX,
  WORD_LENGTH_MAX,
} from "../domain/limits.ts";
import { errors } from "../errors.ts";
import { ListPatch, NewList, WordList } from "../wire/models.ts";
import { Count, Guid, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { addModel, getModel, renameEntity, replaceModel } from "./changes.ts";
import { called, type Editing, edit, operation } from "./lookup.ts";

const PATH = "/apps/{appId}/versions/{versionId}/closedlists";
const params = versionParams({ entityId: Guid });
const subListParams = versionParams({ entityId: Guid, subListId: Count });

type GivenList = { readonly canonicalForm?: string | null; readonly list?: readonly string[] };
function wordsOf({ canonicalForm, list = [] }: GivenList): Omit<SubList, "id"> {
  const form = (canonicalForm ?? "").trim();
  if (form === "") throw errors.badArgument("The canonical form of a sub-list must be given.");
  for (const word of [form, ...list]) checkLength("value of a list", word, WORD_LENGTH_MAX);
  return { canonicalForm: form, synonyms: [...new Set(list.map((word) => word.trim()).filter(Boolean))] };
}
function newSubLists(editing: Editing, given: readonly GivenList[], before: readonly SubList[]): SubList[] {
  checkRoom("sub-lists of a list entity", before.length + given.length, SUB_LISTS_MAX);
  const forms = new Set(before.map(({ canonicalForm }) => canonicalForm));
  return given.map((one) => {
    const words = wordsOf(one);
    if (forms.has(words.canonicalForm))
      throw errors.badArgument(`The list has the canonical form ${words.canonicalForm} already.`);
    forms.add(words.canonicalForm);
    return { id: editing.nextNumber(), ...words };
  });
}
function getSubList(subLists: readonly SubList[], id: number): SubList {
  const found = subLists.find((one) => one.id === id);
  if (!found) throw errors.badArgument(`The list has no sub-list with the ID ${id}.`);
  return found;
}

const addList = operation({
  ...called("lists", "AddClosedList"),
  summary: "Adds a list entity to a version",
  description: `Values are matched exactly, without training examples. A version may have ${LIST_ENTITIES_MAX} list entities with ${SUB_LISTS_MAX} sub-lists each.`,
  method: "POST",
  path: PATH,
  params: VersionParams,
  body: NewList,
  bodyBytesMax: 8_000_000,
  bodyPartsMax: 200_000,
  answers: { 201: Guid },
  examples: { body: { name: "City", subLists: [{ canonicalForm: "Lisbon", list: ["Lisboa", "LIS"] }] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const list = {
        kind: "list",
        id: context.ids.uuid(),
        name: checkName("entity", body.name),
        roles: [],
        subLists: newSubLists(editing, body.subLists ?? [], []),
      } as const;
      const room = { what: "list entities", kinds: ["list"], most: LIST_ENTITIES_MAX } as const;
      return answer(201, await addModel(editing, list, room));
    }),
});

const updateList = operation({
  ...called("lists", "UpdateClosedList"),
  summary: "Changes the name and replaces the sub-lists of a list entity",
  description:
    "Without `subLists` they stay; otherwise all get new ids. Labels and patterns follow a new name.",
  method: "PUT",
  path: `${PATH}/{entityId}`,
  params,
  body: NewList,
  bodyBytesMax: 8_000_000,
  bodyPartsMax: 200_000,
  answers: { 200: Status },
  examples: { body: { name: "City", subLists: [{ canonicalForm: "Porto", list: ["Oporto"] }] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "list", named.entityId);
      const name = body.name ? await renameEntity(editing, stored, body.name) : stored.model.name;
      const subLists = body.subLists ? newSubLists(editing, body.subLists, []) : stored.model.subLists;
      await replaceModel(editing, stored, { ...stored.model, name, subLists });
      return SUCCESS;
    }),
});

const patchList = operation({
  ...called("lists", "PatchClosedList"),
  summary: "Adds sub-lists to a list entity",
  description: `All or nothing: a canonical form that exists is refused. At most ${SUB_LISTS_MAX} sub-lists.`,
  method: "PATCH",
  path: `${PATH}/{entityId}`,
  params,
  body: ListPatch,
  bodyBytesMax: 8_000_000,
  bodyPartsMax: 200_000,
  answers: { 200: Status },
  examples: { body: { subLists: [{ canonicalForm: "Faro", list: ["FAO"] }] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "list", named.entityId);
      const { subLists } = stored.model;
      const added = newSubLists(editing, body.subLists ?? [], subLists);
      await replaceModel(editing, stored, { ...stored.model, subLists: [...subLists, ...added] });
      return SUCCESS;
    }),
});

const addSubList = operation({
  ...called("lists", "AddSubList"),
  summary: "Adds a sub-list to a list entity",
  description: `The canonical form must be new in the list. At most ${SUB_LISTS_MAX} sub-lists.`,
  method: "POST",
  path: `${PATH}/{entityId}/sublists`,
  params,
  body: WordList,
  answers: { 201: Count },
  examples: { body: { canonicalForm: "Porto", list: ["Oporto", "OPO"] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "list", named.entityId);
      const { subLists } = stored.model;
      const added = newSubLists(editing, [body], subLists);
      await replaceModel(editing, stored, { ...stored.model, subLists: [...subLists, ...added] });
      return answer(201, added[0]?.id ?? 0);
    }),
});

const updateSubList = operation({
  ...called("lists", "UpdateSubList"),
  summary: "Replaces a sub-list of a list entity",
  description: "Replaces the canonical form and all synonyms; the id stays.",
  method: "PUT",
  path: `${PATH}/{entityId}/sublists/{subListId}`,
  params: subListParams,
  body: WordList,
  answers: { 200: Status },
  examples: { body: { canonicalForm: "Porto", list: ["Oporto"] } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "list", named.entityId);
      const before = getSubList(stored.model.subLists, named.subListId);
      const words = wordsOf({
        canonicalForm: body.canonicalForm ?? before.canonicalForm,
        list: body.list ?? before.synonyms,
      });
      const others = stored.model.subLists.filter((one) => one !== before);
      if (others.some(({ canonicalForm }) => canonicalForm === words.canonicalForm))
        throw errors.badArgument(`The list has the canonical form ${words.canonicalForm} already.`);
      const subLists = stored.model.subLists.map((one) => (one === before ? { ...one, ...words } : one));
      await replaceModel(editing, stored, { ...stored.model, subLists });
      return SUCCESS;
    }),
});

const deleteSubList = operation({
  ...called("lists", "DeleteSubList"),
  summary: "Deletes a sub-list of a list entity",
  description: "Its values are no longer found after the next training.",
  method: "DELETE",
  path: `${PATH}/{entityId}/sublists/{subListId}`,
  params: subListParams,
  answers: { 200: Status },
  handle: ({ params: named }, context) =>
    edit(context, named, async (editing) => {
      const stored = await getModel(context, editing, "list", named.entityId);
      const gone = getSubList(stored.model.subLists, named.subListId);
      const subLists = stored.model.subLists.filter((one) => one !== gone);
      await replaceModel(editing, stored, { ...stored.model, subLists });
      return SUCCESS;
    }),
});

export const listOperations = [addList, updateList, patchList, addSubList, updateSubList, deleteSubList];
