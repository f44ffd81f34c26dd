/** Reports are written on demand, and once a day at one in the morning. */
import { Readable } from "node:stream";
import { type Static, Type } from "@sinclair/typebox";
import type { Prepared } from "#kernel/blobs";
import { isoOf } from "#kernel/clock";
import { type Job, jobsFor } from "#kernel/operation";
import {
  DAY_MS,
  findNextOccurrence,
  type ReportFormat,
  type ReportRow,
  ReportText,
  reportKeyOf,
  reportPlanArnOf,
} from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables/index.ts";
import { reportRows } from "./report-rows.ts";

const DAILY = { expression: "cron(0 1 ? * * *)", timezone: "Etc/UTC" };
const ROWS_MAX = 100_000;
const ROWS_AT_ONCE = 500;
/** How long reports are kept. */
const KEPT_MS = 90 * DAY_MS;
const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  CSV: "text/csv; charset=utf-8",
  JSON: "application/json",
};

const NamedPlan = Type.Object({ region: Type.String(), name: Type.String() });
type NamedPlan = Static<typeof NamedPlan>;
const NamedJob = Type.Object({ region: Type.String(), id: Type.String() });
type NamedJob = Static<typeof NamedJob>;

const keyOf = ({ region, name }: NamedPlan): string => `report-plan:${region}:${name}`;
export async function scheduleReports(context: BackupContext, { region, name }: NamedPlan, afterMs: number) {
  const runAtMs = findNextOccurrence(DAILY, afterMs);
  await context.enqueue(
    dailyReport,
    { region, name },
    { key: keyOf({ region, name }), runAtMs: runAtMs ?? afterMs },
  );
}
export const unscheduleReports = (context: BackupContext, named: NamedPlan): Promise<boolean> =>
  context.cancelJob(dailyReport, keyOf(named));

export async function startReport(
  context: BackupContext,
  plan: store.ReportPlan,
  token?: string,
): Promise<string> {
  const { account, clock, ids, db } = context;
  const nowMs = clock.nowMs();
  const id = ids.uuid();
  await store.insertReportJob(db, account, {
    account,
    region: plan.region,
    id,
    plan: plan.name,
    plan_arn: reportPlanArnOf(account, plan.region, plan.name),
    template: plan.setting.template,
    status: "CREATED",
    message: null,
    bucket: plan.channel.bucket,
    files: [],
    token: token ?? null,
    created_at: nowMs,
    completed_at: null,
  });
  await store.changeReportPlan(db, account, plan, { attempted_at: nowMs });
  await context.enqueue(writeReport, { region: plan.region, id }, { key: `report:${plan.region}:${id}` });
  return id;
}

async function runDaily({ region, name }: NamedPlan, context: BackupContext): Promise<void> {
  const plan = await store.findReportPlan(context.db, context.account, region, name);
  if (!plan) return;
  await startReport(context, plan);
  await scheduleReports(context, plan, context.clock.nowMs());
}
export const dailyReport: Job<NamedPlan> = jobsFor<Tables, State>()({
  name: "backup.daily-report",
  payload: NamedPlan,
  run: runDaily,
});

/** Accounts and regions that the report is about. */
async function placesOf(context: BackupContext, { region, setting }: store.ReportPlan) {
  const { accounts, regions } = setting;
  const places: { readonly account: string; readonly region: string }[] = [];
  for (const account of accounts.length > 0 ? accounts : [context.account]) {
    const named = regions.includes("*") ? await store.listRegions(context.db, account) : regions;
    for (const one of regions.length > 0 ? named : [region]) places.push({ account, region: one });
  }
  return places;
}
/** The rows, some hundred at a time. */
async function* collect(
  context: BackupContext,
  plan: store.ReportPlan,
  nowMs: number,
): AsyncGenerator<ReportRow[]> {
  const period = { fromMs: nowMs - DAY_MS, toMs: nowMs };
  let rows: ReportRow[] = [];
  let count = 0;
  for (const place of await placesOf(context, plan))
    for await (const row of reportRows(context, plan.setting, place, period)) {
      count += 1;
      if (rows.push(row) === ROWS_AT_ONCE || count === ROWS_MAX) {
        yield rows;
        rows = [];
      }
      if (count === ROWS_MAX) return;
    }
  if (rows.length > 0) yield rows;
}
type Document = { readonly format: ReportFormat; readonly key: string; readonly prepared: Prepared };
/** A document of each format. */
async function write(context: BackupContext, plan: store.ReportPlan, nowMs: number): Promise<Document[]> {
  const { setting, channel } = plan;
  const texts = channel.formats.map((format) => new ReportText(setting.template, format));
  for await (const rows of collect(context, plan, nowMs)) for (const text of texts) text.add(rows);
  const place = { region: plan.region, name: plan.name, at: isoOf(nowMs) };
  const documents: Document[] = [];
  for (const text of texts) {
    const parts = text.end();
    const prepared = await context.blobs.prepare(() => Readable.from(parts));
    documents.push({ format: text.format, key: reportKeyOf(channel, place, text.format), prepared });
  }
  return documents;
}

async function publish(
  context: BackupContext,
  job: store.ReportJob,
  documents: readonly Document[],
): Promise<void> {
  const files: store.ReportFile[] = [];
  for (const { format, key, prepared } of documents) {
    const blob = await context.blobs.keep(prepared, CONTENT_TYPES[format]);
    files.push({ format, key, blobId: blob.id });
    await context.outbox.send({
      kind: "file",
      target: `s3://${job.bucket}/${key}`,
      subject: `Report of ${job.plan}`,
      blobId: blob.id,
    });
  }
  const nowMs = context.clock.nowMs();
  await store.changeReportJob(context.db, context.account, job, {
    status: "COMPLETED",
    files: JSON.stringify(files),
    completed_at: nowMs,
  });
  await store.changeReportPlan(
    context.db,
    context.account,
    { region: job.region, name: job.plan },
    { succeeded_at: nowMs },
  );
  await context.enqueue(
    forgetReport,
    { region: job.region, id: job.id },
    { key: `forget-report:${job.region}:${job.id}`, runAtMs: nowMs + KEPT_MS },
  );
}

async function runWrite({ region, id }: NamedJob, context: BackupContext): Promise<void> {
  const { account } = context;
  const job = await store.findReportJob(context.db, account, region, id);
  if (!job || job.completed_at !== null) return;
  const plan = await store.findReportPlan(context.db, account, region, job.plan);
  if (!plan) {
    await context.transact((inner) =>
      store.changeReportJob(inner.db, account, job, {
        status: "FAILED",
        message: `The report plan ${job.plan} is gone.`,
        completed_at: inner.clock.nowMs(),
      }),
    );
    return;
  }
  await context.transact((inner) => store.changeReportJob(inner.db, account, job, { status: "RUNNING" }));
  const documents = await write(context, plan, context.clock.nowMs());
  await context.transact((inner) => publish(inner, job, documents));
}
export const writeReport: Job<NamedJob> = jobsFor<Tables, State>()({
  name: "backup.write-report",
  payload: NamedJob,
  transaction: "manual",
  run: runWrite,
});

async function runForget({ region, id }: NamedJob, context: BackupContext): Promise<void> {
  const job = await store.findReportJob(context.db, context.account, region, id);
  for (const { blobId } of job?.files ?? []) await context.blobs.remove(blobId);
  await store.deleteReportJob(context.db, context.account, region, id);
}
export const forgetReport: Job<NamedJob> = jobsFor<Tables, State>()({
  name: "backup.forget-report",
  payload: NamedJob,
  housekeeping: true,
  run: runForget,
});
