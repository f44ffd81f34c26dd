/** An assignment with all its contributions, as rows, for complete copies. */
import type { Kysely } from "kysely";
import type {
  AssignmentRow,
  ContributionRow,
  EditRow,
  FlagRow,
  FormResponseRow,
  LikeRow,
  MediaUsageRow,
  ModerationRow,
  Tables,
  TagRow,
} from "../tables/index.ts";
import {
  type AfterPlace,
  contributionsAfter,
  insertContribution,
  insertUsages,
  usagesOf,
} from "./contributions.ts";
import { insertEdit } from "./edits.ts";
import { insertResponse } from "./forms.ts";
import { insertFlag, insertLike, insertModeration } from "./opinions.ts";
import { contributionOf } from "./search.ts";
import { setTags, tagsOf } from "./tags.ts";

type Db = Kysely<Tables>;

/** A contribution with all dependent rows. */
export type WholeContribution = {
  readonly row: ContributionRow;
  readonly usages: readonly MediaUsageRow[];
  readonly likes: readonly LikeRow[];
  readonly flags: readonly FlagRow[];
  readonly moderations: readonly ModerationRow[];
  /** Absent in copies of earlier releases. */
  readonly edits?: readonly EditRow[];
  readonly responses: readonly FormResponseRow[];
  readonly tags: readonly TagRow[];
};

const belongingsOf = async <
  Name extends
    | "contributions_like"
    | "contributions_flag"
    | "contributions_moderation"
    | "contributions_edit"
    | "contributions_form_response",
>(
  db: Db,
  account: string,
  table: Name,
  ids: readonly string[],
): Promise<Map<string, Tables[Name][]>> => {
  const rows = await db
    .selectFrom<"contributions_like">(table as "contributions_like")
    .selectAll()
    .where("account", "=", account)
    .where("contribution_id", "in", ids)
    .execute();
  const found = new Map<string, Tables[Name][]>();
  for (const row of rows as Tables[Name][]) {
    const id = String(row.contribution_id);
    found.set(id, [...(found.get(id) ?? []), row]);
  }
  return found;
};

export async function listWholeContributions(
  db: Db,
  account: string,
  assignmentId: string,
  after: AfterPlace,
): Promise<WholeContribution[]> {
  const rows = await contributionsAfter(db, account, assignmentId, after).execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const usages = await usagesOf(db, account, ids);
  const likes = await belongingsOf(db, account, "contributions_like", ids);
  const flags = await belongingsOf(db, account, "contributions_flag", ids);
  const moderations = await belongingsOf(db, account, "contributions_moderation", ids);
  const edits = await belongingsOf(db, account, "contributions_edit", ids);
  const responses = await belongingsOf(db, account, "contributions_form_response", ids);
  const tags = await tagsOf(db, account, "contribution", ids);
  return rows.map((row) => ({
    row: contributionOf(row),
    usages: usages.filter((usage) => usage.contribution_id === row.id),
    likes: likes.get(row.id) ?? [],
    flags: flags.get(row.id) ?? [],
    moderations: moderations.get(row.id) ?? [],
    edits: edits.get(row.id) ?? [],
    responses: responses.get(row.id) ?? [],
    tags: tags.get(row.id) ?? [],
  }));
}

const PLACES_TRIED_MAX = 10_000;
/** At its own place, or at the first free place after it. */
export async function insertWholeContribution(
  db: Db,
  account: string,
  { row, usages, likes, flags, moderations, edits = [], responses, tags }: WholeContribution,
): Promise<void> {
  let { place } = row;
  while (!(await insertContribution(db, { ...row, place }))) {
    place += 1;
    if (place > row.place + PLACES_TRIED_MAX) throw new Error("no place was free for a contribution");
  }
  await insertUsages(db, usages);
  for (const like of likes) await insertLike(db, like);
  for (const flag of flags) await insertFlag(db, flag);
  for (const moderation of moderations) await insertModeration(db, moderation);
  for (const edit of edits) await insertEdit(db, edit);
  for (const response of responses) await insertResponse(db, response);
  const tagIds = tags.map(({ id }) => id);
  await setTags(db, account, { kind: "contribution", recordId: row.id }, tagIds);
}

/** Also one that is being deleted and already hidden. */
export const findAnyAssignment = (db: Db, account: string, id: string): Promise<AssignmentRow | undefined> =>
  db
    .selectFrom("contributions_assignment")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
