/** The tables of this service, as rows. */
export type InputRow = {
  account: string;
  region: string;
  name: string;
  description: string | null;
  /** JSON: the paths of its attributes. */
  attributes: string;
  status: string;
  created_at: number;
  updated_at: number;
};
/** A detector model or an alarm model. */
export type ModelRow = {
  account: string;
  region: string;
  kind: string;
  name: string;
  /** Its own for ever: another model of that name later has another one. */
  id: string;
  key_path: string | null;
  latest_version: number;
  /** Whose instances are alive; null until the first activation. */
  active_version: number | null;
  created_at: number;
};
export type VersionRow = {
  account: string;
  model_id: string;
  version: number;
  description: string | null;
  role: string;
  /** JSON, as it was written. */
  definition: string;
  status: string;
  status_message: string | null;
  /** The dialect that it was written in: its actions are told in the same words. */
  spelling: string | null;
  created_at: number;
  updated_at: number;
};
/** Which active models listen to which input. */
export type RouteRow = {
  account: string;
  region: string;
  input: string;
  model_id: string;
  kind: string;
  model: string;
  key_path: string | null;
};
/** Ids of messages that came lately: they count once. */
export type SeenRow = { account: string; region: string; input: string; message_id: string; seen_at: number };
/** Accepted and not evaluated yet: one row for each model that listens. */
export type MessageRow = {
  account: string;
  shard: number;
  /** Of the database's own clock, so that all nodes share one order. */
  accepted_at: number;
  id: string;
  model_id: string;
  key: string;
  input: string;
  message_id: string;
  payload: string;
  sent_at: number | null;
  /** How many actions of models lie between this message and one from outside. */
  depth: number;
};
/** A detector or an alarm. */
export type InstanceRow = {
  account: string;
  model_id: string;
  version: number;
  key: string;
  shard: number;
  state_name: string;
  /** JSON: what the engine keeps of it. */
  state: string;
  /** Its last messages, one JSON text in each line. */
  recent: string;
  /** When its next timer, or its snooze, ends. */
  due_at: number | null;
  created_at: number;
  updated_at: number;
};
export type LogRow = {
  account: string;
  id: string;
  model_id: string;
  region: string;
  model: string;
  key: string;
  level: string;
  kind: string;
  text: string;
  from_state: string | null;
  to_state: string | null;
  at: number;
};
export type AnalysisRow = {
  account: string;
  region: string;
  id: string;
  status: string;
  definition: string;
  results: string;
  created_at: number;
};
export type LoggingRow = { account: string; region: string; options: string };
export type EndpointRow = {
  account: string;
  arn: string;
  url: string;
  /** Sealed. */
  secret: string;
  created_at: number;
};

export type Tables = {
  events_input: InputRow;
  events_model: ModelRow;
  events_version: VersionRow;
  events_route: RouteRow;
  events_message: MessageRow;
  events_seen: SeenRow;
  events_instance: InstanceRow;
  events_log: LogRow;
  events_analysis: AnalysisRow;
  events_logging: LoggingRow;
  events_endpoint: EndpointRow;
};
export const tables: readonly (keyof Tables)[] = [
  "events_input",
  "events_model",
  "events_version",
  "events_route",
  "events_message",
  "events_seen",
  "events_instance",
  "events_log",
  "events_analysis",
  "events_logging",
  "events_endpoint",
];
