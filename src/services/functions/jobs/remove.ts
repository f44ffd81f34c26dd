/** Takes a function away: its processes, its source, its lines. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { arnOfFunction } from "../domain/index.ts";
import type { State } from "../state.ts";
import {
  deleteFunction,
  dropRevisions,
  findFunction,
  findOperation,
  isBlobUsed,
  saveOperation,
} from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { watchAsWanted } from "./catalogue-changed.ts";
import { stagesAt } from "./work.ts";

export const remove = jobsFor<Tables, State>()({
  name: "functions.remove",
  payload: Type.Object({
    operation: Type.String(),
    project: Type.String(),
    location: Type.String(),
    functionId: Type.String(),
  }),
  async run({ operation: id, ...name }, context) {
    const { db, account, clock, blobs, catalog, state } = context;
    const operation = await findOperation(db, account, id);
    if (!operation || operation.done) return;
    const one = await findFunction(db, account, name);
    if (one) {
      for (const blobId of await dropRevisions(db, account, one.slug, []))
        if (!(await isBlobUsed(db, account, blobId))) await blobs.remove(blobId);
      await deleteFunction(db, account, one.slug);
      if (one.definition.eventTrigger) await watchAsWanted(context);
      await catalog.remove(arnOfFunction(account, one));
      context.afterCommit(() => void state.running.forgetFunction(one.slug));
    }
    const { metadata } = operation;
    await saveOperation(db, account, {
      ...operation,
      metadata: { ...metadata, stages: stagesAt(metadata.stages, undefined) },
      response: {},
      done: true,
      endedAtMs: clock.nowMs(),
    });
  },
});
