/** Predictions for an utterance, by the model of a slot or of a version. */
import { parseInstant } from "#kernel/clock";
import { type Context, kernelErrors, operationsFor } from "#kernel/operation";
import { WorkerError } from "#kernel/workers";
import type { Slot } from "../domain/application.ts";
import { errors } from "../errors.ts";
import type { Prediction, Question } from "../learning/index.ts";
import { type Asked, languageModels, type Which } from "../port.ts";
import { luisResult } from "../wire/prediction-v2.ts";
import { predictionView } from "../wire/prediction-v3.ts";
import * as wire from "../wire/predictions.ts";

const operation = operationsFor<unknown>();

type Request = typeof wire.PredictionRequest.static;
type Asking = typeof wire.QueryV3.static;

const MS_PER_MINUTE = 60_000;
const SLOTS: ReadonlyMap<string, Slot> = new Map([
  ["production", "production"],
  ["staging", "staging"],
]);

const PERMISSION = "language:Predict";
const ERRORS = [errors.badArgument, errors.notFound];

export async function getAsked(context: Context, appId: string, which: Which): Promise<Asked> {
  const asked = await context.port(languageModels).find(context, appId.toLowerCase(), which);
  if (asked) return asked;
  throw errors.notFound(
    "slot" in which
      ? `The application ${appId} is not published to the slot ${which.slot}, or does not exist.`
      : `The application ${appId} has no trained version ${which.version}, or does not exist.`,
  );
}

export function slotOf(name: string): Slot {
  const slot = SLOTS.get(name.toLowerCase());
  if (!slot) throw errors.badArgument(`There is no slot ${name}: an application has production and staging.`);
  return slot;
}

/** An utterance that is too long in the reading is the caller's to shorten; threads that are all taken are free again soon. */
async function predictionOf(asked: Asked, text: string, question: Question): Promise<Prediction> {
  try {
    return await asked.predict(text, question);
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error;
    if (error.reason === "busy")
      throw kernelErrors.throttled("Too many utterances are being read; ask again.");
    if (error.reason === "timedOut") throw errors.badArgument("The utterance takes too long to read.");
    throw error;
  }
}

async function answerV3(context: Context, asked: Asked, request: Request, asking: Asking) {
  const { query: text } = request;
  const prediction = await predictionOf(asked, text, questionOf(request, context.clock.nowMs()));
  const view = predictionView(prediction, text, {
    verbose: asking.verbose,
    showAllIntents: asking["show-all-intents"],
  });
  note(asked, text, prediction, view, asking.log);
  return view;
}

function note(asked: Asked, text: string, { intents }: Prediction, view: object, isLogged: boolean): void {
  const [top] = intents;
  asked.note(
    { text, intent: top?.name ?? "", score: top?.score ?? 0, answer: JSON.stringify(view) },
    isLogged,
  );
}

function questionOf(
  { query, options, externalEntities = [], dynamicLists = [] }: Request,
  nowMs: number,
): Question {
  return {
    wallClockMs: options?.datetimeReference === undefined ? nowMs : wallClockOf(options.datetimeReference),
    preferExternalEntities: options?.preferExternalEntities ?? true,
    externalEntities: externalEntities.map(({ entityName, startIndex, entityLength, resolution, score }) => {
      if (startIndex + entityLength > query.length)
        throw errors.badArgument(`The external entity ${entityName} ends after the query does.`);
      return { entity: entityName, start: startIndex, end: startIndex + entityLength, resolution, score };
    }),
    dynamicLists: dynamicLists.map(({ listEntityName, requestLists }) => ({
      entity: listEntityName,
      forms: requestLists.map(({ canonicalForm, synonyms = [] }) => ({ canonicalForm, synonyms })),
    })),
  };
}

const OFFSET = /([+-])(\d\d):?(\d\d)$/;

/** The hands of the clock at the place that the text's offset speaks of. */
function wallClockOf(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined)
    throw errors.badArgument(`datetimeReference is no time that can be read: ${text}.`);
  const [, sign, hours = "0", minutes = "0"] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return instant;
  const offset = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
  return sign === "-" ? instant - offset : instant + offset;
}

const v3 = {
  permission: PERMISSION,
  transaction: "read",
  answers: { 200: wire.PredictionAnswer },
  errors: ERRORS,
} as const;
const SLOT_PATH = "/prediction/v3.0/apps/{appId}/slots/{slotName}/predict";
const VERSION_PATH = "/prediction/v3.0/apps/{appId}/versions/{versionId}/predict";
const EXAMPLES = { body: { query: "book a flight to Cairo" } };

