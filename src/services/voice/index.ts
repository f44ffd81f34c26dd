/**
 * Voice messages: configuration sets, event destinations, and real telephone calls with synthesized speech.
 */
import { BLOB_CHUNKS } from "#kernel/blobs";
import { defineService } from "#kernel/operation";
import { sigv4 } from "#kernel/protocols";
import { consoleViews } from "./console.ts";
import { makersDialect } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { configurationSetOperations } from "./operations/configuration-sets.ts";
import { eventDestinationOperations } from "./operations/event-destinations.ts";
import { topicSubscriptionOperations } from "./operations/topic-subscriptions.ts";
import { voiceMessageOperations } from "./operations/voice-messages.ts";
import { seed } from "./seed.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";

export default defineService({
  name: "voice",
  title: "Voice messages",
  summary: "Calls telephone numbers, speaks messages to them, and publishes what happens to each call.",
  contract: "M",
  mount: "/voice",
  rootPaths: ["/v1/sms-voice"],
  protocol: sigv4({ signingName: "sms-voice", messageMember: "Message" }),
  errorNames,
  dialects: [makersDialect],
  operations: [
    ...configurationSetOperations,
    ...eventDestinationOperations,
    ...voiceMessageOperations,
    ...topicSubscriptionOperations,
  ],
  jobs,
  migrations,
  tables,
  objectTables: [BLOB_CHUNKS],
  console: consoleViews,
  seed,
  start,
  forget,
  stop,
});
