/** Phrase lists, and the list of all features. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import type { PhraseList } from "../domain/content.ts";
import { checkName, checkRoom, keyOf, PHRASE_LISTS_MAX, PHRASES_MAX } from "../domain/limits.ts";
import { errors } from "../errors.ts";
import type { LanguageContext } from "../state.ts";
import { deleteFeature, insertFeatures, listFeatures, updateFeature } from "../store/features.ts";
import { listModelNames } from "../store/models.ts";
import {
  FeaturesView,
  featuresShown,
  NewPhraseList,
  PhraseListChange,
  PhraseListView,
  phraseListShown,
} from "../wire/features.ts";
import { Count, Paging, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { refer } from "./changes.ts";
import { called, type Editing, edit, getContentPlace, operation } from "./lookup.ts";

const PATH = "/apps/{appId}/versions/{versionId}/phraselists";
const params = versionParams({ phraselistId: Count });

async function listPhraseLists(
  { db, account }: Pick<LanguageContext, "db" | "account">,
  uid: string,
): Promise<PhraseList[]> {
  const features = await listFeatures(db, account, uid);
  return features.flatMap((feature) => (feature.kind === "phrases" ? [feature] : []));
}
async function getPhraseList(
  context: Pick<LanguageContext, "db" | "account">,
  uid: string,
  id: number,
): Promise<PhraseList> {
  const found = (await listPhraseLists(context, uid)).find((one) => one.id === id);
  if (!found) throw errors.badArgument(`There is no phrase list with the ID ${id}.`);
  return found;
}
function phrasesOf(text: string | null | undefined): string[] {
  const phrases = [
    ...new Set(
      (text ?? "")
        .split(",")
        .map((phrase) => phrase.trim())
        .filter(Boolean),
    ),
  ];
  if (phrases.length === 0) throw errors.badArgument("The phrases must be given, with commas between them.");
  checkRoom("phrases in a phrase list", phrases.length, PHRASES_MAX);
  return phrases;
}
/** Marks every model that uses the list; a global list is used by all models. */
async function touchAll(editing: Editing): Promise<void> {
  const models = await listModelNames(editing.db, editing.account, editing.uid);
  editing.touch(
    ...models.filter(({ kind }) => kind === "intent" || kind === "learned").map(({ name }) => name),
  );
}

const addPhraseList = operation({
  ...called("features", "AddPhraseList"),
  summary: "Adds a phrase list to a version",
  description: `A list that is enabled for all models affects all; otherwise connect it with \`language.features.addIntentFeature\` or \`language.features.addEntityFeature\`. A version may have ${PHRASE_LISTS_MAX} lists with ${PHRASES_MAX} phrases each. All models must be trained again.`,
  method: "POST",
  path: PATH,
  params: VersionParams,
  body: NewPhraseList,
  bodyBytesMax: 2_000_000,
  answers: { 201: Count },
  examples: { body: { name: "Seasons", phrases: "spring,summer,autumn,winter", isExchangeable: true } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const name = checkName("phrase list", body.name);
      const before = await listPhraseLists(context, editing.uid);
      if (before.some((one) => keyOf(one.name) === keyOf(name)))
        throw errors.badArgument(`There is a phrase list ${name} already.`);
      checkRoom("phrase lists", before.length + 1, PHRASE_LISTS_MAX);
      const list: PhraseList = {
        id: editing.nextNumber(),
        name,
        phrases: phrasesOf(body.phrases),
        isExchangeable: body.isExchangeable ?? true,
        isActive: true,
        enabledForAllModels: body.enabledForAllModels ?? true,
      };
      await insertFeatures(editing.db, editing.account, editing.uid, [{ ...list, kind: "phrases" }]);
      await touchAll(editing);
      return answer(201, list.id);
    }),
});

const listAll = operation({
  ...called("features", "ListPhraseLists"),
  summary: "Lists the phrase lists of a version",
  description: "Includes lists that are not active.",
  method: "GET",
  path: PATH,
  params: VersionParams,
  query: Paging,
  answers: { 200: Type.Array(PhraseListView) },
  async handle({ params: named, query: { skip, take } }, context) {
    const { version } = await getContentPlace(context, named);
    const lists = await listPhraseLists(context, version.uid);
    return lists.slice(skip, skip + take).map(phraseListShown);
  },
});

const listAllFeatures = operation({
  ...called("features", "ListFeatures"),
  summary: "Lists the features of a version",
  description: "Phrase lists, and the regular-expression features of older applications.",
  method: "GET",
  path: "/apps/{appId}/versions/{versionId}/features",
  params: VersionParams,
  query: Paging,
  answers: { 200: FeaturesView },
  async handle({ params: named, query }, context) {
    const { version } = await getContentPlace(context, named);
    return featuresShown(await listFeatures(context.db, context.account, version.uid, query));
  },
});

const readPhraseList = operation({
  ...called("features", "GetPhraseList"),
  summary: "Returns a phrase list",
  description: "Phrases are separated by commas.",
  method: "GET",
  path: `${PATH}/{phraselistId}`,
  params,
  answers: { 200: PhraseListView },
  async handle({ params: named }, context) {
    const { version } = await getContentPlace(context, named);
    return phraseListShown(await getPhraseList(context, version.uid, named.phraselistId));
  },
});

const updatePhraseList = operation({
  ...called("features", "UpdatePhraseList"),
  summary: "Changes a phrase list",
  description:
    "Members that are not given stay. Features follow a new name. All models must be trained again.",
  method: "PUT",
  path: `${PATH}/{phraselistId}`,
  params,
  body: PhraseListChange,
  bodyOptional: true,
  bodyBytesMax: 2_000_000,
  answers: { 200: Status },
  examples: { body: { isActive: false } },
  handle: ({ params: named, body = {} }, context) =>
    edit(context, named, async (editing) => {
      const { db, account, uid } = editing;
      const before = await getPhraseList(context, uid, named.phraselistId);
      const name = body.name ? checkName("phrase list", body.name) : before.name;
      const phrases = body.phrases || body.pattern;
      const others = (await listPhraseLists(context, uid)).filter(({ id }) => id !== before.id);
      if (others.some((one) => keyOf(one.name) === keyOf(name)))
        throw errors.badArgument(`There is a phrase list ${name} already.`);
      if (name !== before.name) await refer(editing, { of: "phraseList", from: before.name, to: name });
      await updateFeature(db, account, uid, {
        ...before,
        kind: "phrases",
        name,
        phrases: phrases ? phrasesOf(phrases) : before.phrases,
        isActive: body.isActive ?? before.isActive,
        isExchangeable: body.isExchangeable ?? body.mode ?? before.isExchangeable,
        enabledForAllModels: body.enabledForAllModels ?? before.enabledForAllModels,
      });
      await touchAll(editing);
      return SUCCESS;
    }),
});

const removePhraseList = operation({
  ...called("features", "DeletePhraseList"),
  summary: "Deletes a phrase list",
  description: "Features that refer to it are removed. All models must be trained again.",
  method: "DELETE",
  path: `${PATH}/{phraselistId}`,
  params,
  answers: { 200: Status },
  handle: ({ params: named }, context) =>
    edit(context, named, async (editing) => {
      const list = await getPhraseList(context, editing.uid, named.phraselistId);
      await refer(editing, { of: "phraseList", from: list.name, to: undefined });
      await deleteFeature(editing.db, editing.account, editing.uid, list.id);
      await touchAll(editing);
      return SUCCESS;
    }),
});

export const phraseListOperations = [
  addPhraseList,
  listAll,
  listAllFeatures,
  readPhraseList,
  updatePhraseList,
  removePhraseList,
];
