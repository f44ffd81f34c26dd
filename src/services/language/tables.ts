/**
 * Rows of this service's tables. The content of a version refers to the version's uid, so that renaming
 * moves no rows.
 */
export type ApplicationRow = {
  account: string;
  id: string;
  name: string;
  name_key: string;
  culture: string;
  tokenizer_version: string;
  description: string;
  domain: string;
  usage_scenario: string;
  active_version: string;
  is_public: number;
  publish_settings: string;
  hits: number;
  created_at: number;
};
export type VersionRow = {
  account: string;
  application: string;
  name: string;
  uid: string;
  settings: string;
  /** Incremented with every change of the version's content. */
  revision: number;
  next_number: number;
  hits: number;
  training_status: string;
  training_revision: number | null;
  training_failure: string | null;
  trained_revision: number | null;
  trained_at: number | null;
  trained_blob: string | null;
  published_at: number | null;
  created_at: number;
  modified_at: number;
};
export type ModelRow = {
  account: string;
  version: string;
  id: string;
  kind: string;
  name: string;
  name_key: string;
  position: number;
  body: string;
  /** The revision of the version at the last change of its training data. */
  changed_revision: number;
  trained_revision: number | null;
  trained_at: number | null;
  trained_examples: number | null;
};
export type FeatureRow = {
  account: string;
  version: string;
  id: number;
  kind: string;
  name: string;
  name_key: string;
  body: string;
};
export type PatternRow = {
  account: string;
  version: string;
  id: string;
  intent: string;
  text: string;
  position: number;
};
export type ExampleRow = {
  account: string;
  version: string;
  id: number;
  text: string;
  text_key: string;
  intent: string;
  labels: string;
};
export type SlotRow = {
  account: string;
  application: string;
  slot: string;
  version_name: string;
  version_uid: string;
  blob: string;
  settings: string;
  published_at: number;
};
export type QueryRow = {
  account: string;
  id: string;
  application: string;
  version_uid: string;
  slot: string;
  text: string;
  text_key: string;
  intent: string;
  score: number;
  answer: string;
  is_hidden: number;
  asked_at: number;
};
export type AssignedRow = {
  account: string;
  application: string;
  subscription: string;
  resource_group: string;
  name: string;
};

export type BatchTestRow = {
  account: string;
  id: string;
  application: string;
  status: string;
  /** The model that is tested. */
  blob: string;
  utterances: string;
  result: string | null;
  created_at: number;
  changed_at: number;
};

export type TestSetRow = { account: string; application: string; utterances: string; changed_at: number };
export type TestRunRow = {
  account: string;
  id: string;
  application: string;
  version: string;
  /** The model that the training made. */
  blob: string;
  status: string;
  result: string | null;
  trained_at: number;
};

export type Tables = {
  language_application: ApplicationRow;
  language_version: VersionRow;
  language_model: ModelRow;
  language_feature: FeatureRow;
  language_pattern: PatternRow;
  language_example: ExampleRow;
  language_slot: SlotRow;
  language_query: QueryRow;
  language_assigned: AssignedRow;
  language_batch_test: BatchTestRow;
  language_test_set: TestSetRow;
  language_test_run: TestRunRow;
};
/** Tables whose rows belong to an application, not to a version. */
export const APPLICATION_PARTS = [
  "language_slot",
  "language_query",
  "language_assigned",
  "language_batch_test",
  "language_test_set",
  "language_test_run",
] as const;
export const tables: readonly (keyof Tables)[] = [
  "language_application",
  "language_version",
  "language_model",
  "language_feature",
  "language_pattern",
  "language_example",
  ...APPLICATION_PARTS,
];
