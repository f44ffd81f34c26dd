/** Contributions: created, found by any combination of filters, read and deleted. */
import { Type } from "@sinclair/typebox";
import { answer, finishedJson, operationsFor } from "#kernel/operation";
import { type Caller, isModerator, type Owned } from "../domain/access.ts";
import { isUnderEmbargo, timesOf } from "../domain/assignments.ts";
import { errors } from "../errors.ts";
import { scheduleDeletion } from "../jobs/deletion.ts";
import type { ContributionsContext, State } from "../state.ts";
import { type Destination, findAssignment } from "../store/assignments.ts";
import * as store from "../store/contributions.ts";
import type { ContributionRow, Tables } from "../tables/index.ts";
import { ownedOf } from "../views/assignment-views.ts";
import { callerOf, sightOf, signedInCallerOf } from "../views/caller.ts";
import { contributionViewsOf } from "../views/contribution-views.ts";
import { Contribution, ContributionSubmission } from "../wire/contributions.ts";
import { listFilterParameters, readFilter } from "../wire/filter.ts";
import { named, pageQuery } from "../wire/texts.ts";
import { createContribution, noteContribution } from "./create-contribution.ts";
import { feedOf } from "./feed.ts";
import { FoundPages } from "./found-pages.ts";
import { checkPage } from "./paging.ts";

const operation = operationsFor<Tables, State>();

export type Seen = { readonly row: ContributionRow; readonly owned: Owned };
/** The caller sees public ones, their own, and those they decide on. Others get 404. */
export async function getContribution(
  context: ContributionsContext,
  caller: Caller,
  id: string,
): Promise<Seen> {
  const { db, account, clock } = context;
  const row = await store.findContribution(db, account, id);
  const assignment = row && (await findAssignment(db, account, row.assignment_id));
  if (row && assignment) {
    const owned = ownedOf(assignment);
    const isPublic = row.is_public === 1 && !isUnderEmbargo(timesOf(assignment), clock.nowMs());
    const isTheirs = row.user_id !== null && row.user_id === caller.userId;
    if (isPublic || isTheirs || isModerator(caller, owned)) return { row, owned };
  }
  throw errors.notFound(`There is no contribution ${id}.`);
}
export async function viewOf(
  context: ContributionsContext,
  caller: Caller,
  row: ContributionRow,
  destination?: Destination,
) {
  const [view] = await contributionViewsOf(context, caller, [row], destination);
  if (!view) throw errors.notFound(`There is no contribution ${row.id}.`);
  return view;
}

const postContribution = operation({
  id: "contributions.contributions.create",
  summary: "Sends a contribution to an assignment",
  description:
    "The assignment must be open. Upload media first with `contributions.media.create`. The moderation policy of the assignment decides whether it is public immediately. The position of the first picture is used if none is given. Subscribers are notified by jobs.",
  method: "POST",
  path: "/contributions",
  permission: "contributions:CreateContribution",
  body: ContributionSubmission,
  answers: { 200: Contribution },
  errors: [errors.invalid, errors.notFound, errors.closed],
  examples: {
    body: {
      assignment: { id: "asg_1m7fqc7680000eyv1bw2px5" },
      headline: "The bridge this morning",
      place: { latLong: { latitude: 51.5, longitude: -0.12 } },
    },
  },
  async handle({ body }, context) {
    const caller = signedInCallerOf(context);
    const { row, assignment } = await createContribution(context, caller, {
      ...body,
      assignmentId: body.assignment.id,
      mediaIds: (body.mediaUsages ?? []).map(({ media }) => media.id),
    });
    return viewOf(context, caller, row, assignment);
  },
});

const readContribution = operation({
  id: "contributions.contributions.get",
  summary: "Returns a contribution",
  description: "404 unless it is public, the caller's own, or the caller moderates it.",
  method: "GET",
  path: "/contributions/{id}",
  permission: "contributions:GetContribution",
  params: named,
  answers: { 200: Contribution },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const caller = callerOf(context);
    return viewOf(context, caller, (await getContribution(context, caller, params.id)).row);
  },
});

