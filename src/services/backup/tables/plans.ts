/** Plans, holds, audits, restore tests and settings, as rows. Times are epoch milliseconds. */
export type PlanRow = {
  account: string;
  region: string;
  id: string;
  name: string;
  /** The current version. */
  version: string;
  creator_request_id: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  last_run_at: number | null;
};
export type PlanVersionRow = {
  account: string;
  region: string;
  plan_id: string;
  /** Counts from 1. */
  sequence: number;
  id: string;
  /** JSON. */
  document: string;
  created_at: number;
};
export type SelectionRow = {
  account: string;
  region: string;
  plan_id: string;
  id: string;
  name: string;
  creator_request_id: string | null;
  role_arn: string;
  /** JSON. */
  document: string;
  created_at: number;
};
export type HoldRow = {
  account: string;
  region: string;
  id: string;
  title: string;
  description: string;
  status: string;
  /** JSON. */
  selection: string;
  token: string | null;
  created_at: number;
  canceled_at: number | null;
  cancel_description: string | null;
  retain_until: number | null;
};
export type FrameworkRow = {
  account: string;
  region: string;
  name: string;
  id: string;
  description: string | null;
  /** JSON. */
  controls: string;
  deployment_status: string;
  token: string | null;
  created_at: number;
  evaluated_at: number | null;
};
/** The last result of a control for one resource. */
export type FindingRow = {
  account: string;
  region: string;
  framework: string;
  /** The control's place in the framework, from 0. */
  control: number;
  arn: string;
  type: string;
  compliant: number;
};
export type ReportPlanRow = {
  account: string;
  region: string;
  name: string;
  id: string;
  description: string | null;
  /** JSON, both. */
  setting: string;
  channel: string;
  deployment_status: string;
  token: string | null;
  created_at: number;
  attempted_at: number | null;
  succeeded_at: number | null;
};
export type ReportJobRow = {
  account: string;
  region: string;
  id: string;
  plan: string;
  plan_arn: string;
  template: string;
  status: string;
  message: string | null;
  bucket: string;
  /** JSON: keys with the blobs behind them. */
  files: string;
  token: string | null;
  created_at: number;
  completed_at: number | null;
};
export type TestingPlanRow = {
  account: string;
  region: string;
  name: string;
  id: string;
  creator_request_id: string | null;
  /** JSON. */
  document: string;
  created_at: number;
  updated_at: number | null;
  last_run_at: number | null;
};
export type TestingSelectionRow = {
  account: string;
  region: string;
  plan: string;
  name: string;
  creator_request_id: string | null;
  /** JSON. */
  document: string;
  created_at: number;
  updated_at: number | null;
};
/** Of a region, or of all where `region` is empty. */
export type SettingRow = {
  account: string;
  region: string;
  name: string;
  /** JSON. */
  value: string;
  updated_at: number;
};

export type PlanTables = {
  backup_plan: PlanRow;
  backup_plan_version: PlanVersionRow;
  backup_selection: SelectionRow;
  backup_hold: HoldRow;
  backup_framework: FrameworkRow;
  backup_finding: FindingRow;
  backup_report_plan: ReportPlanRow;
  backup_report_job: ReportJobRow;
  backup_testing_plan: TestingPlanRow;
  backup_testing_selection: TestingSelectionRow;
  backup_setting: SettingRow;
};
export const planTables: readonly (keyof PlanTables)[] = [
  "backup_plan",
  "backup_plan_version",
  "backup_selection",
  "backup_hold",
  "backup_framework",
  "backup_finding",
  "backup_report_plan",
  "backup_report_job",
  "backup_testing_plan",
  "backup_testing_selection",
  "backup_setting",
];
