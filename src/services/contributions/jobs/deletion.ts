/** Deletes rows in the background that were hidden immediately. Each small step is one transaction. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { ContributionsContext, State } from "../state.ts";
import { removeAssignment } from "../store/assignments.ts";
import { idsOfAssignment, listUnusedAmong, removeContributions } from "../store/contributions.ts";
import { findAnyAssignment } from "../store/copies.ts";
import { removeResponsesOfForm } from "../store/forms.ts";
import { removeTags } from "../store/tags.ts";
import type { Tables } from "../tables/index.ts";
import { removeMedia } from "./media.ts";

const AT_ONCE = 50;
const job = jobsFor<Tables, State>();
const payload = Type.Object({ id: Type.String() });

async function removeWithMedia(context: ContributionsContext, ids: readonly string[]): Promise<void> {
  await removeMedia(context, await removeContributions(context.db, context.account, ids));
}

const deleteContribution = job({
  name: "contributions.delete",
  payload,
  run: ({ id }, context) => removeWithMedia(context, [id]),
});

/** Runs again until nothing is left. The assignment itself is deleted last. */
const deleteAssignment = job({
  name: "contributions.delete-assignment",
  payload,
  async run({ id }, context) {
    const { db, account } = context;
    const ids = await idsOfAssignment(db, account, id, AT_ONCE);
    await removeWithMedia(context, ids);
    if (ids.length === AT_ONCE) {
      await scheduleAssignmentDeletion(context, id);
      return;
    }
    await removeTags(db, account, "assignment", [id]);
    const cover = (await findAnyAssignment(db, account, id))?.cover_media_id;
    await removeAssignment(db, account, id);
    await removeMedia(context, await listUnusedAmong(db, account, cover ? [cover] : []));
  },
});
const deleteResponses = job({
  name: "contributions.delete-responses",
  payload,
  async run({ id }, context) {
    const removed = await removeResponsesOfForm(context.db, context.account, id, AT_ONCE);
    if (removed === AT_ONCE) await scheduleResponsesDeletion(context, id);
  },
});
export const deletionJobs = [deleteContribution, deleteAssignment, deleteResponses];

type Enqueuer = Pick<ContributionsContext, "enqueue">;
export const scheduleDeletion = (context: Enqueuer, id: string): Promise<string> =>
  context.enqueue(deleteContribution, { id });
export function scheduleAssignmentDeletion(context: Enqueuer, id: string): Promise<string> {
  return context.enqueue(deleteAssignment, { id });
}
const copyKeyOf = (id: string): string => `unfinished:${id}`;
/** Deletes a hidden copy: after a day if it was never finished, or at once if it cannot be finished. */
export const scheduleCopyDeletion = (
  context: Pick<ContributionsContext, "enqueue">,
  id: string,
  runAtMs: number,
): Promise<string> => context.enqueue(deleteAssignment, { id }, { key: copyKeyOf(id), runAtMs });
export const keepCopy = (context: Pick<ContributionsContext, "cancelJob">, id: string): Promise<boolean> =>
  context.cancelJob(deleteAssignment, copyKeyOf(id));
export function scheduleResponsesDeletion(context: Enqueuer, id: string): Promise<string> {
  return context.enqueue(deleteResponses, { id });
}
