/** Rows of this service's tables. */
import type { CallState } from "./domain/calls.ts";
import type { DestinationKind } from "./domain/destinations.ts";

/** Spelling of the request that created a destination. */
export type Words = "neutral" | "makers";

export type ConfigurationSetRow = { account: string; region: string; name: string; created_at: number };
export type EventDestinationRow = {
  account: string;
  region: string;
  configuration_set: string;
  name: string;
  enabled: number;
  event_types: string;
  kind: DestinationKind;
  target_arn: string;
  role_arn: string | null;
  words: Words;
};
export type SubscriptionRow = {
  account: string;
  region: string;
  id: string;
  topic_arn: string;
  endpoint: string;
  secret: string;
  created_at: number;
};
export type CallRow = {
  account: string;
  message_id: string;
  region: string;
  state: CallState;
  origination: string;
  caller_id: string | null;
  destination: string;
  country: string | null;
  configuration_set: string | null;
  /** Content to speak, as JSON. */
  content: string;
  audio_blob: string | null;
  duration_ms: number | null;
  /** Attempt of the job that placed the call at a carrier. */
  placed_attempt: number | null;
  requested_at: number;
  answered_at: number | null;
  ended_at: number | null;
  reason: string | null;
};
export type Tables = {
  voice_configuration_set: ConfigurationSetRow;
  voice_event_destination: EventDestinationRow;
  voice_topic_subscription: SubscriptionRow;
  voice_call: CallRow;
};
export const tables = [
  "voice_configuration_set",
  "voice_event_destination",
  "voice_topic_subscription",
  "voice_call",
] as const satisfies readonly (keyof Tables)[];
