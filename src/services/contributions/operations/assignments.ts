/** Assignments: created, changed at the same address, listed, and deleted with their contributions. */
import { type Static, Type } from "@sinclair/typebox";
import { parseInstant } from "#kernel/clock";
import { noBody, operationsFor } from "#kernel/operation";
import { urlWordsFor } from "../actions/url-words.ts";
import { type Caller, isOwner } from "../domain/access.ts";
import { assignmentArnOf } from "../domain/arns.ts";
import { ASSIGNMENTS_MAX } from "../domain/assignments.ts";
import { errors } from "../errors.ts";
import { scheduleBlurring } from "../jobs/blurring.ts";
import { showInCatalog } from "../jobs/catalog.ts";
import { noteChange } from "../jobs/changes.ts";
import { scheduleAssignmentDeletion } from "../jobs/deletion.ts";
import { planRemovingUnused } from "../jobs/media.ts";
import { noteTurnByHand, scheduleTurns } from "../jobs/openings.ts";
import type { ContributionsContext, State } from "../state.ts";
import * as store from "../store/assignments.ts";
import { setTags } from "../store/tags.ts";
import type { AssignmentRow, Tables } from "../tables/index.ts";
import { type AssignmentView, assignmentViewsOf, isVisible, ownedOf } from "../views/assignment-views.ts";
import { callerOf, findUserOf, noteUser, signedInCallerOf } from "../views/caller.ts";
import { Assignment, AssignmentSubmission } from "../wire/assignments.ts";
import { named, pageQuery } from "../wire/texts.ts";
import { getMedia, getOwnForm, getTagIds } from "./given-records.ts";
import { checkPage, counted } from "./paging.ts";

const operation = operationsFor<Tables, State>();
type Submission = Static<typeof AssignmentSubmission>;
const FLAGS_HIDE = 3;

export const noAssignment = (id: string) => errors.notFound(`There is no assignment ${id}.`);
export async function getAssignment(
  { db, account, clock }: ContributionsContext,
  caller: Caller,
  id: string,
): Promise<AssignmentRow> {
  const row = await store.findAssignment(db, account, id);
  if (!row || !isVisible(caller, row, clock.nowMs())) throw noAssignment(id);
  return row;
}
async function getOwnAssignment(
  context: ContributionsContext,
  caller: Caller,
  id: string,
): Promise<AssignmentRow> {
  const row = await getAssignment(context, caller, id);
  if (!isOwner(caller, ownedOf(row))) throw errors.notPermitted("Only its owner may do this.");
  return row;
}
async function viewOf(context: ContributionsContext, row: AssignmentRow): Promise<AssignmentView> {
  const view = (await assignmentViewsOf(context, [row])).get(row.id);
  if (!view) throw errors.notFound(`There is no assignment ${row.id}.`);
  return view;
}

const instant = (name: string, value: string | null): number | null => {
  if (value === null) return null;
  const ms = parseInstant(value);
  if (ms === undefined) throw errors.invalid(`${name} must be a time.`, { target: name });
  return ms;
};
const bit = (value: boolean | undefined): number => (value === true ? 1 : 0);

/** The columns of the members in a submission. Absent members give no column. */
function columnsOf(body: Submission): Partial<AssignmentRow> {
  return {
    ...(body.description !== undefined && { description: body.description }),
    ...(body.callToAction !== undefined && { call_to_action: body.callToAction }),
    ...(body.receiptMessage !== undefined && { receipt_message: body.receiptMessage }),
    ...(body.moderator !== undefined && { moderator_id: body.moderator }),
    ...(body.starts !== undefined && { starts_at: instant("starts", body.starts) }),
    ...(body.ends !== undefined && { ends_at: instant("ends", body.ends) }),
    ...(body.embargo !== undefined && { embargo_at: instant("embargo", body.embargo) }),
    ...(body.featured !== undefined && { featured: bit(body.featured) }),
    ...(body.mediaRequired !== undefined && { media_required: bit(body.mediaRequired) }),
    ...(body.allowsAnonymousContributions !== undefined && {
      allows_anonymous: bit(body.allowsAnonymousContributions),
    }),
    ...(body.moderation !== undefined && { moderation: body.moderation }),
    ...(body.locationPrecision !== undefined && { location_precision: body.locationPrecision }),
    ...(body.flagsHide !== undefined && { flags_hide: body.flagsHide }),
  };
}
async function checkGiven(context: ContributionsContext, caller: Caller, body: Submission) {
  const [cover] = body.cover ? await getMedia(context, caller, [body.cover.media.id], "cover") : [];
  if (cover && cover.type !== "image") throw errors.invalid("A cover is a picture.", { target: "cover" });
  if (body.form != null) await getOwnForm(context, caller, body.form);
  if (body.moderator != null && !(await findUserOf(context, body.moderator)))
    throw errors.invalid(`There is no user ${body.moderator}.`, { target: "moderator" });
  return {
    ...(body.cover !== undefined && { cover_media_id: cover?.id ?? null }),
    ...(body.form !== undefined && { form_id: body.form }),
  };
}
function checkTimes({ starts_at: starts, ends_at: ends }: AssignmentRow): void {
  if (starts !== null && ends !== null && Number(ends) <= Number(starts))
    throw errors.invalid("An assignment ends after it starts.", { target: "ends" });
}

