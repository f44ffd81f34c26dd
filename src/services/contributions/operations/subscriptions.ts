/** Subscriptions, and previews of their messages. */
import { Type } from "@sinclair/typebox";
import { answer, anyone, noBody, operationsFor } from "#kernel/operation";
import { isModerator } from "../domain/access.ts";
import { EVENT_TYPES, type EventType } from "../domain/events.ts";
import { renderMessage } from "../domain/messages.ts";
import { errors } from "../errors.ts";
import { messageFactsOf } from "../jobs/notifications.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import { findContribution } from "../store/contributions.ts";
import * as store from "../store/subscriptions.ts";
import type { SubscriptionRow, Tables } from "../tables/index.ts";
import { isVisible } from "../views/assignment-views.ts";
import { noteUser, signedInCallerOf } from "../views/caller.ts";
import * as wire from "../wire/notifications.ts";

const operation = operationsFor<Tables, State>();
const PER_USER_MAX = 100;
const PER_ACCOUNT_MAX = 2000;
const TOKEN_LENGTH = 32;

function viewOf({ secrets }: ContributionsContext, row: SubscriptionRow): wire.SubscriptionView {
  const includeThumbnail = Number(row.include_thumbnail) === 1;
  return {
    id: row.id,
    user: row.user_id,
    token: secrets.open(row.token),
    types: JSON.parse(row.types) as string[],
    includeBody: Number(row.include_body) === 1,
    includeThumbnail,
    includeThumbenail: includeThumbnail,
    ...(row.assignment_id !== null && { assignment: row.assignment_id }),
    ...(row.email !== null && { email: row.email }),
    ...(row.slack_channel !== null && { slackChannel: row.slack_channel }),
    ...(row.webhook_url !== null && { webhookUrl: row.webhook_url }),
    ...(row.push_url !== null && { pushUrl: row.push_url }),
  };
}

const list = operation({
  id: "contributions.subscriptions.list",
  summary: "Lists the subscriptions of the caller",
  description:
    "A body, if sent, filters them by types and assignment. Includes the tokens that sign deliveries.",
  method: "GET",
  path: "/subscriptions",
  permission: "contributions:ListSubscriptions",
  body: wire.SubscriptionSubmission,
  bodyOptional: true,
  noStore: true,
  answers: { 200: Type.Array(wire.Subscription, { description: "In the order in which they were made." }) },
  async handle({ body }, context) {
    const { userId } = signedInCallerOf(context);
    const rows = await store.listSubscriptions(context.db, context.account, userId);
    const chosen = rows
      .map((row) => viewOf(context, row))
      .filter(
        ({ types, assignment }) =>
          body === undefined ||
          (types.some((type) => body.types.includes(type)) &&
            (body.assignment === undefined || body.assignment === assignment)),
      );
    return answer(200, chosen, { "x-total-count": String(chosen.length) });
  },
});

const create = operation({
  id: "contributions.subscriptions.create",
  summary: "Subscribes the caller to events",
  description: `At least one of e-mail, chat, webhook and push must be given. Messages go to the outbox; those with a URL are delivered by jobs, signed with the token and retried. A person may have ${PER_USER_MAX} subscriptions, an account ${PER_ACCOUNT_MAX}.`,
  method: "POST",
  path: "/subscriptions",
  permission: "contributions:CreateSubscription",
  body: wire.SubscriptionSubmission,
  noStore: true,
  answers: { 200: wire.Subscription },
  errors: [errors.invalid, errors.tooMany],
  tags: ["addition"],
  async handle({ body }, context) {
    const caller = signedInCallerOf(context);
    const { userId } = caller;
    const { db, account, ids, clock, secrets, request } = context;
    const ways = [body.email, body.slackChannel, body.webhookUrl, body.pushUrl];
    if (ways.every((way) => way === undefined))
      throw errors.invalid("One of email, slackChannel, webhookUrl and pushUrl must say where to.", {
        details: [{ target: "email", message: "Say where messages go." }],
      });
    const assignment =
      body.assignment === undefined ? undefined : await findAssignment(db, account, body.assignment);
    if (body.assignment !== undefined && !(assignment && isVisible(caller, assignment, clock.nowMs())))
      throw errors.invalid("There is no such assignment.", {
        details: [{ target: "assignment", message: "There is no such assignment." }],
      });
    const own = await store.listSubscriptions(db, account, userId);
    if (own.length >= PER_USER_MAX || (await store.countSubscriptions(db, account)) >= PER_ACCOUNT_MAX)
      throw errors.tooMany("There are as many subscriptions as there may be.");
    const row: SubscriptionRow = {
      account,
      id: ids.uuid(),
      user_id: userId,
      assignment_id: body.assignment ?? null,
      types: JSON.stringify([...new Set(body.types)]),
      email: body.email ?? null,
      slack_channel: body.slackChannel ?? null,
      webhook_url: body.webhookUrl ?? null,
      push_url: body.pushUrl ?? null,
      include_body: body.includeBody ? 1 : 0,
      include_thumbnail: (body.includeThumbnail ?? body.includeThumbenail) ? 1 : 0,
      token: secrets.seal(ids.secret(TOKEN_LENGTH)),
      base_url: request.mountUrl,
      created_at: clock.nowMs(),
    };
    await store.insertSubscription(db, row);
    await noteUser(context, userId);
    return viewOf(context, row);
  },
});

