/** Tells subscribers what happened, each by the ways they asked for, and nobody what they may not see. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { Outgoing } from "#kernel/events";
import { jobsFor } from "#kernel/operation";
import { THUMBNAIL } from "../domain/artifact-formats.ts";
import { isUnderEmbargo } from "../domain/assignments.ts";
import type { EventType } from "../domain/events.ts";
import { type Message, renderMessage, type Told } from "../domain/messages.ts";
import { artifactAddress } from "../links.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import { findChange } from "../store/changes.ts";
import { findContribution, usagesOf } from "../store/contributions.ts";
import { findArtifact } from "../store/media.ts";
import { hasSubscribers, listSubscribers } from "../store/subscriptions.ts";
import type { AssignmentRow, ChangeRow, ContributionRow, SubscriptionRow, Tables } from "../tables/index.ts";

/** What a message is about, where it is still there. */
export type Subject = {
  readonly change: Pick<
    ChangeRow,
    "id" | "type" | "description" | "record_id" | "owner_id" | "user_id" | "changed_at"
  >;
  readonly contribution: ContributionRow | undefined;
  readonly assignment: AssignmentRow | undefined;
};
type Reader = Pick<SubscriptionRow, "user_id">;

/** As everywhere: those who decide on it and whoever contributed it see all, the others what is public. */
function maySee(
  { account }: ContributionsContext,
  subject: Subject,
  { user_id }: Reader,
  nowMs: number,
): boolean {
  const { change, contribution, assignment } = subject;
  const theirs = [account, change.owner_id, change.user_id, assignment?.moderator_id, contribution?.user_id];
  if (theirs.includes(user_id)) return true;
  if (!assignment || assignment.deleted_at !== null) return false;
  const { starts_at, ends_at, embargo_at } = assignment;
  const times = {
    startsAtMs: starts_at ?? undefined,
    endsAtMs: ends_at ?? undefined,
    embargoAtMs: embargo_at === null ? undefined : Number(embargo_at),
  };
  if (isUnderEmbargo(times, nowMs)) return false;
  if (change.type.startsWith("assignment.")) return true;
  return contribution?.is_public === 1 && contribution.deleted_at === null;
}

async function findThumbnail(
  context: ContributionsContext,
  contribution: ContributionRow,
  base: string,
): Promise<string | undefined> {
  const { db, account } = context;
  const [usage] = await usagesOf(db, account, [contribution.id]);
  const artifact = usage && (await findArtifact(db, account, usage.media_id, THUMBNAIL));
  if (!artifact) return undefined;
  const isPublic = contribution.is_public === 1;
  return artifactAddress(context, { base, media: artifact.media_id, label: THUMBNAIL, isPublic });
}

type Wishes = { readonly body: boolean; readonly thumbnail: boolean; readonly base: string };
export async function toldOf(context: ContributionsContext, subject: Subject, wishes: Wishes): Promise<Told> {
  const { change, contribution, assignment } = subject;
  const thumbnailUrl =
    wishes.thumbnail && contribution ? await findThumbnail(context, contribution, wishes.base) : undefined;
  return {
    type: change.type as EventType,
    name: contribution?.headline ?? change.description,
    ...(assignment && { assignment: assignment.name, pageUrl: `${wishes.base}/pages/${assignment.id}` }),
    ...(contribution && { attribution: contribution.attribution }),
    ...(contribution?.place_name != null && { placeName: contribution.place_name }),
    ...(contribution && wishes.body && { body: contribution.body }),
    ...(thumbnailUrl !== undefined && { thumbnailUrl }),
  };
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** One message for each way. */
function messagesTo(
  row: SubscriptionRow,
  { change, assignment }: Subject,
  told: Told,
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
  const { thumbnailUrl } = told;
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

const notify = jobsFor<Tables, State>()({
  name: "contributions.notify",
  payload: Type.Object({ change: Type.String() }),
  async run({ change: id }, context) {
    const { db, account, clock, secrets, outbox } = context;
    const change = await findChange(db, account, id);
    if (!change) return;
    const subject = await findSubject(context, change);
    for (const row of await listSubscribers(db, account, change.type, change.assignment_id)) {
      if (!maySee(context, subject, row, clock.nowMs())) continue;
      const wishes = {
        body: Number(row.include_body) === 1,
        thumbnail: Number(row.include_thumbnail) === 1,
        base: row.base_url,
      };
      const told = await toldOf(context, subject, wishes);
      for (const message of messagesTo(row, subject, told, renderMessage(told), secrets.open(row.token)))
        await outbox.send(message);
    }
  },
});

/** Needs the transaction in which it happened. */
export async function notifySubscribers(context: ContributionsContext, change: ChangeRow): Promise<void> {
  if (await hasSubscribers(context.db, context.account, change.type))
    await context.enqueue(notify, { change: change.id });
}

export const notificationJobs = [notify];
