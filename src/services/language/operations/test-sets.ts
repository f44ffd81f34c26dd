/**
 * An addition to the public interface: test sets that are stored with an application, run by every training,
 * and shown over time.
 */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { TestUtterance } from "../domain/batch-tests.ts";
import { RUNS_KEPT_MAX, type TestRun } from "../domain/test-sets.ts";
import { errors } from "../errors.ts";
import { deleteTestSet, findTestSet, listTestRuns, putTestSet } from "../store/test-sets.ts";
import * as wire from "../wire/batch-tests.ts";
import { ApplicationParams } from "../wire/shared.ts";
import { called, getApplication, operation } from "./lookup.ts";
import { utterancesOf } from "./test-utterances.ts";

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const BODY_PARTS_MAX = 200_000;
const PATH = "/apps/{appId}/testset";
const params = ApplicationParams;
const Kept = Type.Object({
  utterances: Type.Integer({ description: "How many utterances it has.", examples: [120] }),
});
const Run = Type.Object({
  versionId: Type.String({ description: "The version that was trained.", examples: ["0.1"] }),
  trainedDateTime: Type.String({ description: "When.", examples: ["2026-03-04T10:00:00.000Z"] }),
  status: Type.String({ description: "notstarted, succeeded or failed.", examples: ["succeeded"] }),
  utterances: Type.Optional(Type.Integer({ description: "How many were tried.", examples: [120] })),
  intentAccuracy: Type.Optional(
    Type.Number({ description: "The part whose intent was understood rightly.", examples: [0.95] }),
  ),
  entityFScore: Type.Optional(Type.Number({ description: "F over all entities.", examples: [0.9] })),
  confusions: Type.Optional(
    Type.Array(
      Type.Object({
        labelled: Type.String({ description: "What it is.", examples: ["Greet"] }),
        predicted: Type.String({ description: "What it is taken for.", examples: ["Leave"] }),
        utterances: Type.Array(Type.String({ examples: ["good day"] }), {
          description: "Which utterances; the first twenty.",
        }),
      }),
      { description: "Which intents are taken for which, the most frequent first." },
    ),
  ),
});
const shown = ({ version, trainedAtMs, status, result }: TestRun) => ({
  versionId: version,
  trainedDateTime: isoOf(trainedAtMs),
  status,
  ...(result && {
    ...result,
    confusions: result.confusions.map((one) => ({ ...one, utterances: [...one.utterances] })),
  }),
});

const putSet = operation({
  ...called("testset", "PutTestSet"),
  summary: "Stores the test set of an application",
  description:
    "Replaces an earlier one. Every later training runs it in a job; see `language.testset.listTestRuns`.",
  method: "PUT",
  path: PATH,
  tags: ["addition"],
  params,
  body: wire.TestSet,
  bodyBytesMax: BODY_BYTES_MAX,
  bodyPartsMax: BODY_PARTS_MAX,
  answers: { 200: Kept },
  async handle({ params: path, body }, context) {
    const { db, account, clock } = context;
    const { id } = await getApplication(context, path);
    const utterances = utterancesOf(body);
    const kept = { application: id, utterances: JSON.stringify(utterances), changedAtMs: clock.nowMs() };
    await putTestSet(db, account, kept);
    return { utterances: utterances.length };
  },
});
const readSet = operation({
  ...called("testset", "GetTestSet"),
  summary: "Returns the test set of an application",
  description: "Refused if the application has none.",
  method: "GET",
  path: PATH,
  tags: ["addition"],
  params,
  answers: { 200: wire.TestSet },
  async handle({ params: path }, context) {
    const { id } = await getApplication(context, path);
    const kept = await findTestSet(context.db, context.account, id);
    if (kept === undefined) throw errors.badArgument("The application has no test set.");
    const utterances = JSON.parse(kept) as readonly TestUtterance[];
    return {
      LabeledTestSetUtterances: utterances.map(({ text, intent, labels }) => ({
        text,
        intent,
        entities: labels.map(wire.givenOf),
      })),
    };
  },
});
const deleteSet = operation({
  ...called("testset", "DeleteTestSet"),
  summary: "Deletes the test set of an application",
  description: "Later trainings run no test; earlier results stay.",
  method: "DELETE",
  path: PATH,
  tags: ["addition"],
  params,
  answers: { 200: Kept },
  async handle({ params: path }, context) {
    const { id } = await getApplication(context, path);
    await deleteTestSet(context.db, context.account, id);
    return { utterances: 0 };
  },
});
const listRuns = operation({
  ...called("testset", "ListTestRuns"),
  summary: "Lists the results of the test set, newest first",
  description: `The last ${RUNS_KEPT_MAX} runs are kept, with accuracy and the confused intents.`,
  method: "GET",
  path: `${PATH}/runs`,
  tags: ["addition"],
  params,
  answers: { 200: Type.Array(Run) },
  async handle({ params: path }, context) {
    const { id } = await getApplication(context, path);
    return (await listTestRuns(context.db, context.account, id, RUNS_KEPT_MAX)).map(shown);
  },
});
export const testSetOperations = [putSet, readSet, deleteSet, listRuns];
