/** Unlabelled utterances from the query log: suggestions for labelling, the least certain first. */
import { Type } from "@sinclair/typebox";
import { keyOf, textKeyOf, UTTERANCE_LENGTH_MAX } from "../domain/limits.ts";
import { errors } from "../errors.ts";
import type { Prediction } from "../learning/index.ts";
import { tokenize } from "../learning/index.ts";
import type { LanguageContext } from "../state.ts";
import { findLabelled } from "../store/examples.ts";
import { hideQueries, listQueries } from "../store/queries.ts";
import { Nesting, SuggestionView, suggestionShown } from "../wire/examples.ts";
import { Guid, Status, SUCCESS, Taking, VersionParams, versionParams } from "../wire/shared.ts";
import { getEntity, getModel } from "./changes.ts";
import { findChildOf } from "./children.ts";
import { called, getPlace, operation, type Place } from "./lookup.ts";
import { predictorOf } from "./predictor.ts";

const P = "/apps/{appId}/versions/{versionId}";
/** How far back the log is looked through. */
const LOOKED_AT_MAX = 2_000;
const PAGE = 500;

/** The latest queries whose texts the version does not have, each once. */
async function unlabelled(context: LanguageContext, { application, version }: Place): Promise<string[]> {
  const { db, account, state } = context;
  await state.queries.flush();
  const texts = new Map<string, string>();
  let before: string | undefined;
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += PAGE) {
    const queries = await listQueries(db, account, application.id, { before, take: PAGE, shownOnly: true });
    for (const { text } of queries) if (!texts.has(textKeyOf(text))) texts.set(textKeyOf(text), text);
    before = queries.at(-1)?.id;
    if (queries.length < PAGE) break;
  }
  const labelled = await findLabelled(db, account, version.uid, [...texts.keys()]);
  return [...texts].filter(([key]) => !labelled.has(key)).map(([, text]) => text);
}

/**
 * The margin between the best and the second intent. Utterances with a small margin are the most useful to
 * label.
 */
const marginOf = ({ intents }: Prediction): number => (intents[0]?.score ?? 0) - (intents[1]?.score ?? 0);

async function suggestionsFor(
  context: LanguageContext,
  place: Place,
  { take, enableNestedChildren }: { readonly take: number; readonly enableNestedChildren: boolean },
  concerns: (prediction: Prediction) => boolean,
) {
  const predict = await predictorOf(context, place.version);
  const found: { readonly text: string; readonly prediction: Prediction }[] = [];
  for (const text of await unlabelled(context, place)) {
    const prediction = await predict(text);
    if (prediction && concerns(prediction)) found.push({ text, prediction });
  }
  found.sort((a, b) => marginOf(a.prediction) - marginOf(b.prediction));
  return found.slice(0, take).map(({ text, prediction }) =>
    suggestionShown({
      text,
      tokens: tokenize(text, place.application.culture),
      isNested: enableNestedChildren,
      prediction,
    }),
  );
}

const query = Type.Object({ ...Taking.properties, ...Nesting.properties });

const suggestForIntent = operation({
  ...called("suggestions", "ListIntentSuggestions"),
  summary: "Suggests utterances of the query log for an intent",
  description: `Looks at the latest ${LOOKED_AT_MAX} queries that are not labelled, and returns those with the intent among the two best, least certain first. Needs a trained version. Label them with \`language.examples.addExample\`.`,
  method: "GET",
  path: `${P}/intents/{intentId}/suggest`,
  params: versionParams({ intentId: Guid }),
  query,
  answers: { 200: Type.Array(SuggestionView) },
  async handle({ params, query: wanted }, context) {
    const place = await getPlace(context, params);
    const { model } = await getModel(context, place, "intent", params.intentId);
    return suggestionsFor(context, place, wanted, ({ intents }) =>
      intents.slice(0, 2).some(({ name }) => keyOf(name) === keyOf(model.name)),
    );
  },
});

const suggestForEntity = operation({
  ...called("suggestions", "ListEntitySuggestions"),
  summary: "Suggests utterances of the query log for an entity",
  description: `Looks at the latest ${LOOKED_AT_MAX} queries that are not labelled, and returns those in which the entity was found, least certain first. Needs a trained version.`,
  method: "GET",
  path: `${P}/entities/{entityId}/suggest`,
  params: versionParams({ entityId: Guid }),
  query,
  answers: { 200: Type.Array(SuggestionView) },
  async handle({ params, query: wanted }, context) {
    const place = await getPlace(context, params);
    const { db, account } = context;
    const child = await findChildOf({ db, account, uid: place.version.uid }, params.entityId);
    const name = child?.entity.name ?? (await getEntity(context, place, params.entityId)).name;
    return suggestionsFor(context, place, wanted, ({ entities }) =>
      entities.some(({ entity }) => keyOf(entity) === keyOf(name)),
    );
  },
});

const deleteUnlabelled = operation({
  ...called("suggestions", "DeleteUnlabelledUtterance"),
  summary: "Stops suggesting an utterance of the query log",
  description: "The utterance stays in the downloaded log. A text that is not in the log is refused.",
  method: "DELETE",
  path: `${P}/suggest`,
  params: VersionParams,
  body: Type.String({
    maxLength: UTTERANCE_LENGTH_MAX,
    description: "The text of the utterance.",
    examples: ["book a flight to Lisbon"],
  }),
  answers: { 200: Status },
  examples: { body: "book a flight to Lisbon" },
  transaction: "manual",
  async handle({ params, body }, context) {
    await context.state.queries.flush();
    return context.transact(async (inside) => {
      const { application } = await getPlace(inside, params);
      if ((await hideQueries(inside.db, inside.account, application.id, body)) === 0)
        throw errors.badArgument("Cannot find an unlabeled query with the given text.");
      return SUCCESS;
    });
  },
});

export const suggestionOperations = [suggestForIntent, suggestForEntity, deleteUnlabelled];