/** For clients and for demo data. Needs a transaction. */
export async function createAssignment(
  context: ContributionsContext,
  body: Submission,
): Promise<AssignmentRow> {
  const { db, account, clock, ids } = context;
  const caller = signedInCallerOf(context);
  if (body.name === undefined) throw errors.invalid("An assignment has a name.", { target: "name" });
  if ((await store.countAssignments(db, account)) >= ASSIGNMENTS_MAX)
    throw errors.tooMany(`An account has ${ASSIGNMENTS_MAX} assignments at the most.`);
  await noteUser(context, caller.userId);
  const id = ids.next("asg");
  const row: AssignmentRow = {
    account,
    id,
    owner_id: caller.userId,
    name: body.name,
    url_words: "",
    search_words: store.searchWordsOf(body.name, body.description ?? ""),
    description: "",
    call_to_action: "",
    receipt_message: "",
    moderator_id: null,
    cover_media_id: null,
    form_id: null,
    starts_at: null,
    ends_at: null,
    embargo_at: null,
    featured: 0,
    media_required: 0,
    allows_anonymous: 0,
    moderation: "before",
    location_precision: null,
    flags_hide: FLAGS_HIDE,
    deleted_at: null,
    created_at: clock.nowMs(),
    ...columnsOf(body),
    ...(await checkGiven(context, caller, body)),
  };
  row.url_words = await urlWordsFor(context, row, body.urlWords);
  checkTimes(row);
  await store.insertAssignment(db, row);
  await showInCatalog(context, row);
  if (row.starts_at !== null || row.ends_at !== null) await scheduleTurns(context, row);
  await setTags(db, account, { kind: "assignment", recordId: id }, await getTagIds(context, body.tags));
  await noteAssignment(context, "assignment.created", row, caller);
  return row;
}
async function changeAssignment(
  context: ContributionsContext,
  id: string,
  body: Submission,
): Promise<AssignmentRow> {
  const { db, account } = context;
  const caller = signedInCallerOf(context);
  const before = await getOwnAssignment(context, caller, id);
  const name = body.name ?? before.name;
  const row: AssignmentRow = {
    ...before,
    ...columnsOf(body),
    ...(await checkGiven(context, caller, body)),
    name,
    search_words: store.searchWordsOf(name, body.description ?? before.description),
  };
  if (body.urlWords !== undefined) row.url_words = await urlWordsFor(context, row, body.urlWords);
  checkTimes(row);
  const { account: _account, id: _id, ...change } = row;
  await store.updateAssignment(db, account, id, change);
  if (name !== before.name) await showInCatalog(context, row);
  if (body.tags !== undefined)
    await setTags(db, account, { kind: "assignment", recordId: id }, await getTagIds(context, body.tags));
  await noteAssignment(context, "assignment.changed", row, caller);
  await followChange(context, before, row);
  return row;
}
/** The side effects of a change. */
async function followChange(
  context: ContributionsContext,
  before: AssignmentRow,
  row: AssignmentRow,
): Promise<void> {
  const differs = (...columns: (keyof AssignmentRow)[]): boolean =>
    columns.some((column) => row[column] !== before[column]);
  if (differs("starts_at", "ends_at")) {
    await scheduleTurns(context, row);
    await noteTurnByHand(context, before, row);
  }
  if (differs("location_precision")) await scheduleBlurring(context, row.id);
  if (differs("cover_media_id")) await planRemovingUnused(context);
}
const noteAssignment = (
  context: ContributionsContext,
  type: "assignment.created" | "assignment.changed" | "assignment.deleted",
  row: AssignmentRow,
  caller: Caller,
) =>
  noteChange(context, {
    type,
    description: row.name,
    recordId: row.id,
    assignmentId: row.id,
    ownerId: row.owner_id,
    userId: caller.userId,
  });

