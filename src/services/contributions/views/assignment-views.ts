/** Assignments, tags and forms as clients see them. */
import { isoOf } from "#kernel/clock";
import { type Caller, isModerator } from "../domain/access.ts";
import { isOpen, isUnderEmbargo, timesOf } from "../domain/assignments.ts";
import type { Policy } from "../domain/moderation.ts";
import type { Viewing } from "../state.ts";
import { findTagSets, type TaggedKind, tagsOf } from "../store/tags.ts";
import type { AssignmentRow, TagRow } from "../tables/index.ts";
import { coverViewOf, type MediaUsageView } from "./media-views.ts";
import { type TagView, tagViewOf } from "./tag-views.ts";

export const ownedOf = (row: AssignmentRow) => ({
  ownerId: row.owner_id,
  moderatorId: row.moderator_id ?? undefined,
});
export const isVisible = (caller: Caller, row: AssignmentRow, nowMs: number): boolean =>
  !isUnderEmbargo(timesOf(row), nowMs) || isModerator(caller, ownedOf(row));

export async function tagViewsOf(
  { db, account }: Viewing,
  rows: readonly TagRow[],
): Promise<Map<string, TagView>> {
  const sets = await findTagSets(
    db,
    account,
    rows.flatMap((row) => row.tag_set_id ?? []),
  );
  return new Map(rows.map((row) => [row.id, tagViewOf(row, sets.get(row.tag_set_id ?? ""))]));
}
/** By record id. */
export async function recordTagsOf(
  context: Viewing,
  kind: TaggedKind,
  recordIds: readonly string[],
): Promise<(recordId: string) => TagView[]> {
  const byRecord = await tagsOf(context.db, context.account, kind, recordIds);
  const views = await tagViewsOf(context, [...byRecord.values()].flat());
  return (recordId) => (byRecord.get(recordId) ?? []).flatMap(({ id }) => views.get(id) ?? []);
}

type Times = { readonly starts?: string; readonly ends?: string; readonly embargo?: string };
const timeMember = (name: keyof Times, value: number | null): Times =>
  value === null ? {} : { [name]: isoOf(Number(value)) };

function assignmentViewOf(
  context: Viewing,
  row: AssignmentRow,
  tags: TagView[],
  cover: MediaUsageView | undefined,
) {
  return {
    id: row.id,
    name: row.name,
    ...(row.description !== "" && { description: row.description }),
    ...(row.call_to_action !== "" && { callToAction: row.call_to_action }),
    ...(row.receipt_message !== "" && { receiptMessage: row.receipt_message }),
    ...(row.moderator_id !== null && { moderator: row.moderator_id }),
    ...timeMember("starts", row.starts_at),
    ...timeMember("ends", row.ends_at),
    ...timeMember("embargo", row.embargo_at),
    featured: Number(row.featured) === 1,
    mediaRequired: Number(row.media_required) === 1,
    allowsAnonymousContributions: Number(row.allows_anonymous) === 1,
    moderation: row.moderation as Policy,
    ...(row.location_precision !== null && { locationPrecision: Number(row.location_precision) }),
    flagsHide: Number(row.flags_hide),
    ...(row.form_id !== null && { form: row.form_id }),
    urlWords: row.url_words,
    ownedBy: row.owner_id,
    open: isOpen(timesOf(row), context.clock.nowMs()),
    created: isoOf(Number(row.created_at)),
    webUrl: `${context.request.mountUrl}/pages/${row.id}`,
    ...(cover && { cover }),
    tags,
  };
}
export type AssignmentView = ReturnType<typeof assignmentViewOf>;

/** By id, in the order of the rows. `mayBeTagged`: false if it is known that none has a tag. */
export async function assignmentViewsOf(
  context: Viewing,
  rows: readonly AssignmentRow[],
  mayBeTagged = true,
): Promise<Map<string, AssignmentView>> {
  const tags = await recordTagsOf(context, "assignment", mayBeTagged ? rows.map(({ id }) => id) : []);
  const views = new Map<string, AssignmentView>();
  for (const row of rows) {
    const cover = row.cover_media_id === null ? undefined : await coverViewOf(context, row.cover_media_id);
    views.set(row.id, assignmentViewOf(context, row, tags(row.id), cover));
  }
  return views;
}
