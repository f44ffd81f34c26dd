/** The tables of this service, as rows. */
export type FunctionRow = {
  account: string;
  project: string;
  location: string;
  function_id: string;
  slug: string;
  definition: string;
  /** 1 where events are for it. */
  triggered: number;
  state: string;
  state_messages: string;
  generation: number;
  revision: string | null;
  busy_with: string | null;
  upgrade: string | null;
  /** The targets of its requests, unless the newest revision gets all. */
  traffic: string | null;
  policy: string;
  created_at: number;
  updated_at: number;
};
/** A version of a function that was built: its source, and how it runs. */
export type RevisionRow = {
  account: string;
  slug: string;
  revision: string;
  blob_id: string;
  definition: string;
  created_at: number;
  /** The archive of its installed dependencies, if it has any. */
  dependencies_blob_id: string | null;
  /** When it came up; only then it can get requests. */
  ready_at: number | null;
};
export type OperationRow = {
  account: string;
  id: string;
  project: string;
  location: string;
  function_id: string;
  verb: string;
  metadata: string;
  response: string | null;
  error: string | null;
  done: number;
  created_at: number;
  ended_at: number | null;
};
/** An archive that was uploaded. */
export type ObjectRow = {
  account: string;
  bucket: string;
  object: string;
  generation: number;
  blob_id: string;
  size: number;
  created_at: number;
};
export type LogRow = {
  account: string;
  slug: string;
  id: string;
  at: number;
  severity: string;
  text: string;
  revision: string;
  instance: string;
};
export type SecretRow = {
  account: string;
  project: string;
  secret: string;
  version: number;
  value: string;
  created_at: number;
};

export type Tables = {
  functions_function: FunctionRow;
  functions_revision: RevisionRow;
  functions_operation: OperationRow;
  functions_object: ObjectRow;
  functions_log: LogRow;
  functions_secret: SecretRow;
};
export const tables: readonly (keyof Tables)[] = [
  "functions_function",
  "functions_revision",
  "functions_operation",
  "functions_object",
  "functions_log",
  "functions_secret",
];