const predictBySlot = operation({
  ...v3,
  id: "language-predictions.slots.predict",
  summary: "Predicts intents and entities of an utterance with a published slot",
  description:
    "The query has at most 500 characters. `log=true` adds it to the query log. External entities and dynamic lists apply to this query only. 429 if all worker threads are busy; 400 if the utterance takes too long.",
  method: "POST",
  path: SLOT_PATH,
  params: wire.SlotParams,
  query: wire.QueryV3,
  body: wire.PredictionRequest,
  examples: EXAMPLES,
  async handle({ params, query, body }, context) {
    const asked = await getAsked(context, params.appId, { slot: slotOf(params.slotName) });
    return answerV3(context, asked, body, query);
  },
});

const getBySlot = operation({
  ...v3,
  id: "language-predictions.slots.get",
  summary: "Predicts intents and entities of an utterance in the query with a published slot",
  description: "Same as `language-predictions.slots.predict`, without external entities and dynamic lists.",
  method: "GET",
  path: SLOT_PATH,
  params: wire.SlotParams,
  query: wire.GetQueryV3,
  async handle({ params, query: { query, ...asking } }, context) {
    const asked = await getAsked(context, params.appId, { slot: slotOf(params.slotName) });
    return answerV3(context, asked, { query }, asking);
  },
});

const predictByVersion = operation({
  ...v3,
  id: "language-predictions.versions.predict",
  summary: "Predicts intents and entities of an utterance with a version's last training",
  description:
    "Needs no publication. Content that changed since the training is not used. Otherwise same as `language-predictions.slots.predict`.",
  method: "POST",
  path: VERSION_PATH,
  params: wire.VersionParams,
  query: wire.QueryV3,
  body: wire.PredictionRequest,
  examples: EXAMPLES,
  async handle({ params, query, body }, context) {
    const asked = await getAsked(context, params.appId, { version: params.versionId });
    return answerV3(context, asked, body, query);
  },
});

const getByVersion = operation({
  ...v3,
  id: "language-predictions.versions.get",
  summary: "Predicts intents and entities of an utterance in the query with a version's last training",
  description:
    "Same as `language-predictions.versions.predict`, without external entities and dynamic lists.",
  method: "GET",
  path: VERSION_PATH,
  params: wire.VersionParams,
  query: wire.GetQueryV3,
  async handle({ params, query: { query, ...asking } }, context) {
    const asked = await getAsked(context, params.appId, { version: params.versionId });
    return answerV3(context, asked, { query }, asking);
  },
});

type AskingV2 = typeof wire.QueryV2.static;

async function answerV2(context: Context, appId: string, text: string, asking: AskingV2) {
  const asked = await getAsked(context, appId, { slot: asking.staging ? "staging" : "production" });
  const wallClockMs = context.clock.nowMs() + asking.timezoneOffset * MS_PER_MINUTE;
  const prediction = await predictionOf(asked, text, { wallClockMs });
  const view = luisResult(prediction, text, asking.verbose);
  note(asked, text, prediction, view, asking.log);
  return view;
}

const v2 = {
  permission: PERMISSION,
  transaction: "read",
  answers: { 200: wire.LuisResult },
  errors: ERRORS,
} as const;
const V2_PATH = "/v2.0/apps/{appId}";

const resolve = operation({
  ...v2,
  id: "language-predictions.v2.resolve",
  summary: "Predicts intents and entities of an utterance (version 2)",
  description:
    "The body is the utterance, as a JSON string. Uses the production slot, or with `staging=true` the staging slot. The query is logged unless `log=false`.",
  method: "POST",
  path: V2_PATH,
  params: wire.ApplicationParams,
  query: wire.QueryV2,
  body: wire.QueryText,
  examples: { body: "book a flight to Cairo" },
  handle: async ({ params, query, body }, context) => answerV2(context, params.appId, body, query),
});

const getResolved = operation({
  ...v2,
  id: "language-predictions.v2.get",
  summary: "Predicts intents and entities of an utterance in the query (version 2)",
  description:
    "Uses the production slot, or with `staging=true` the staging slot. The query is logged unless `log=false`.",
  method: "GET",
  path: V2_PATH,
  params: wire.ApplicationParams,
  query: wire.GetQueryV2,
  handle: async ({ params, query: { q, ...asking } }, context) => answerV2(context, params.appId, q, asking),
});

export const predictionOperations = [
  predictBySlot,
  getBySlot,
  predictByVersion,
  getByVersion,
  resolve,
  getResolved,
];