const deleteContribution = operation({
  id: "contributions.contributions.delete",
  summary: "Deletes a contribution with its media",
  description: "Its contributor or a moderator may. It is hidden immediately; a job deletes it.",
  method: "DELETE",
  path: "/contributions/{id}",
  permission: "contributions:DeleteContribution",
  params: named,
  answers: { 200: Contribution },
  errors: [errors.notPermitted, errors.notFound],
  async handle({ params }, context) {
    const { db, account, clock } = context;
    const caller = signedInCallerOf(context);
    const { row, owned } = await getContribution(context, caller, params.id);
    if (row.user_id !== caller.userId && !isModerator(caller, owned))
      throw errors.notPermitted("Only its contributor, or who decides on it, may do this.");
    const view = await viewOf(context, caller, row);
    await store.markDeleted(db, account, row.id, clock.nowMs());
    await scheduleDeletion(context, row.id);
    await noteContribution(context, "contribution.deleted", row, caller);
    return view;
  },
});

const JSON_TYPE = { "content-type": "application/json" };
const FEED_TYPE = { "content-type": "application/rss+xml; charset=utf-8" };
const Place = Type.Optional(
  Type.String({
    maxLength: 2000,
    description: "Where the next page goes on, as the Link header of the one before says.",
    examples: [""],
  }),
);
const listContributions = operation({
  id: "contributions.contributions.list",
  summary: "Lists the contributions that match all filters, newest first",
  description:
    "The caller sees public contributions, their own and those that they moderate. Page numbers shift when contributions arrive; the URL in the Link header continues exactly. `X-total-count` is left out if counting would take long; `contributions.exports.summarise` always counts. `format=rss` returns a feed.",
  method: "GET",
  path: "/contributions",
  permission: "contributions:ListContributions",
  query: Type.Object({
    ...listFilterParameters,
    format: Type.Union([Type.Literal("json"), Type.Literal("rss")], {
      default: "json",
      description: "As JSON, or as a feed.",
      examples: ["json"],
    }),
    ...pageQuery,
    next: Place,
  }),
  answers: { 200: finishedJson(Type.Array(Contribution), "application/rss+xml") },
  errors: [errors.invalid],
  async handle({ query: { format, page, pageSize, next, ...rest } }, context) {
    const { pages, request } = context;
    const caller = callerOf(context);
    const wanted = { filter: readFilter(rest), sight: await sightOf(context, caller) };
    const offset = next === undefined ? (checkPage({ page, pageSize }).page - 1) * pageSize : 0;
    const found = new FoundPages(context, wanted);
    const { rows, nextToken } = await pages.of(
      { size: pageSize, token: next, filter: rest, invalid: errors.invalid },
      (row: ContributionRow) => [row.place],
      (after, limit) =>
        found.page({ beforePlace: after === undefined ? undefined : Number(after[0]), limit, offset }),
    );
    const views = await contributionViewsOf(context, caller, rows);
    if (format === "rss") return answer(200, feedOf(context, rest, rows, views), FEED_TYPE);
    const total = await found.findTotal();
    return answer(200, JSON.stringify(views), {
      ...JSON_TYPE,
      ...(total !== undefined && { "x-total-count": String(total) }),
      ...(nextToken !== undefined && { link: linkTo(request, rest, pageSize, nextToken) }),
    });
  },
});
function linkTo(
  { mountUrl }: ContributionsContext["request"],
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  pageSize: number,
  next: string,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, pageSize, next }))
    if (value !== undefined) parameters.set(name, String(value));
  return `<${mountUrl}/contributions?${parameters}>; rel="next"`;
}

export const contributionOperations = [
  listContributions,
  postContribution,
  readContribution,
  deleteContribution,
];
