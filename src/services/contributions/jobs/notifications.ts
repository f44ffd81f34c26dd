/** Notifies subscribers by the channels they chose. Nobody gets what they may not see. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { Outgoing } from "#kernel/events";
import { jobsFor } from "#kernel/operation";
import { THUMBNAIL } from "../domain/artifact-formats.ts";
import { isUnderEmbargo, timesOf } from "../domain/assignments.ts";
import type { EventType } from "../domain/events.ts";
import { type Message, type MessageFacts, renderMessage } from "../domain/messages.ts";
import { isBlurred } from "../domain/places.ts";
import { artifactAddress } from "../links.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import { findChange } from "../store/changes.ts";
import { findContribution, usagesOf } from "../store/contributions.ts";
import { listPublicMedia } from "../store/media-sight.ts";
import { hasSubscribers, listSubscribers, removeSubscriptionsOf } from "../store/subscriptions.ts";
import type { AssignmentRow, ChangeRow, ContributionRow, SubscriptionRow, Tables } from "../tables/index.ts";

const FLAGGED: EventType = "contribution.flagged";

/** The subject of a message, if it still exists. */
export type Subject = {
  readonly change: Pick<
    ChangeRow,
    "id" | "type" | "description" | "record_id" | "owner_id" | "user_id" | "changed_at"
  >;
  readonly contribution: ContributionRow | undefined;
  readonly assignment: AssignmentRow | undefined;
};
type Reader = Pick<SubscriptionRow, "user_id">;

/**
 * The usual rule: owner, moderator and contributor see everything, others see what is public. Only owner and
 * moderator see flags.
 */
function decides({ account }: ContributionsContext, subject: Subject, { user_id }: Reader): boolean {
  return [account, subject.change.owner_id, subject.assignment?.moderator_id].includes(user_id);
}
const maySeeAll = (context: ContributionsContext, subject: Subject, reader: Reader): boolean =>
  decides(context, subject, reader) || subject.contribution?.user_id === reader.user_id;
function maySee(context: ContributionsContext, subject: Subject, reader: Reader): boolean {
  const { change, contribution, assignment } = subject;
  if (change.user_id === reader.user_id) return true;
  if (change.type === FLAGGED) return decides(context, subject, reader);
  if (maySeeAll(context, subject, reader)) return true;
  if (!assignment || assignment.deleted_at !== null) return false;
  if (isUnderEmbargo(timesOf(assignment), context.clock.nowMs())) return false;
  if (change.type.startsWith("assignment.")) return true;
  return contribution?.is_public === 1 && contribution.deleted_at === null;
}

/** For new media, the artifact is made while the message is on its way. */
async function findThumbnail(
  context: ContributionsContext,
  contribution: ContributionRow,
  base: string,
): Promise<string | undefined> {
  const { db, account, clock } = context;
  const [usage] = await usagesOf(db, account, [contribution.id]);
  if (!usage) return undefined;
  const media = usage.media_id;
  const isPublic = (await listPublicMedia(db, account, [media], clock.nowMs())).has(media);
  return artifactAddress(context, { base, media, label: THUMBNAIL, isPublic });
}

type Wishes = {
  readonly body: boolean;
  readonly thumbnail: boolean;
  /** The name of a place may reveal more than a blurred position. */
  readonly placeName: boolean;
  readonly base: string;
};
export async function messageFactsOf(
  context: ContributionsContext,
  subject: Subject,
  wishes: Wishes,
): Promise<MessageFacts> {
  const { change, contribution, assignment } = subject;
  const thumbnailUrl =
    wishes.thumbnail && contribution ? await findThumbnail(context, contribution, wishes.base) : undefined;
  return {
    type: change.type as EventType,
    name: contribution?.headline ?? change.description,
    ...(assignment && { assignment: assignment.name, pageUrl: `${wishes.base}/pages/${assignment.id}` }),
    ...(contribution && { attribution: contribution.attribution }),
    ...(wishes.placeName && contribution?.place_name != null && { placeName: contribution.place_name }),
    ...(contribution && wishes.body && { body: contribution.body }),
    ...(thumbnailUrl !== undefined && { thumbnailUrl }),
  };
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** One message for each channel. */
function messagesTo(
  row: SubscriptionRow,
  { change, assignment }: Subject,
  facts: MessageFacts,
  { subject, text, html }: Message,
  token: string,
): Outgoing[] {
  const event = {
    id: change.id,
    type: change.type,
    date: isoOf(Number(change.changed_at)),
    record: change.record_id,
    assignment: assignment?.id ?? null,
    subscription: row.id,
  };
  const deliver = { secret: token };
  const { thumbnailUrl } = facts;
  const picture = thumbnailUrl === undefined ? {} : { thumbnail: thumbnailUrl };
  const messages: Outgoing[] = [];
  if (row.email !== null)
    messages.push({ kind: "mail", target: row.email, subject, body: { text, html }, headers: {} });
  if (row.slack_channel !== null)
    messages.push({
      kind: "chat",
      target: row.slack_channel,
      subject,
      body: { text, ...picture },
      ...(isAddress(row.slack_channel) && { deliver }),
    });
  if (row.webhook_url !== null)
    messages.push({
      kind: "webhook",
      target: row.webhook_url,
      subject,
      body: { ...event, subject, text, ...picture },
      deliver,
    });
  if (row.push_url !== null)
    messages.push({
      kind: "push",
      target: row.push_url,
      subject,
      body: { ...event, title: subject, body: text, ...picture },
      deliver,
    });
  return messages;
}

async function findSubject(context: ContributionsContext, change: ChangeRow): Promise<Subject> {
  const { db, account } = context;
  const isContribution = change.type.startsWith("contribution.");
  return {
    change,
    contribution: isContribution ? await findContribution(db, account, change.record_id) : undefined,
    assignment:
      change.assignment_id === null ? undefined : await findAssignment(db, account, change.assignment_id),
  };
}

const isBlurredPlace = ({ contribution }: Subject): boolean =>
  contribution !== undefined && isBlurred(contribution);
/** This message ends the subscriptions of an assignment. */
const DELETED: EventType = "assignment.deleted";

const notify = jobsFor<Tables, State>()({
  name: "contributions.notify",
  payload: Type.Object({ change: Type.String() }),
  async run({ change: id }, context) {
    const { db, account, secrets, outbox } = context;
    const change = await findChange(db, account, id);
    if (!change) return;
    const subject = await findSubject(context, change);
    for (const row of await listSubscribers(db, account, change.type, change.assignment_id)) {
      if (!maySee(context, subject, row)) continue;
      const wishes = {
        body: Number(row.include_body) === 1,
        thumbnail: Number(row.include_thumbnail) === 1,
        placeName: maySeeAll(context, subject, row) || !isBlurredPlace(subject),
        base: row.base_url,
      };
      const facts = await messageFactsOf(context, subject, wishes);
      for (const message of messagesTo(row, subject, facts, renderMessage(facts), secrets.open(row.token)))
        await outbox.send(message);
    }
    if (change.type === DELETED) await removeSubscriptionsOf(db, account, change.record_id);
  },
});

/** Needs the transaction of the change itself. */
export async function notifySubscribers(context: ContributionsContext, change: ChangeRow): Promise<void> {
  if (change.type === DELETED || (await hasSubscribers(context.db, context.account, change.type)))
    await context.enqueue(notify, { change: change.id });
}

export const notificationJobs = [notify];
