/** The target of a restore: the original place, or a new assignment that is hidden until it is complete. */

import { parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE } from "#kernel/backups";
import type { RestoreRequest } from "#ports/backup-sources";
import { ASSIGNMENTS_MAX } from "../domain/assignments.ts";
import { freeUrlWords } from "../domain/url-words.ts";
import { scheduleCopyDeletion } from "../jobs/deletion.ts";
import type { ContributionsContext } from "../state.ts";
import { countAssignments, insertAssignment, searchWordsOf, takenUrlWords } from "../store/assignments.ts";
import { findAnyAssignment } from "../store/copies.ts";
import { findForm, insertForm } from "../store/forms.ts";
import { findTag, findTagSet, insertTag } from "../store/tags.ts";
import type { AssignmentRow, FormRow, TagRow } from "../tables/index.ts";
import { noteUser } from "../views/caller.ts";
import { ASSIGNMENT_NAME, type SavedAssignment } from "./records.ts";

const DAY_MS = 86_400_000;

export type Place = {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly formId: string | null;
  /** All records keep their ids. */
  readonly isOwn: boolean;
  /** From another account: its users are unknown here. */
  readonly isForeign: boolean;
  /** Hidden until it is complete. */
  readonly isHidden: boolean;
};

const keepForm = async (
  { db, account, ids }: ContributionsContext,
  form: FormRow | undefined,
  isForeign: boolean,
  ownerId: string,
): Promise<string | null> => {
  if (!form) return null;
  if (await findForm(db, account, form.id)) return form.id;
  const id = isForeign ? ids.next("frm") : form.id;
  await insertForm(db, { ...form, account, id, owner_id: ownerId });
  return id;
};

/** Restores tags that were deleted since then. Returns the id here. */
export async function keepTag(
  { db, account, ids }: ContributionsContext,
  { isForeign, ownerId }: Pick<Place, "isForeign" | "ownerId">,
  tag: TagRow,
): Promise<string> {
  if (!isForeign && (await findTag(db, account, tag.id))) return tag.id;
  const owner_id = isForeign ? ownerId : tag.owner_id;
  const taken = await takenUrlWords(db, account, "contributions_tag", {
    ownerId: owner_id,
    urlWords: tag.url_words,
  });
  const tag_set_id =
    tag.tag_set_id !== null && (await findTagSet(db, account, tag.tag_set_id)) ? tag.tag_set_id : null;
  const id = isForeign ? ids.next("tag") : tag.id;
  await insertTag(db, {
    ...tag,
    account,
    id,
    owner_id,
    tag_set_id,
    url_words: freeUrlWords(tag.url_words, taken),
  });
  return id;
}

/** Creates what is missing. Needs a transaction. */
export async function beginPlace(
  context: ContributionsContext,
  { assignment: saved, form }: SavedAssignment,
  { resourceArn, metadata }: RestoreRequest,
): Promise<Place> {
  const { db, account, ids, clock } = context;
  const isForeign = parseArn(resourceArn)?.account !== account;
  const isOwn = !isForeign && metadata[IN_PLACE] === "true";
  const before = isOwn ? await findAnyAssignment(db, account, saved.id) : undefined;
  if (before && before.deleted_at !== null)
    throw new BackupSourceError(`The assignment ${saved.id} is being deleted; try again when it is gone.`);
  const ownerId = isForeign ? account : saved.owner_id;
  if (isForeign) await noteUser(context, account);
  const place: Place = {
    id: isOwn ? saved.id : ids.next("asg"),
    name: metadata[ASSIGNMENT_NAME] ?? saved.name,
    ownerId,
    formId: await keepForm(context, form, isForeign, ownerId),
    isOwn,
    isForeign,
    isHidden: before === undefined,
  };
  if (before) return place;
  if ((await countAssignments(db, account)) >= ASSIGNMENTS_MAX)
    throw new BackupSourceError(`An account has ${ASSIGNMENTS_MAX} assignments at the most.`);
  const nowMs = clock.nowMs();
  const row = { ...rowOf(account, place, saved), url_words: place.id, deleted_at: nowMs };
  await insertAssignment(db, { ...row, cover_media_id: null });
  await scheduleCopyDeletion(context, place.id, nowMs + DAY_MS);
  return place;
}

/** Its final state, except for its cover. */
export const rowOf = (account: string, place: Place, saved: AssignmentRow): AssignmentRow => ({
  ...saved,
  account,
  id: place.id,
  name: place.name,
  search_words: searchWordsOf(place.name, saved.description),
  owner_id: place.ownerId,
  moderator_id: place.isForeign ? null : saved.moderator_id,
  form_id: place.formId,
});