const postAssignment = operation({
  id: "contributions.assignments.create",
  summary: "Creates an assignment, or changes the one whose id is given",
  description: `Only the owner may change it; members that are not given stay. Jobs open and close it at \`starts\` and \`ends\`. A new location precision blurs earlier contributions in a job. An account may have ${ASSIGNMENTS_MAX} assignments. Its public page is \`contributions.pages.view\`.`,
  method: "POST",
  path: "/assignments",
  permission: "contributions:CreateAssignment",
  body: AssignmentSubmission,
  answers: { 200: Assignment },
  errors: [errors.invalid, errors.notPermitted, errors.notFound, errors.tooMany],
  examples: {
    body: { name: "The flood", description: "Show us the river where you live.", moderation: "before" },
  },
  async handle({ body }, context) {
    const row =
      body.id === undefined
        ? await createAssignment(context, body)
        : await changeAssignment(context, body.id, body);
    return viewOf(context, row);
  },
});

const readAssignment = operation({
  id: "contributions.assignments.get",
  summary: "Returns an assignment",
  description: "404 if the caller may not see it.",
  method: "GET",
  path: "/assignments/{id}",
  permission: "contributions:GetAssignment",
  params: named,
  answers: { 200: Assignment },
  errors: [errors.notFound],
  handle: async ({ params }, context) =>
    viewOf(context, await getAssignment(context, callerOf(context), params.id)),
});

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples: [example] }));
const listAssignments = operation({
  id: "contributions.assignments.list",
  summary: "Lists assignments, featured ones first, then the newest",
  description:
    "Assignments that the caller may not see yet are left out. `X-total-count` has the number of all.",
  method: "GET",
  path: "/assignments",
  permission: "contributions:ListAssignments",
  query: Type.Object({
    ownedBy: text("Of this person.", "usr_1m7fqc7680000eyv1bw2px5"),
    q: text("Words of the name or description, or their beginnings.", "flood"),
    urlWords: text("Spelt so in addresses.", "the-flood"),
    open: Type.Optional(
      Type.Boolean({ description: "Whether they take contributions right now.", examples: [true] }),
    ),
    alwaysOpen: Type.Optional(
      Type.Boolean({ description: "Whether they have no closing date.", examples: [true] }),
    ),
    featured: Type.Optional(
      Type.Boolean({ description: "Whether they are to stand out.", examples: [true] }),
    ),
    tag: text("With this tag.", "tag_1m7fqc7680000eyv1bw2px5"),
    name: text("Called exactly so.", "The flood"),
    ...pageQuery,
  }),
  answers: { 200: Type.Array(Assignment) },
  errors: [errors.invalid],
  async handle({ query: { page, pageSize, ...filter } }, context) {
    const { db, account, clock } = context;
    const wanted = { filter, caller: callerOf(context), nowMs: clock.nowMs() };
    const { rows, total } = await store.pageOfAssignments(db, account, wanted, checkPage({ page, pageSize }));
    return counted([...(await assignmentViewsOf(context, rows)).values()], total);
  },
});

const deleteAssignment = operation({
  id: "contributions.assignments.delete",
  summary: "Deletes an assignment with its contributions",
  description:
    "Only the owner may. It is hidden immediately and its URL words are free; a job deletes the contributions with their media.",
  method: "DELETE",
  path: "/assignments/{id}",
  permission: "contributions:DeleteAssignment",
  params: named,
  answers: { 200: noBody },
  errors: [errors.notPermitted, errors.notFound],
  async handle({ params }, context) {
    const caller = signedInCallerOf(context);
    const row = await getOwnAssignment(context, caller, params.id);
    const { db, account, clock } = context;
    // Its address is free at once.
    await store.updateAssignment(db, account, row.id, { deleted_at: clock.nowMs(), url_words: row.id });
    await context.catalog.remove(assignmentArnOf(account, row.id));
    await scheduleAssignmentDeletion(context, row.id);
    await noteAssignment(context, "assignment.deleted", row, caller);
  },
});

export const assignmentOperations = [listAssignments, postAssignment, readAssignment, deleteAssignment];
