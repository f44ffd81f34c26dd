/** Intents. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import { checkName, INTENTS_MAX } from "../domain/limits.ts";
import { entitiesIn, NONE } from "../domain/models.ts";
import { errors } from "../errors.ts";
import { deleteExamples, listExamplesOf, moveIntentOfExamples } from "../store/examples.ts";
import { deleteModel, listModels } from "../store/models.ts";
import { deletePatterns, moveIntentOfPatterns } from "../store/patterns.ts";
import { IntentView, modelShown, NewModel } from "../wire/models.ts";
import { Guid, Paging, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { addModel, checkFree, getModel, referToIntent, replaceModel } from "./changes.ts";
import { called, edit, getContentPlace, operation } from "./lookup.ts";

const PATH = "/apps/{appId}/versions/{versionId}/intents";
const params = versionParams({ intentId: Guid });

const addIntent = operation({
  ...called("intents", "AddIntent"),
  summary: "Adds an intent to a version",
  description: `A version may have ${INTENTS_MAX} intents. Add examples with \`language.examples.addExample\`; without any, training reports FewLabels.`,
  method: "POST",
  path: PATH,
  params: VersionParams,
  body: NewModel,
  answers: { 201: Guid },
  examples: { body: { name: "BookFlight" } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const intent = {
        kind: "intent",
        id: context.ids.uuid(),
        name: checkName("intent", body.name),
        features: [],
      } as const;
      const id = await addModel(editing, intent, { what: "intents", kinds: ["intent"], most: INTENTS_MAX });
      return answer(201, id);
    }),
});

const listIntents = operation({
  ...called("intents", "ListIntents"),
  summary: "Lists the intents of a version",
  description: "Includes `None`, which every version has.",
  method: "GET",
  path: PATH,
  params: VersionParams,
  query: Paging,
  answers: { 200: Type.Array(IntentView) },
  async handle({ params: named, query }, context) {
    const { version } = await getContentPlace(context, named);
    const models = await listModels(context.db, context.account, version.uid, {
      kinds: ["intent"],
      page: query,
    });
    return models.map(modelShown);
  },
});

const getIntent = operation({
  ...called("intents", "GetIntent"),
  summary: "Returns an intent",
  description: "List its utterances with `language.examples.listModelExamples`.",
  method: "GET",
  path: `${PATH}/{intentId}`,
  params,
  answers: { 200: IntentView },
  async handle({ params: named }, context) {
    const place = await getContentPlace(context, named);
    return modelShown((await getModel(context, place, "intent", named.intentId)).model);
  },
});

const updateIntent = operation({
  ...called("intents", "UpdateIntent"),
  summary: "Renames an intent",
  description:
    "Utterances, patterns and features follow. `None` cannot be renamed. Train the version afterwards.",
  method: "PUT",
  path: `${PATH}/{intentId}`,
  params,
  body: NewModel,
  answers: { 200: Status },
  examples: { body: { name: "ReserveFlight" } },
  handle: ({ params: named, body }, context) =>
    edit(context, named, async (editing) => {
      const { db, account, uid } = editing;
      const stored = await getModel(context, editing, "intent", named.intentId);
      const name = checkName("intent", body.name);
      if (stored.model.name === NONE) throw errors.badArgument("The intent None cannot be renamed.");
      await checkFree(editing, stored.model, name);
      await moveIntentOfExamples(db, account, uid, stored.model.name, name);
      await moveIntentOfPatterns(db, account, uid, stored.model.name, name);
      await referToIntent(editing, { of: "model", from: stored.model.name, to: name });
      await replaceModel(editing, stored, { ...stored.model, name });
      return SUCCESS;
    }),
});

const deleteIntent = operation({
  ...called("intents", "DeleteIntent"),
  summary: "Deletes an intent with its patterns",
  description:
    "Its utterances move to `None`, or are deleted with `deleteUtterances`. Features that refer to it are removed. `None` cannot be deleted.",
  method: "DELETE",
  path: `${PATH}/{intentId}`,
  params,
  query: Type.Object({
    deleteUtterances: Type.Boolean({
      default: false,
      description: "Whether its utterances are deleted with it, rather than moved to the intent None.",
      examples: [false],
    }),
  }),
  answers: { 200: Status },
  handle: ({ params: named, query }, context) =>
    edit(context, named, async (editing) => {
      const { db, account, uid } = editing;
      const { model } = await getModel(context, editing, "intent", named.intentId);
      if (model.name === NONE) throw errors.badArgument("The intent None cannot be deleted.");
      if (query.deleteUtterances) {
        for (const { labels } of await listExamplesOf(db, account, uid, model.name))
          editing.touch(...entitiesIn(labels));
        await deleteExamples(db, account, uid, { intent: model.name });
      } else {
        await moveIntentOfExamples(db, account, uid, model.name, NONE);
        editing.touch(NONE);
      }
      await deletePatterns(db, account, uid, { intent: model.name });
      await referToIntent(editing, { of: "model", from: model.name, to: undefined });
      await deleteModel(db, account, uid, model.id);
      return SUCCESS;
    }),
});

export const intentOperations = [addIntent, listIntents, getIntent, updateIntent, deleteIntent];
