/** Advances a call and publishes the event. Both happen in one transaction. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { type Job, jobsFor } from "#kernel/operation";
import {
  type CallState,
  canFollow,
  EVENT_TYPES,
  eventRecord,
  type Happening,
  isFinal,
  nextStep,
  reasonOfSimulated,
} from "../domain/calls.ts";
import type { State, VoiceContext } from "../state.ts";
import * as store from "../store.ts";
import type { CallRow, Tables } from "../tables.ts";
import { forgetLater } from "./forget-calls.ts";

const job = jobsFor<Tables, State>();

/** Returns the changed call. Undefined if the call is past this state, so that repetitions have no effect. */
export async function moveCall(
  context: VoiceContext,
  messageId: string,
  happening: Happening,
  change: Partial<CallRow> = {},
): Promise<CallRow | undefined> {
  const call = await store.findCall(context.db, context.account, messageId);
  if (!call || !canFollow(call.state, happening.event)) return undefined;
  const { event, atMs, reason } = happening;
  const changed = {
    ...change,
    state: event as CallState,
    ...(event === "ANSWERED" && { answered_at: atMs }),
    ...(isFinal(event) && { ended_at: atMs, reason: reason ?? null }),
  };
  await store.updateCall(context.db, call, changed);
  const moved = { ...call, ...changed };
  await publish(context, moved, happening);
  if (isFinal(event)) await forgetLater(context);
  return moved;
}

async function publish(context: VoiceContext, call: CallRow, happening: Happening): Promise<void> {
  if (call.configuration_set === null) return;
  const destinations = await store.listDestinations(
    context.db,
    call.account,
    call.region,
    call.configuration_set,
  );
  const record = eventRecord(store.factsOf(call), happening);
  for (const { enabled, eventTypes: wanted, kind, targetArn, name } of destinations) {
    if (!enabled || !wanted.includes(happening.event)) continue;
    await context.outbox.send({
      kind,
      target: targetArn,
      subject: happening.event,
      headers: { "configuration-set": call.configuration_set, "event-destination": name },
      body: record,
    });
    if (kind === "topic") await notifySubscribers(context, targetArn, record, happening);
  }
}

/** Subscribers get the event in the topic's envelope, signed with the secret of their subscription. */
async function notifySubscribers(
  context: VoiceContext,
  topicArn: string,
  record: Record<string, unknown>,
  { event, atMs }: Happening,
): Promise<void> {
  const subscriptions = await store.listSubscriptionsTo(context.db, context.account, topicArn);
  for (const { id, endpoint, secret } of subscriptions) {
    await context.outbox.send({
      kind: "webhook",
      target: endpoint,
      subject: event,
      headers: {
        "x-amz-sns-message-type": "Notification",
        "x-amz-sns-topic-arn": topicArn,
        "x-amz-sns-subscription-arn": `${topicArn}:${id}`,
      },
      body: {
        Type: "Notification",
        MessageId: context.ids.uuid(),
        TopicArn: topicArn,
        Subject: event,
        Message: JSON.stringify(record),
        Timestamp: isoOf(atMs),
      },
      deliver: { secret: context.secrets.open(secret) },
    });
  }
}

/** One step of a simulated call. */
export const advanceCall: Job<{ messageId: string; event: Happening["event"] }> = job({
  name: "voice.advance-call",
  payload: Type.Object({
    messageId: Type.String(),
    event: Type.Union(EVENT_TYPES.map((name) => Type.Literal(name))),
  }),
  async run({ messageId, event }, context) {
    const atMs = context.clock.nowMs();
    const moved = await moveCall(context, messageId, { event, atMs, reason: reasonOfSimulated[event] });
    if (moved) await planNextStep(context, moved);
  },
});

export async function planNextStep(context: VoiceContext, call: CallRow): Promise<void> {
  const { destination, duration_ms } = call;
  const next = nextStep(call.state, { destination, durationMs: duration_ms ?? 0 });
  if (!next) return;
  const runAtMs = context.clock.nowMs() + next.afterMs;
  await context.enqueue(advanceCall, { messageId: call.message_id, event: next.event }, { runAtMs });
}
