/** The rows of a report, one by one. */
import { isoOf } from "#kernel/clock";
import {
  frameworkArnOf,
  isComplianceReport,
  pointArnOf,
  type ReportRow,
  type ReportSetting,
  vaultArnOf,
} from "../domain/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { BackupJobRow, CopyJobRow, RestoreJobRow } from "../tables/index.ts";

const ROWS_AT_ONCE = 500;
const UNFINISHED: ReadonlySet<string> = new Set(["CREATED", "PENDING", "RUNNING", "ABORTING"]);

export type Period = { readonly fromMs: number; readonly toMs: number };
type Place = { readonly account: string; readonly region: string };
type JobRow = BackupJobRow | CopyJobRow | RestoreJobRow;

const isoOrNothing = (ms: number | null): string | undefined => (ms === null ? undefined : isoOf(ms));
const runTimeOf = (begunMs: number | null, endMs: number | null): string | undefined => {
  if (begunMs === null || endMs === null) return undefined;
  const seconds = Math.max(0, Math.round((endMs - begunMs) / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};
type Head = {
  readonly reportTimePeriodStart: string;
  readonly reportTimePeriodEnd: string;
  readonly accountId: string;
  readonly region: string;
};
type RowOf<Row> = (head: Head, row: Row) => ReportRow;
type Creator = { readonly planArn: string; readonly ruleId: string };
const creatorOf = (text: string | null): Creator | undefined =>
  text === null ? undefined : JSON.parse(text);
/** Each row spreads one object, at its beginning: a second one costs several times the rest of a long report. */
const sharedOf = (head: Head, row: JobRow) => ({
  ...head,
  jobStatus: row.state,
  statusMessage: row.message ?? undefined,
  resourceType: row.resource_type,
  resourceArn: row.resource_arn,
  creationDate: isoOf(row.created_at),
  completionDate: isoOrNothing(row.completed_at),
  backupSizeInBytes: row.size ?? undefined,
  iamRoleArn: row.role_arn,
});

const backupRowOf: RowOf<BackupJobRow> = (head, row) => {
  const { deleteAfterDays } = JSON.parse(row.lifecycle) as { deleteAfterDays?: number };
  const isDone = row.state === "COMPLETED" || row.state === "PARTIAL";
  const creator = creatorOf(row.created_by);
  return {
    ...sharedOf(head, row),
    backupPlanArn: creator?.planArn,
    backupRuleId: creator?.ruleId,
    backupJobId: row.id,
    expirationDate:
      isDone && deleteAfterDays !== undefined
        ? isoOf(row.created_at + deleteAfterDays * 86_400_000)
        : undefined,
    recoveryPointArn: isDone ? pointArnOf(row.account, row.region, row.point_id) : undefined,
    jobRunTime: runTimeOf(row.begun_at, row.completed_at),
    backupVaultName: row.vault,
    backupVaultArn: vaultArnOf(row.account, row.region, row.vault),
  };
};
const copyRowOf: RowOf<CopyJobRow> = (head, row) => {
  const creator = creatorOf(row.created_by);
  return {
    ...sharedOf(head, row),
    backupPlanArn: creator?.planArn,
    backupRuleId: creator?.ruleId,
    copyJobId: row.id,
    jobRunTime: runTimeOf(row.created_at, row.completed_at),
    sourceRecoveryPointArn: row.source_point_arn,
    sourceBackupVaultArn: row.source_vault_arn,
    destinationRecoveryPointArn: row.destination_vault_arn.replace(
      /backup-vault:.*$/s,
      `recovery-point:${row.point_id}`,
    ),
    destinationBackupVaultArn: row.destination_vault_arn,
  };
};
const restoreRowOf: RowOf<RestoreJobRow> = (head, row) => ({
  ...sharedOf(head, row),
  restoreJobId: row.id,
  recoveryPointArn: row.point_arn,
  createdResourceArn: row.created_resource_arn ?? undefined,
  jobRunTime: runTimeOf(row.begun_at, row.completed_at),
  validationStatus: row.validation_status ?? undefined,
});

type JobPage = { after?: store.NewestFirstKey | undefined; limit: number };
/** Jobs that ended in the period, and jobs that are still running. */
async function* jobsOf<Row extends JobRow>(
  read: (page: JobPage) => Promise<Row[]>,
  { fromMs, toMs }: Period,
): AsyncGenerator<Row> {
  let after: store.NewestFirstKey | undefined;
  for (;;) {
    const rows = await read({ after, limit: ROWS_AT_ONCE });
    for (const row of rows) {
      const isEnded = row.completed_at !== null && row.completed_at > fromMs && row.completed_at <= toMs;
      if (isEnded || UNFINISHED.has(row.state)) yield row;
    }
    const last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE || !last) return;
    after = store.newestFirstKeyOf(last);
  }
}

async function* jobRows(
  { db }: BackupContext,
  template: ReportSetting["template"],
  { account, region }: Place,
  period: Period,
): AsyncGenerator<ReportRow> {
  const head = {
    reportTimePeriodStart: isoOf(period.fromMs),
    reportTimePeriodEnd: isoOf(period.toMs),
    accountId: account,
    region,
  };
  if (template === "BACKUP_JOB_REPORT")
    for await (const row of jobsOf((page) => store.listBackupJobs(db, account, region, {}, page), period))
      yield backupRowOf(head, row);
  else if (template === "COPY_JOB_REPORT")
    for await (const row of jobsOf((page) => store.listCopyJobs(db, account, region, {}, page), period))
      yield copyRowOf(head, row);
  else
    for await (const row of jobsOf((page) => store.listRestoreJobs(db, account, region, {}, page), period))
      yield restoreRowOf(head, row);
}

const scopeText = (value: object): string => JSON.stringify(value);
const controlHeadOf = (
  { account, region }: Place,
  framework: store.Framework,
  controlName: string,
): ReportRow => ({
  accountId: account,
  region,
  frameworkName: framework.name,
  frameworkDescription: framework.description ?? undefined,
  controlName,
});
async function* controlRows(
  { db }: BackupContext,
  { account, region }: Place,
  framework: store.Framework,
): AsyncGenerator<ReportRow> {
  const counts = await store.countFindings(db, account, region, framework.name);
  for (const [control, { name, parameters, scope }] of framework.controls.entries()) {
    const count = (isCompliant: boolean) =>
      counts.find((one) => one.control === control && one.isCompliant === isCompliant)?.count ?? 0;
    yield {
      ...controlHeadOf({ account, region }, framework, name),
      controlComplianceStatus: count(false) > 0 ? "NON_COMPLIANT" : "COMPLIANT",
      lastEvaluationTime: isoOrNothing(framework.evaluated_at),
      numResourcesCompliant: count(true),
      numResourcesNonCompliant: count(false),
      controlFrequency: "Twenty_Four_Hours",
      controlScope: scopeText(scope),
      controlParameters: scopeText(parameters),
    };
  }
}
async function* findingRows(
  { db }: BackupContext,
  { account, region }: Place,
  framework: store.Framework,
): AsyncGenerator<ReportRow> {
  for (const [control, { name }] of framework.controls.entries()) {
    let after = "";
    for (;;) {
      const rows = await store.listFindings(db, account, region, framework.name, {
        control,
        after,
        limit: ROWS_AT_ONCE,
      });
      for (const finding of rows)
        yield {
          ...controlHeadOf({ account, region }, framework, name),
          resourceName: finding.arn,
          resourceType: finding.type,
          resourceComplianceStatus: finding.compliant === 1 ? "COMPLIANT" : "NON_COMPLIANT",
          lastEvaluationTime: isoOrNothing(framework.evaluated_at),
        };
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)?.arn ?? "";
    }
  }
}
async function* complianceRows(
  context: BackupContext,
  setting: ReportSetting,
  place: Place,
): AsyncGenerator<ReportRow> {
  const frameworks = await store.listFrameworks(context.db, place.account, place.region, {
    after: "",
    limit: ROWS_AT_ONCE,
  });
  for (const framework of frameworks) {
    const { frameworkArns } = setting;
    const arn = frameworkArnOf(place.account, place.region, framework.name);
    if (frameworkArns.length > 0 && !frameworkArns.includes(arn)) continue;
    yield* setting.template === "CONTROL_COMPLIANCE_REPORT"
      ? controlRows(context, place, framework)
      : findingRows(context, place, framework);
  }
}

/** All rows of a report for one account in one region. */
export const reportRows = (
  context: BackupContext,
  setting: ReportSetting,
  place: Place,
  period: Period,
): AsyncGenerator<ReportRow> =>
  isComplianceReport(setting.template)
    ? complianceRows(context, setting, place)
    : jobRows(context, setting.template, place, period);
