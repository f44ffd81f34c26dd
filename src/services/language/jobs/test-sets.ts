/** Every training of an application that has a test set is followed by a run of it. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { Version } from "../domain/application.ts";
import type { TestUtterance } from "../domain/batch-tests.ts";
import { confusionsOf } from "../domain/test-sets.ts";
import type { LanguageContext, State } from "../state.ts";
import { findTestRun, findTestSet, insertTestRun, updateTestRun } from "../store/test-sets.ts";
import type { Tables } from "../tables.ts";
import { evaluated } from "./batch-tests.ts";

const runJob = jobsFor<Tables, State>()({
  name: "language.run-test-set",
  payload: Type.Object({ run: Type.String() }),
  transaction: "manual",
  attemptsMax: 3,
  async run({ run: id }, context, { lastAttempt }) {
    const { db, account, state } = context;
    const run = await findTestRun(db, account, id);
    const kept = run && (await findTestSet(db, account, run.application));
    if (!run || run.status === "succeeded") return;
    const write = (change: Pick<typeof run, "status" | "result">): Promise<void> =>
      context.transact((inside) => updateTestRun(inside.db, account, { id, ...change }));
    try {
      // The next training may have taken the model's place meanwhile.
      const model = await state.models.get(account, run.blob);
      if (!model || kept === undefined) return await write({ status: "failed", result: undefined });
      const utterances = JSON.parse(kept) as readonly TestUtterance[];
      const {
        utterances: tested,
        intentAccuracy,
        entityFScore,
      } = await evaluated(context, { utterances }, model);
      const result = {
        utterances: tested.length,
        intentAccuracy,
        entityFScore,
        confusions: confusionsOf(tested),
      };
      await write({ status: "succeeded", result });
    } catch (error) {
      if (lastAttempt) await write({ status: "failed", result: undefined });
      throw error;
    }
  },
});
export const testSetJobs = [runJob];

/** In the transaction that keeps the model. */
export async function runTestSet(
  context: LanguageContext,
  { application, name }: Pick<Version, "application" | "name">,
  blob: string,
): Promise<void> {
  const { db, account, ids, clock } = context;
  if ((await findTestSet(db, account, application)) === undefined) return;
  const id = ids.sortable();
  await insertTestRun(db, account, {
    id,
    application,
    version: name,
    blob,
    status: "notstarted",
    trainedAtMs: clock.nowMs(),
    result: undefined,
  });
  await context.enqueue(runJob, { run: id });
}
