/** Labelled utterances. */
import { Type } from "@sinclair/typebox";
import { answer, ServiceError } from "#kernel/operation";
import type { Entity, EntityKind, Intent, Label, Utterance } from "../domain/content.ts";
import { checkedLabels } from "../domain/labels.ts";
import {
  BATCH_MAX,
  checkLength,
  checkRoom,
  keyOf,
  UTTERANCE_LENGTH_MAX,
  UTTERANCES_MAX,
} from "../domain/limits.ts";
import { entitiesIn, isLabelled, NONE } from "../domain/models.ts";
import { errors } from "../errors.ts";
import { tokenize } from "../learning/index.ts";
import {
  countExamples,
  deleteExamples,
  findExample,
  findExampleByText,
  insertExamples,
  listExamples,
  listExamplesOf,
  listMentioning,
  updateExample,
} from "../store/examples.ts";
import { findModel, listModelNames, listModels } from "../store/models.ts";
import {
  BatchAnswer,
  ExampleAnswer,
  exampleShown,
  type GivenExample,
  Nesting,
  NewExample,
  ReviewView,
  reviewShown,
  TextOfModel,
} from "../wire/examples.ts";
import { Count, Guid, Paging, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { noModel } from "./changes.ts";
import { findPathToChild } from "./children.ts";
import { called, type Editing, edit, getContentPlace, getPlace, operation } from "./lookup.ts";
import { predictorOf } from "./predictor.ts";

const P = "/apps/{appId}/versions/{versionId}";
const example = {
  text: "book a flight to Lisbon",
  intentName: "BookFlight",
  entityLabels: [{ entityName: "City", startCharIndex: 17, endCharIndex: 22 }],
};

type Known = { readonly intents: readonly Pick<Intent, "name">[]; readonly entities: readonly Entity[] };
const ENTITY_KINDS = [
  "learned",
  "hierarchical",
  "composite",
  "prebuilt",
  "regex",
  "pattern-any",
  "list",
] as const satisfies readonly EntityKind[];
type OfVersion = Pick<Editing, "db" | "account" | "uid">;
async function readEntities({ db, account, uid }: OfVersion): Promise<Entity[]> {
  const models = await listModels(db, account, uid, { kinds: ENTITY_KINDS });
  return models.flatMap((model) => (model.kind === "intent" ? [] : [model]));
}
/** The entities that labels may name. */
async function readKnown(version: OfVersion): Promise<Known> {
  const names = await listModelNames(version.db, version.account, version.uid);
  return {
    intents: names.filter(({ kind }) => kind === "intent"),
    entities: await readEntities(version),
  };
}

type Checked = Omit<Utterance, "id">;
function checkExample({ application }: Editing, { intents, entities }: Known, given: GivenExample): Checked {
  const text = given.text ?? "";
  if (text.trim() === "") throw errors.badArgument("The text of the utterance must be given.");
  checkLength("utterance", text, UTTERANCE_LENGTH_MAX);
  const wanted = given.intentName ?? NONE;
  const intent = intents.find(({ name }) => keyOf(name) === keyOf(wanted));
  if (!intent)
    throw errors.badArgument(
      `The intent classifier ${wanted} does not exist in the selected application version.`,
    );
  const tokens = tokenize(text, application.culture);
  return {
    text,
    intent: intent.name,
    labels: checkedLabels(given.entityLabels ?? [], text, tokens, entities),
  };
}

/** Takes the place of the one with the same text, if there is one. */
async function putExample(editing: Editing, checked: Checked, room: { count: number }): Promise<Utterance> {
  const { db, account, uid } = editing;
  const touch = (intent: string, labels: readonly Label[]) => editing.touch(intent, ...entitiesIn(labels));
  const before = await findExampleByText(db, account, uid, checked.text);
  touch(checked.intent, checked.labels);
  if (before) {
    touch(before.intent, before.labels);
    const utterance = { ...checked, id: before.id };
    await updateExample(db, account, uid, utterance);
    return utterance;
  }
  checkRoom("utterances in a version", room.count + 1, UTTERANCES_MAX);
  room.count += 1;
  const utterance = { ...checked, id: editing.nextNumber() };
  await insertExamples(db, account, uid, [utterance]);
  return utterance;
}

const addExample = operation({
  ...called("examples", "AddExample"),
  summary: "Adds a labelled utterance, or replaces its labels",
  description: `An utterance with the same text is replaced. Labels begin and end at tokens; \`endCharIndex\` is the position of the last character. A version may have ${UTTERANCES_MAX} utterances of ${UTTERANCE_LENGTH_MAX} characters.`,
  method: "POST",
  path: `${P}/example`,
  params: VersionParams,
  query: Nesting,
  body: NewExample,
  answers: { 201: ExampleAnswer },
  examples: { body: example },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const checked = checkExample(editing, await readKnown(editing), body);
      const room = { count: await countExamples(editing.db, editing.account, editing.uid) };
      return answer(201, exampleShown(await putExample(editing, checked, room)));
    }),
});

