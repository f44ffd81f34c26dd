/** The backup source of assignments: form, tags, and every contribution with its media, likes and flags. */
import { BackupSourceError, IN_PLACE, lineOf, RecordReader } from "#kernel/backups";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource } from "#ports/backup-sources";
import { ASSIGNMENT_TYPE, assignmentArnOf, findAssignmentIn } from "../domain/arns.ts";
import { scheduleAssignmentDeletion } from "../jobs/deletion.ts";
import type { ContributionsContext } from "../state.ts";
import { findAssignment, updateAssignment } from "../store/assignments.ts";
import { listWholeContributions } from "../store/copies.ts";
import { findForm } from "../store/forms.ts";
import { findMedia } from "../store/media.ts";
import { tagsOf } from "../store/tags.ts";
import type { MediaRow } from "../tables/index.ts";
import { ASSIGNMENT_NAME, CONTRIBUTION, HEAD, MEDIA, type SavedAssignment } from "./records.ts";
import { restore } from "./restoring.ts";

const CONTRIBUTIONS_AT_ONCE = 100;

async function* mediaLines({ db, account }: ContributionsContext, ids: readonly string[]) {
  for (const media of (await findMedia(db, account, ids)).values())
    yield lineOf({ kind: MEDIA, value: media });
}

/** Media come before the records that show them. */
async function* rowsOf(
  context: ContributionsContext,
  id: string,
  catalogTags: SavedAssignment["catalogTags"],
): AsyncGenerator<Uint8Array> {
  const { db, account } = context;
  const assignment = await findAssignment(db, account, id);
  if (!assignment) throw new BackupSourceError(`There is no assignment ${id} any more.`);
  const { form_id: formId, cover_media_id: cover } = assignment;
  const saved: SavedAssignment = {
    assignment,
    tags: (await tagsOf(db, account, "assignment", [id])).get(id) ?? [],
    form: formId === null ? undefined : await findForm(db, account, formId),
    catalogTags,
  };
  yield lineOf({ kind: HEAD, value: saved });
  if (cover !== null) yield* mediaLines(context, [cover]);
  for (let afterPlace = 0; ; ) {
    const stretch = { afterPlace, limit: CONTRIBUTIONS_AT_ONCE };
    const some = await listWholeContributions(db, account, id, stretch);
    for (const whole of some) {
      const ids = whole.usages.map((usage) => usage.media_id);
      yield* mediaLines(context, ids);
      yield lineOf({ kind: CONTRIBUTION, value: whole });
    }
    const last = some.at(-1);
    if (!last) return;
    afterPlace = last.row.place;
  }
}

/** Bytes of media never change. If one was deleted since the snapshot, the next attempt has no row of it. */
async function* content(
  { blobs }: ContributionsContext,
  gathered: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const { kind, value } of new RecordReader(gathered)) {
    if (kind !== MEDIA) {
      yield lineOf({ kind, value });
      continue;
    }
    const { blob_id: blobId, size } = value as MediaRow;
    yield lineOf({ kind, value, size });
    let read = 0;
    for await (const bytes of blobs.chunks(blobId)) {
      read += bytes.length;
      yield bytes;
    }
    if (read !== size) throw new Error(`the media ${blobId} were deleted while the assignment was read`);
  }
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "ContributionAssignment",
  types: [ASSIGNMENT_TYPE],
  restoreMetadata: async (_context, { name }) => ({ [ASSIGNMENT_NAME]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [ASSIGNMENT_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, { arn, tags }) {
    const id = findAssignmentIn(arn) ?? "";
    yield* content(
      own(context),
      own(context).gather((moment) => rowsOf(moment, id, tags)),
    );
  },
  restore: (context, bytes, request) => restore(own(context), bytes, request),
  async remove(context, arn) {
    const { db, account, clock, catalog } = own(context);
    const row = await findAssignment(db, account, findAssignmentIn(arn) ?? "");
    if (!row) return;
    await updateAssignment(db, account, row.id, { deleted_at: clock.nowMs(), url_words: row.id });
    await catalog.remove(assignmentArnOf(account, row.id));
    await scheduleAssignmentDeletion(own(context), row.id);
  },
});
