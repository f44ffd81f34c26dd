/** Batch tests: a job predicts all utterances and computes the metrics. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { BatchTest } from "../domain/batch-tests.ts";
import { type Evaluation, evaluate, type LoadedModel, type Prediction } from "../learning/index.ts";
import type { LanguageContext, State } from "../state.ts";
import { findBatchTest, insertBatchTest, updateBatchTest } from "../store/batch-tests.ts";
import type { Tables } from "../tables.ts";

const testJob = jobsFor<Tables, State>()({
  name: "language.test",
  payload: Type.Object({ application: Type.String(), test: Type.String() }),
  transaction: "manual",
  attemptsMax: 3,
  async run({ application, test: id }, context, { lastAttempt }) {
    const { db, account, state, clock } = context;
    const test = await findBatchTest(db, account, application, id);
    if (!test || test.status === "succeeded") return;
    const write = (change: Partial<BatchTest>): Promise<void> =>
      context.transact((inside) =>
        updateBatchTest(inside.db, account, { ...test, ...change, changedAtMs: clock.nowMs() }),
      );
    await write({ status: "running" });
    try {
      const model = await state.models.get(account, test.blob);
      if (!model) return await write({ status: "failed" });
      const evaluation = await evaluated(context, test, model);
      await write({ status: "succeeded", result: JSON.stringify(evaluation) });
    } catch (error) {
      if (lastAttempt) await write({ status: "failed" });
      throw error;
    }
  },
});
export const batchTestJobs = [testJob];

/** One utterance at a time, so that others are answered in between. */
export async function evaluated(
  { state, clock }: LanguageContext,
  { utterances }: Pick<BatchTest, "utterances">,
  model: LoadedModel,
): Promise<Evaluation> {
  const tested: { labelled: BatchTest["utterances"][number]; predicted: Prediction }[] = [];
  for (const labelled of utterances) {
    const predicted = await state.trainer.predict(model, labelled.text, { wallClockMs: clock.nowMs() });
    tested.push({ labelled, predicted });
    await new Promise(setImmediate);
  }
  return evaluate(tested);
}

export async function beginBatchTest(
  context: LanguageContext,
  begun: Pick<BatchTest, "application" | "blob" | "utterances">,
): Promise<BatchTest> {
  const nowMs = context.clock.nowMs();
  const test: BatchTest = {
    ...begun,
    id: context.ids.uuid(),
    status: "notstarted",
    result: undefined,
    createdAtMs: nowMs,
    changedAtMs: nowMs,
  };
  await insertBatchTest(context.db, context.account, test);
  await context.enqueue(testJob, { application: test.application, test: test.id });
  return test;
}
