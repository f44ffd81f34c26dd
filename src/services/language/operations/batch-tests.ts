/** Tests of a slot or version with many labelled utterances: begun, watched, and read when they have ended. */
import { Type } from "@sinclair/typebox";
import { answer, type Context, operationsFor } from "#kernel/operation";
import type { BatchTest } from "../domain/batch-tests.ts";
import { errors } from "../errors.ts";
import type { Evaluation } from "../learning/index.ts";
import { languageModels, type Which } from "../port.ts";
import * as wire from "../wire/batch-tests.ts";
import { SlotParams, VersionParams } from "../wire/predictions.ts";
import { slotOf } from "./predictions.ts";
import { type TestSet, utterancesOf } from "./test-utterances.ts";

const operation = operationsFor<unknown>();

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const BODY_PARTS_MAX = 200_000;
const OperationId = Type.String({
  maxLength: 50,
  description: "The test's operationId.",
  examples: ["0f0b8b52-8a34-4a3e-9c8b-1f5c1c2d3e4f"],
});
const SLOT_PATH = "/prediction/v3.0/apps/{appId}/slots/{slotName}/evaluations";
const VERSION_PATH = "/prediction/v3.0/apps/{appId}/versions/{versionId}/evaluations";

const beginning = {
  permission: "language:BeginBatchTest",
  body: wire.TestSet,
  bodyBytesMax: BODY_BYTES_MAX,
  bodyPartsMax: BODY_PARTS_MAX,
  answers: { 202: wire.TestBegun },
  errors: [errors.badArgument, errors.notFound],
  examples: {
    body: {
      LabeledTestSetUtterances: [{ text: "book a flight to Cairo", intent: "BookFlight", entities: [] }],
    },
  },
} as const;
const reading = { permission: "language:GetBatchTest", errors: [errors.notFound] } as const;

async function begin(context: Context, appId: string, which: Which, body: TestSet) {
  const utterances = utterancesOf(body);
  const test = await context.port(languageModels).beginTest(context, appId.toLowerCase(), which, utterances);
  if (!test) throw errors.notFound(`The application ${appId} has nothing trained there to be tested.`);
  return answer(202, wire.testView(test));
}

async function getTest(context: Context, appId: string, id: string): Promise<BatchTest> {
  const test = await context.port(languageModels).findTest(context, appId.toLowerCase(), id);
  if (!test) throw errors.notFound(`The application ${appId} has no test ${id}.`);
  return test;
}

async function resultOf(context: Context, appId: string, id: string) {
  const { result, status } = await getTest(context, appId, id);
  if (result === undefined) throw errors.notFound(`The test ${id} has no result: it is ${status}.`);
  return wire.resultView(JSON.parse(result) as Evaluation);
}

const beginForSlot = operation({
  ...beginning,
  id: "language-predictions.slots.beginTest",
  summary: "Starts a test of a published slot with labelled utterances",
  description:
    "Returns at once; a job predicts every utterance. Poll the status, then read the result. The last 10 tests of an application are kept.",
  method: "POST",
  path: SLOT_PATH,
  params: SlotParams,
  handle: async ({ params, body }, context) =>
    begin(context, params.appId, { slot: slotOf(params.slotName) }, body),
});
const beginForVersion = operation({
  ...beginning,
  id: "language-predictions.versions.beginTest",
  summary: "Starts a test of a version's last training with labelled utterances",
  description:
    "Returns at once; a job predicts every utterance. Poll the status, then read the result. The last 10 tests of an application are kept.",
  method: "POST",
  path: VERSION_PATH,
  params: VersionParams,
  handle: async ({ params, body }, context) =>
    begin(context, params.appId, { version: params.versionId }, body),
});

const SlotTestParams = Type.Object({ ...SlotParams.properties, operationId: OperationId });
const VersionTestParams = Type.Object({ ...VersionParams.properties, operationId: OperationId });

const readForSlot = {
  ...reading,
  method: "GET",
  params: SlotTestParams,
} as const;
const readForVersion = {
  ...reading,
  method: "GET",
  params: VersionTestParams,
} as const;

const slotStatus = operation({
  ...readForSlot,
  id: "language-predictions.slots.getTestStatus",
  summary: "Returns the status of a slot's test",
  description: "Poll it until it has succeeded or failed.",
  path: `${SLOT_PATH}/{operationId}/status`,
  answers: { 200: wire.TestBegun },
  handle: async ({ params }, context) =>
    wire.testView(await getTest(context, params.appId, params.operationId)),
});
const versionStatus = operation({
  ...readForVersion,
  id: "language-predictions.versions.getTestStatus",
  summary: "Returns the status of a version's test",
  description: "Poll it until it has succeeded or failed.",
  path: `${VERSION_PATH}/{operationId}/status`,
  answers: { 200: wire.TestBegun },
  handle: async ({ params }, context) =>
    wire.testView(await getTest(context, params.appId, params.operationId)),
});
const slotResult = operation({
  ...readForSlot,
  id: "language-predictions.slots.getTestResult",
  summary: "Returns precision, recall and F-score of a slot's test",
  description: "404 until the test has succeeded. One entry for each intent and entity.",
  path: `${SLOT_PATH}/{operationId}/result`,
  answers: { 200: wire.TestResult },
  handle: async ({ params }, context) => resultOf(context, params.appId, params.operationId),
});
const versionResult = operation({
  ...readForVersion,
  id: "language-predictions.versions.getTestResult",
  summary: "Returns precision, recall and F-score of a version's test",
  description: "404 until the test has succeeded. One entry for each intent and entity.",
  path: `${VERSION_PATH}/{operationId}/result`,
  answers: { 200: wire.TestResult },
  handle: async ({ params }, context) => resultOf(context, params.appId, params.operationId),
});

export const batchTestOperations = [
  beginForSlot,
  beginForVersion,
  slotStatus,
  versionStatus,
  slotResult,
  versionResult,
];
