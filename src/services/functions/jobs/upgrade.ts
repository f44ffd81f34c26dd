/** One step of an upgrade. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { stepUpgrade, type UpgradeStep } from "../domain/index.ts";
import type { State } from "../state.ts";
import { findFunction, findOperation, saveFunction, saveOperation } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { snapshotOf } from "./deploy.ts";
import { stagesAt } from "./work.ts";

export const upgrade = jobsFor<Tables, State>()({
  name: "functions.upgrade",
  payload: Type.Object({
    operation: Type.String(),
    step: Type.String(),
    project: Type.String(),
    location: Type.String(),
    functionId: Type.String(),
  }),
  async run({ operation: id, step, ...name }, { db, account, clock }) {
    const one = await findFunction(db, account, name);
    const operation = await findOperation(db, account, id);
    if (!one || !operation || operation.done) return;
    const { environment } = one.definition;
    const next = stepUpgrade(environment, one.upgrade, step as UpgradeStep);
    const nowMs = clock.nowMs();
    const changed = {
      ...one,
      definition: { ...one.definition, environment: step === "commit" ? "GEN_2" : environment },
      upgrade: next,
      busyWith: undefined,
      updatedAtMs: nowMs,
    };
    await saveFunction(db, account, changed);
    const { metadata } = operation;
    await saveOperation(db, account, {
      ...operation,
      metadata: { ...metadata, stages: stagesAt(metadata.stages, undefined) },
      response: snapshotOf(changed),
      done: true,
      endedAtMs: nowMs,
    });
  },
});
