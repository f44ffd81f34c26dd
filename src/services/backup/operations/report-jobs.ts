/** Reports: asked for, listed and downloaded. */
import { Type } from "@sinclair/typebox";
import { parseInstant } from "#kernel/clock";
import { answer, media } from "#kernel/operation";
import { errors } from "../errors.ts";
import { startReport } from "../jobs/index.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";
import { namedReportPlan } from "./report-plans.ts";

const jobParams = Type.Object({ reportJobId: wire.ReportJobId });

const viewOf = (job: store.ReportJob) => ({
  ReportJobId: job.id,
  ReportPlanArn: job.plan_arn,
  ReportTemplate: job.template,
  CreationTime: wire.timeOf(job.created_at),
  ...(job.completed_at !== null && { CompletionTime: wire.timeOf(job.completed_at) }),
  Status: job.status,
  ...(job.message !== null && { StatusMessage: job.message }),
  ReportDestination: { S3BucketName: job.bucket, S3Keys: job.files.map(({ key }) => key) },
});

const startReportJob = operation({
  id: "backup.StartReportJob",
  summary: "Writes a report now",
  description:
    "A background job writes it; poll `backup.DescribeReportJob`. Job reports cover jobs that ended in the last 24 hours and those that are running; compliance reports cover the frameworks. At most 100000 rows. `IdempotencyToken` returns the same job again.",
  method: "POST",
  path: "/audit/report-jobs/{reportPlanName}",
  permission: "backup:StartReportJob",
  params: Type.Object({ reportPlanName: wire.ReportPlanName }),
  bodyOptional: true,
  body: Type.Object({ IdempotencyToken: Type.Optional(wire.IdempotencyToken) }),
  answers: { 200: Type.Object({ ReportJobId: Type.String() }) },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource: namedReportPlan,
  async handle({ params: { reportPlanName }, body }, context) {
    const { db, account, request } = context;
    const plan = await store.getReportPlan(db, account, request.region, reportPlanName);
    const token = body?.IdempotencyToken;
    const there =
      token === undefined
        ? undefined
        : await store.findReportJobByToken(db, account, request.region, plan.name, token);
    return { ReportJobId: there?.id ?? (await startReport(context, plan, token)) };
  },
});

const describeReportJob = operation({
  id: "backup.DescribeReportJob",
  summary: "Returns a report job with the location of its files",
  description: "Reports and their jobs are deleted after 90 days.",
  method: "GET",
  path: "/audit/report-jobs/{reportJobId}",
  permission: "backup:DescribeReportJob",
  params: jobParams,
  answers: { 200: Type.Object({ ReportJob: wire.ReportJobShape }) },
  errors: [errors.notFound],
  async handle({ params: { reportJobId } }, { db, account, request }) {
    return { ReportJob: viewOf(await store.getReportJob(db, account, request.region, reportJobId)) };
  },
});

const listReportJobs = operation({
  id: "backup.ListReportJobs",
  summary: "Lists report jobs, newest first",
  description: "All filters must match.",
  method: "GET",
  path: "/audit/report-jobs",
  permission: "backup:ListReportJobs",
  query: Type.Object({
    ReportPlanName: Type.Optional(wire.ReportPlanName),
    CreationBefore: Type.Optional(wire.TimeInQuery),
    CreationAfter: Type.Optional(wire.TimeInQuery),
    Status: Type.Optional(
      Type.String({ maxLength: 50, description: "Jobs in this state alone.", examples: ["COMPLETED"] }),
    ),
    ...wire.capitalPage,
  }),
  answers: {
    200: Type.Object({
      ReportJobs: Type.Array(wire.ReportJobShape),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const { MaxResults: _size, NextToken: _token, ...asked } = query;
    const instant = (text: string | undefined) => (text === undefined ? undefined : parseInstant(text));
    const filter = {
      plan: query.ReportPlanName,
      status: query.Status,
      created: { beforeMs: instant(query.CreationBefore), afterMs: instant(query.CreationAfter) },
    };
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, asked),
      store.newestFirstKeyOf,
      (after: store.NewestFirstKey | undefined, limit) =>
        store.listReportJobs(db, account, request.region, filter, { after, limit }),
    );
    return {
      ReportJobs: rows.map((job) => viewOf(job as store.ReportJob)),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const downloadReport = operation({
  id: "backup.DownloadReport",
  summary: "Downloads the report of a report job",
  description: "Only in the formats of the report plan; others give ResourceNotFound.",
  method: "GET",
  path: "/audit/report-jobs/{reportJobId}/files/{format}",
  permission: "backup:DescribeReportJob",
  tags: ["additional"],
  params: Type.Object({
    reportJobId: wire.ReportJobId,
    format: Type.Union([Type.Literal("CSV"), Type.Literal("JSON")], { description: "How it is written." }),
  }),
  answers: { 200: media("text/csv; charset=utf-8", "application/json") },
  errors: [errors.notFound],
  async handle({ params: { reportJobId, format } }, { db, account, request, blobs }) {
    const job = await store.getReportJob(db, account, request.region, reportJobId);
    const file = job.files.find((one) => one.format === format);
    const blob = file && (await blobs.find(file.blobId));
    const bytes = blob && (await blobs.read(blob.id));
    if (!blob || !bytes) throw errors.notFound(`The report job ${reportJobId} has no report as ${format}.`);
    return answer(200, bytes, { "content-type": blob.type });
  },
});

export const reportJobOperations = [startReportJob, describeReportJob, listReportJobs, downloadReport];
