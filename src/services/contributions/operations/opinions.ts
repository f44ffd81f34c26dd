/** Likes, flags, and moderators' decisions. */
import { Type } from "@sinclair/typebox";
import { networkOf } from "#kernel/auth";
import { operationsFor } from "#kernel/operation";
import { type Caller, isModerator } from "../domain/access.ts";
import {
  type ActionName,
  hidesByFlags,
  isPublicState,
  type StateName,
  stateAfter,
} from "../domain/moderation.ts";
import { errors } from "../errors.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import { setState } from "../store/contributions.ts";
import * as store from "../store/opinions.ts";
import type { ContributionRow, FlagRow, Tables } from "../tables/index.ts";
import { callerOf, noteUser, signedInCallerOf } from "../views/caller.ts";
import { flagViewOf } from "../views/flag-views.ts";
import { Flag, FlagSubmission, ModerationSubmission, StateId } from "../wire/contributions.ts";
import { named } from "../wire/texts.ts";
import { getContribution } from "./contributions.ts";
import { noteContribution } from "./create-contribution.ts";

const operation = operationsFor<Tables, State>();

const like = operation({
  id: "contributions.contributions.like",
  summary: "Likes a contribution",
  description:
    "Counts once for each person; repeating it changes nothing. Returns the number of likes. A like cannot be taken back.",
  method: "POST",
  path: "/contributions/{id}/like",
  permission: "contributions:LikeContribution",
  params: named,
  answers: { 200: Type.Number({ description: "How many like it.", examples: [12] }) },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const { db, account, clock } = context;
    const caller = signedInCallerOf(context);
    const { row } = await getContribution(context, caller, params.id);
    await noteUser(context, caller.userId);
    const liked = { account, contribution_id: row.id, user_id: caller.userId, liked_at: clock.nowMs() };
    if (!(await store.insertLike(db, liked))) return row.likes;
    const likes = await store.addToCount(db, account, row.id, "likes", 1);
    await noteContribution(context, "contribution.liked", row, caller);
    return likes;
  },
});
const listLikes = operation({
  id: "contributions.contributions.likes",
  summary: "Lists the people who like a contribution",
  description: "At most 10000 ids.",
  method: "GET",
  path: "/contributions/{id}/likes",
  permission: "contributions:ListLikes",
  params: named,
  answers: {
    200: Type.Array(
      Type.String({ description: "A person's id.", examples: ["usr_1m7fqc7680000eyv1bw2px5"] }),
    ),
  },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const { row } = await getContribution(context, callerOf(context), params.id);
    return store.listLikes(context.db, context.account, row.id);
  },
});

/** For anonymous visitors, each network counts once. */
const flaggerOf = ({ request }: ContributionsContext, caller: Caller): string =>
  caller.userId ?? `network:${networkOf(request.remoteAddress)}`;

const flag = operation({
  id: "contributions.contributions.flag",
  summary: "Flags a contribution",
  description:
    "Counts once for each person, or network of visitors. When the flags reach the assignment's limit (3 by default), the contribution is hidden until a moderator approves it.",
  method: "POST",
  path: "/contributions/{id}/flag",
  permission: "contributions:FlagContribution",
  params: named,
  body: FlagSubmission,
  answers: { 200: Flag },
  errors: [errors.notFound],
  examples: { body: { type: "privacy", notes: "A child's face." } },
  async handle({ params, body }, context) {
    const { db, account, ids, clock } = context;
    const caller = callerOf(context);
    const { row } = await getContribution(context, caller, params.id);
    const flaggedBy = flaggerOf(context, caller);
    const flagged: FlagRow = {
      account,
      id: ids.next("flg"),
      contribution_id: row.id,
      flagged_by: flaggedBy,
      type: body.type,
      notes: body.notes ?? "",
      email: body.email ?? null,
      flagged_at: clock.nowMs(),
    };
    if (!(await store.insertFlag(db, flagged)))
      return flagViewOf((await store.findFlag(db, account, row.id, flaggedBy)) ?? flagged);
    const flags = await store.addToCount(db, account, row.id, "flags", 1);
    await noteContribution(context, "contribution.flagged", row, caller);
    await hideWhereFlagged(context, row, flags);
    return flagViewOf(flagged);
  },
});
async function hideWhereFlagged(
  context: ContributionsContext,
  row: ContributionRow,
  flags: number,
): Promise<void> {
  const { db, account, ids, clock } = context;
  const assignment = await findAssignment(db, account, row.assignment_id);
  if (!assignment || !hidesByFlags(row.state as StateName, flags, Number(assignment.flags_hide))) return;
  await setState(db, account, row.id, { state: "flagged", is_public: 0 });
  await store.insertModeration(db, {
    account,
    contribution_id: row.id,
    id: ids.sortable(),
    action: "flag",
    notes: `${flags} people flagged it.`,
    user_id: null,
    moderated_at: clock.nowMs(),
  });
  await noteContribution(context, "contribution.hidden", row, { kind: "anonymous", userId: undefined });
}

const EVENT_OF = {
  approve: "contribution.approved",
  reject: "contribution.rejected",
  hold: "contribution.held",
  flag: "contribution.hidden",
} as const;

/** For clients and for the console. Needs a transaction. */
export async function moderate(
  context: ContributionsContext,
  caller: Caller,
  row: ContributionRow,
  { action, notes }: { action: ActionName; notes: string },
): Promise<StateName> {
  const { db, account, ids, clock } = context;
  const state = stateAfter(action);
  await setState(db, account, row.id, {
    state,
    is_public: isPublicState(state) ? 1 : 0,
    ...(action === "approve" && { flags: 0 }),
  });
  if (action === "approve") await store.forgetFlags(db, account, row.id);
  await store.insertModeration(db, {
    account,
    contribution_id: row.id,
    id: ids.sortable(),
    action,
    notes,
    user_id: caller.userId ?? null,
    moderated_at: clock.nowMs(),
  });
  await noteContribution(context, EVENT_OF[action], row, caller);
  return state;
}
const postModeration = operation({
  id: "contributions.contributions.moderate",
  summary: "Approves, rejects, holds or hides a contribution",
  description:
    "For the assignment's owner and moderator. Approval deletes its flags. Every decision is recorded; a later one replaces the state. Returns the new state.",
  method: "POST",
  path: "/contributions/{id}/moderate",
  permission: "contributions:ModerateContribution",
  params: named,
  body: ModerationSubmission,
  answers: { 200: StateId },
  errors: [errors.notPermitted, errors.notFound],
  examples: { body: { action: { id: "approve" }, notes: "Checked with the caller." } },
  async handle({ params, body }, context) {
    const caller = signedInCallerOf(context);
    const { row, owned } = await getContribution(context, caller, params.id);
    if (!isModerator(caller, owned))
      throw errors.notPermitted("Only the assignment's owner and moderator may do this.");
    await noteUser(context, caller.userId);
    return moderate(context, caller, row, { action: body.action.id, notes: body.notes ?? "" });
  },
});

export const opinionOperations = [like, listLikes, flag, postModeration];
