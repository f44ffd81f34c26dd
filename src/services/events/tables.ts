/** Row types of this service. */
export type InputRow = {
  account: string;
  region: string;
  name: string;
  description: string | null;
  /** JSON list of attribute paths. */
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
  /** Never reused: a later model with the same name has another id. */
  id: string;
  key_path: string | null;
  latest_version: number;
  /** The version whose instances are live; null until the first activation. */
  active_version: number | null;
  created_at: number;
};
export type VersionRow = {
  account: string;
  model_id: string;
  version: number;
  description: string | null;
  role: string;
  /** JSON, as in the request. */
  definition: string;
  status: string;
  status_message: string | null;
  /** Dialect of the request. Actions of the version use the same dialect. */
  spelling: string | null;
  created_at: number;
  updated_at: number;
};
/** Routes from inputs to active models. */
export type RouteRow = {
  account: string;
  region: string;
  input: string;
  model_id: string;
  kind: string;
  model: string;
  key_path: string | null;
};
/** Recent message ids, to ignore repeated messages. */
export type SeenRow = { account: string; region: string; input: string; message_id: string; seen_at: number };
/** An accepted message that is not evaluated yet: one row for each model that reads the input. */
export type MessageRow = {
  account: string;
  shard: number;
  /** Set by the database clock, so that all nodes share one order. */
  accepted_at: number;
  id: string;
  model_id: string;
  key: string;
  input: string;
  message_id: string;
  payload: string;
  sent_at: number | null;
  /** Number of model actions between this message and the external message that caused it. */
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
  /** JSON state of the engine. */
  state: string;
  /** Recent messages, one JSON text per line. */
  recent: string;
  /** Time of its next timer or snooze end. */
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
  /** Encrypted. */
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
