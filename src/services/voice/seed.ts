/**
 * Demo data: a configuration set with one destination of each kind, and three calls with different results.
 */
import type { Context } from "#kernel/operation";
import { EVENT_TYPES, ORIGINATION_DEFAULT } from "./domain/calls.ts";
import { parseTelephone } from "./domain/phone-numbers.ts";
import { renderMessage } from "./jobs/index.ts";
import { findCarrier } from "./settings.ts";
import type { SpeechContent } from "./speech/index.ts";
import * as store from "./store.ts";
import type { Tables } from "./tables.ts";

const REGION = "us-east-1";
const SET = "appointment-reminders";

const CALLS: readonly { id: string; to: string; content: SpeechContent }[] = [
  {
    id: "5eed0000-0000-4000-8000-000000000001",
    to: "+12065550142",
    content: { kind: "text", text: "Hello Ann. This is a reminder of your appointment tomorrow at nine." },
  },
  {
    id: "5eed0000-0000-4000-8000-000000000002",
    to: "+12065550120",
    content: {
      kind: "ssml",
      text: '<speak>Your code is <break time="300ms"/><say-as interpret-as="digits">4711</say-as>.</speak>',
      voiceId: "Matthew",
    },
  },
  {
    id: "5eed0000-0000-4000-8000-000000000003",
    to: "+12065550121",
    content: { kind: "text", text: "Your table is ready.", languageCode: "en-GB" },
  },
];

export async function seed(context: Context<Tables>): Promise<void> {
  const { db, account, clock } = context;
  const role = `arn:vendor:iam::${account}:role/voice-events`;
  const words = "neutral";
  await store.insertSet(db, account, REGION, SET, clock.nowMs());
  for (const destination of [
    {
      name: "all-to-the-log",
      kind: "log",
      targetArn: `arn:vendor:logs:${REGION}:${account}:log-group:calls`,
    },
    {
      name: "all-to-the-stream",
      kind: "stream",
      targetArn: `arn:vendor:streams:${REGION}:${account}:deliverystream/calls`,
    },
  ] as const)
    await store.insertDestination(db, account, REGION, SET, {
      ...destination,
      words,
      enabled: true,
      eventTypes: EVENT_TYPES,
      roleArn: role,
    });
  await store.insertDestination(db, account, REGION, SET, {
    name: "misses-to-the-team",
    words,
    enabled: true,
    eventTypes: ["BUSY", "FAILED", "NO_ANSWER"],
    kind: "topic",
    targetArn: `arn:vendor:topics:${REGION}:${account}:missed-calls`,
    roleArn: null,
  });
  // With a carrier, these calls would ring real telephones.
  if (findCarrier(context.config)) return;
  for (const { id, to, content } of CALLS) await seedCall(context, id, to, content);
}

async function seedCall(
  context: Context<Tables>,
  messageId: string,
  to: string,
  content: SpeechContent,
): Promise<void> {
  const { db, account, clock } = context;
  if (await store.findCall(db, account, messageId)) return;
  const { e164, country } = parseTelephone(to, "DestinationPhoneNumber");
  await store.insertCall(db, {
    ...store.newCall,
    account,
    region: REGION,
    message_id: messageId,
    origination: ORIGINATION_DEFAULT,
    caller_id: null,
    destination: e164,
    country: country ?? null,
    configuration_set: SET,
    content: JSON.stringify(content),
    requested_at: clock.nowMs(),
  });
  await context.enqueue(renderMessage, { messageId });
}
