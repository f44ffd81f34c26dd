/** Reports: their templates, the columns of each, and rows written as CSV and JSON. */
import { errors } from "../errors.ts";

const JOB_COLUMNS = ["reportTimePeriodStart", "reportTimePeriodEnd", "accountId", "region"];
/** Of backup and copy jobs. */
const OUTCOME_COLUMNS = [
  "jobStatus",
  "statusMessage",
  "resourceType",
  "resourceArn",
  "backupPlanArn",
  "backupRuleId",
  "creationDate",
  "completionDate",
];
const COLUMNS = {
  BACKUP_JOB_REPORT: [
    ...JOB_COLUMNS,
    "backupJobId",
    ...OUTCOME_COLUMNS,
    "expirationDate",
    "recoveryPointArn",
    "jobRunTime",
    "backupSizeInBytes",
    "backupVaultName",
    "backupVaultArn",
    "iamRoleArn",
  ],
  COPY_JOB_REPORT: [
    ...JOB_COLUMNS,
    "copyJobId",
    ...OUTCOME_COLUMNS,
    "jobRunTime",
    "backupSizeInBytes",
    "sourceRecoveryPointArn",
    "sourceBackupVaultArn",
    "destinationRecoveryPointArn",
    "destinationBackupVaultArn",
    "iamRoleArn",
  ],
  RESTORE_JOB_REPORT: [
    ...JOB_COLUMNS,
    "restoreJobId",
    "jobStatus",
    "statusMessage",
    "resourceType",
    "recoveryPointArn",
    "createdResourceArn",
    "creationDate",
    "completionDate",
    "jobRunTime",
    "backupSizeInBytes",
    "validationStatus",
    "iamRoleArn",
  ],
  CONTROL_COMPLIANCE_REPORT: [
    "accountId",
    "region",
    "frameworkName",
    "frameworkDescription",
    "controlName",
    "controlComplianceStatus",
    "lastEvaluationTime",
    "numResourcesCompliant",
    "numResourcesNonCompliant",
    "controlFrequency",
    "controlScope",
    "controlParameters",
  ],
  RESOURCE_COMPLIANCE_REPORT: [
    "accountId",
    "region",
    "frameworkName",
    "frameworkDescription",
    "controlName",
    "resourceName",
    "resourceType",
    "resourceComplianceStatus",
    "lastEvaluationTime",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ReportTemplate = keyof typeof COLUMNS;
export type ReportFormat = "CSV" | "JSON";
export type ReportRow = Readonly<Record<string, string | number | undefined>>;
export const REPORT_TEMPLATES = Object.keys(COLUMNS) as readonly ReportTemplate[];
const COMPLIANCE: ReadonlySet<string> = new Set(["CONTROL_COMPLIANCE_REPORT", "RESOURCE_COMPLIANCE_REPORT"]);
export const isComplianceReport = (template: string): boolean => COMPLIANCE.has(template);

export type ReportSetting = {
  readonly template: ReportTemplate;
  readonly frameworkArns: readonly string[];
  readonly accounts: readonly string[];
  readonly organizationUnits: readonly string[];
  readonly regions: readonly string[];
};
export type DeliveryChannel = {
  readonly bucket: string;
  readonly prefix?: string | undefined;
  readonly formats: readonly ReportFormat[];
};

/** Text that a spreadsheet would read as a formula gets an apostrophe in front. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
function cellOf(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Row = (template: ReportTemplate, row: ReportRow) => string;
const csvLineOf: Row = (template, row) => COLUMNS[template].map((column) => cellOf(row[column])).join(",");
/** Members in column order. Members that a row lacks are left out. */
const jsonItemOf: Row = (template, row) =>
  JSON.stringify(Object.fromEntries(COLUMNS[template].map((column) => [column, row[column]])));

/** A report as text that grows with its rows. */
export class ReportText {
  readonly format: ReportFormat;
  readonly #template: ReportTemplate;
  readonly #parts: Buffer[] = [];
  #isEmpty = true;
  constructor(template: ReportTemplate, format: ReportFormat) {
    this.format = format;
    this.#template = template;
    this.#add(format === "CSV" ? `${COLUMNS[template].join(",")}\r\n` : '{"reportItems":[');
  }
  add(rows: readonly ReportRow[]): void {
    if (this.format === "CSV") this.#add(rows.map((row) => `${csvLineOf(this.#template, row)}\r\n`).join(""));
    else {
      const items = rows.map((row) => jsonItemOf(this.#template, row)).join(",\n");
      this.#add(this.#isEmpty ? items : `,\n${items}`);
    }
    this.#isEmpty = false;
  }
  /** All of it, after the last row. */
  end(): readonly Buffer[] {
    if (this.format === "JSON") this.#add("]}\n");
    return this.#parts;
  }
  #add(text: string): void {
    this.#parts.push(Buffer.from(text));
  }
}

/** `prefix/Backup/us-east-1/2030/01/31/name/name_2030-01-31T05-00-00Z.csv` */
export function reportKeyOf(
  channel: DeliveryChannel,
  place: { readonly region: string; readonly name: string; readonly at: string },
  format: ReportFormat,
): string {
  const [year, month, day] = place.at.slice(0, 10).split("-");
  const file = `${place.name}_${place.at.slice(0, 19).replaceAll(":", "-")}Z.${format.toLowerCase()}`;
  const path = ["Backup", place.region, year, month, day, place.name, file].join("/");
  return channel.prefix === undefined || channel.prefix === "" ? path : `${channel.prefix}/${path}`;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const NAMES_MAX = 100;

export function checkDeliveryChannel({ bucket, formats }: DeliveryChannel): void {
  if (!BUCKET.test(bucket))
    throw errors.invalidParameterValue(`S3BucketName is not a bucket's name: ${bucket}.`);
  if (new Set(formats).size < formats.length)
    throw errors.invalidParameterValue("Formats names a format twice.");
}

/** Compliance reports are about frameworks, and the others are not. */
export function checkReportSetting(setting: ReportSetting): void {
  const { template, frameworkArns, accounts, organizationUnits, regions } = setting;
  if (!isComplianceReport(template) && frameworkArns.length > 0)
    throw errors.invalidParameterValue(`A ${template} takes no FrameworkArns.`);
  for (const names of [frameworkArns, accounts, organizationUnits, regions])
    if (names.length > NAMES_MAX)
      throw errors.invalidParameterValue(`A report setting can name ${NAMES_MAX} of each kind.`);
}