const addBatch = operation({
  ...called("examples", "BatchAddExamples"),
  summary: "Adds a batch of labelled utterances",
  description: `Each succeeds or fails by itself; 207 if any failed, with the reason. At most ${BATCH_MAX} in a request.`,
  method: "POST",
  path: `${P}/examples`,
  params: VersionParams,
  query: Nesting,
  body: Type.Array(NewExample, { maxItems: BATCH_MAX, description: "The utterances." }),
  answers: { 201: BatchAnswer, 207: BatchAnswer },
  examples: { body: [example] },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const known = await readKnown(editing);
      const room = { count: await countExamples(editing.db, editing.account, editing.uid) };
      const results = [];
      for (const given of body) {
        try {
          const utterance = await putExample(editing, checkExample(editing, known, given), room);
          results.push({ value: exampleShown(utterance), hasError: false });
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          results.push({ hasError: true, error: { code: "FAILED" as const, message: error.message } });
        }
      }
      return answer(results.some(({ hasError }) => hasError) ? 207 : 201, results);
    }),
});

const review = operation({
  ...called("examples", "ListExamples"),
  summary: "Lists utterances with their labels and predictions",
  description:
    "The predictions come from the last training of the version, so they can differ from the labels; without a training there are none. Each utterance costs one prediction.",
  method: "GET",
  path: `${P}/examples`,
  params: VersionParams,
  query: Type.Object({ ...Paging.properties, ...Nesting.properties }),
  answers: { 200: Type.Array(ReviewView) },
  async handle({ params, query }, context) {
    const { db, account } = context;
    const { application, version } = await getPlace(context, params);
    const entities = await readEntities({ db, account, uid: version.uid });
    const predict = await predictorOf(context, version);
    const shown = [];
    for (const utterance of await listExamples(db, account, version.uid, query)) {
      const { text } = utterance;
      const tokens = tokenize(text, application.culture);
      const seen = { text, tokens, isNested: query.enableNestedChildren, prediction: await predict(text) };
      shown.push(reviewShown(utterance, seen, entities));
    }
    return shown;
  },
});

const deleteExample = operation({
  ...called("examples", "DeleteExample"),
  summary: "Deletes a labelled utterance",
  description: "Train the version afterwards.",
  method: "DELETE",
  path: `${P}/examples/{exampleId}`,
  params: versionParams({ exampleId: Count }),
  answers: { 200: Status },
  handle: ({ params }, context) =>
    edit(context, params, async (editing) => {
      const { db, account, uid } = editing;
      const utterance = await findExample(db, account, uid, params.exampleId);
      if (!utterance) throw errors.badArgument(`There is no utterance with the ID ${params.exampleId}.`);
      editing.touch(utterance.intent, ...entitiesIn(utterance.labels));
      await deleteExamples(db, account, uid, { id: utterance.id });
      return SUCCESS;
    }),
});

const textsOf = (utterances: readonly Utterance[]) => utterances.map(({ id, text }) => ({ id, text }));
const examplesOfModel = operation({
  ...called("examples", "ListModelExamples"),
  summary: "Lists the utterances of an intent, or those with labels of an entity",
  description: "Only texts and ids; labels are in `language.examples.listExamples`.",
  method: "GET",
  path: `${P}/models/{modelId}/examples`,
  params: versionParams({ modelId: Guid }),
  query: Paging,
  answers: { 200: Type.Array(TextOfModel) },
  async handle({ params, query }, context) {
    const { db, account } = context;
    const { version } = await getContentPlace(context, params);
    const found = await findModel(db, account, version.uid, params.modelId.toLowerCase());
    if (found?.model.kind === "intent")
      return textsOf(await listExamplesOf(db, account, version.uid, found.model.name, query));
    const path = found
      ? { entity: found.model.name }
      : await findPathToChild({ db, account, uid: version.uid }, params.modelId);
    if (!path) throw noModel(params.modelId);
    const mentioning = await listMentioning(db, account, version.uid, path.entity);
    const labelled = mentioning.filter(({ labels }) => isLabelled(labels, path));
    return textsOf(labelled.slice(query.skip, query.skip + query.take));
  },
});

export const exampleOperations = [addExample, addBatch, review, deleteExample, examplesOfModel];