const remove = operation({
  id: "contributions.subscriptions.delete",
  summary: "Deletes a subscription of the caller",
  description: "Messages that were queued before may still be delivered.",
  method: "DELETE",
  path: "/subscriptions/{id}",
  permission: "contributions:DeleteSubscription",
  params: Type.Object({
    id: Type.String({
      maxLength: 64,
      description: "The subscription's id.",
      examples: ["0b7f8a51-77c1-4c39-a70a-0e3fd1c2a111"],
    }),
  }),
  answers: { 200: noBody },
  errors: [errors.notFound],
  async handle({ params: { id } }, context) {
    const { userId } = signedInCallerOf(context);
    if (!(await store.deleteSubscription(context.db, context.account, { id, userId })))
      throw errors.notFound("There is no such subscription.");
    return answer(200);
  },
});

const types = operation({
  id: "contributions.subscriptionTypes.list",
  summary: "Lists the types of subscriptions",
  description: "The list is fixed.",
  method: "GET",
  path: "/subscription-types",
  permission: anyone,
  answers: { 200: Type.Array(wire.SubscriptionType, { description: "Every type there is." }) },
  handle: () => Object.entries(EVENT_TYPES).map(([id, name]) => ({ id, name })),
});

const isMessage = (name: string): name is EventType =>
  Object.hasOwn(EVENT_TYPES, name) && name.startsWith("contribution.");

const preview = operation({
  id: "contributions.notifications.preview",
  summary: "Previews a notification about a contribution",
  description: "Nothing is sent. For the contributor and moderators.",
  method: "GET",
  path: "/notifications/contributions/{id}/preview",
  permission: "contributions:PreviewNotification",
  params: Type.Object({
    id: Type.String({
      maxLength: 64,
      description: "The contribution's id.",
      examples: ["5f0c7c0e-13b5-4d9a-8f42-6a3d6f1e2b33"],
    }),
  }),
  query: Type.Object({
    message: Type.String({
      maxLength: 64,
      description: "Which message: one of /subscription-types that is about contributions.",
      examples: ["contribution.approved"],
    }),
  }),
  answers: { 200: wire.NotificationPreview },
  errors: [errors.invalid, errors.notFound],
  async handle({ params: { id }, query: { message } }, context) {
    const caller = signedInCallerOf(context);
    const { db, account, request, clock } = context;
    const contribution = await findContribution(db, account, id);
    const assignment = contribution && (await findAssignment(db, account, contribution.assignment_id));
    const owned = assignment && {
      ownerId: assignment.owner_id,
      moderatorId: assignment.moderator_id ?? undefined,
    };
    const mayPreview = owned && (isModerator(caller, owned) || contribution.user_id === caller.userId);
    if (!contribution || contribution.deleted_at !== null || !mayPreview)
      throw errors.notFound("There is no such contribution.");
    if (!isMessage(message))
      throw errors.invalid("There is no such message.", {
        details: [{ target: "message", message: "Name one of the subscription types of contributions." }],
      });
    const change = {
      id: "preview",
      type: message,
      description: contribution.headline,
      record_id: id,
      owner_id: contribution.owner_id,
      user_id: contribution.user_id,
      changed_at: clock.nowMs(),
    };
    const wishes = { body: true, thumbnail: true, placeName: true, base: request.mountUrl };
    const rendered = renderMessage(
      await messageFactsOf(context, { change, contribution, assignment }, wishes),
    );
    return { subject: rendered.subject, html: rendered.html, email: rendered.text };
  },
});

export const subscriptionOperations = [list, create, remove, types, preview];
