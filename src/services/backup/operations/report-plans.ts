/** Report plans. */
import { Type } from "@sinclair/typebox";
import {
  checkDeliveryChannel,
  checkReportSetting,
  checkTags,
  isComplianceReport,
  type ReportSetting,
  reportPlanArnOf,
  TYPES,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { scheduleReports, unscheduleReports } from "../jobs/index.ts";
import { areTogether, findManager } from "../settings.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const REPORT_PLANS_MAX = 20;
const params = Type.Object({ reportPlanName: wire.ReportPlanName });
export const namedReportPlan = (
  { params: { reportPlanName } }: { params: { reportPlanName: string } },
  account: string,
  region: string,
): string => reportPlanArnOf(account, region, reportPlanName);

const viewOf = (plan: store.ReportPlan) => ({
  ReportPlanArn: reportPlanArnOf(plan.account, plan.region, plan.name),
  ReportPlanName: plan.name,
  ...(plan.description !== null && { ReportPlanDescription: plan.description }),
  ReportSetting: wire.reportSettingViewOf(plan.setting),
  ReportDeliveryChannel: wire.channelViewOf(plan.channel),
  DeploymentStatus: plan.deployment_status,
  CreationTime: wire.timeOf(plan.created_at),
  ...(plan.attempted_at !== null && { LastAttemptedExecutionTime: wire.timeOf(plan.attempted_at) }),
  ...(plan.succeeded_at !== null && { LastSuccessfulExecutionTime: wire.timeOf(plan.succeeded_at) }),
});
const madeOf = (plan: store.ReportPlan) => ({
  ReportPlanName: plan.name,
  ReportPlanArn: reportPlanArnOf(plan.account, plan.region, plan.name),
  CreationTime: wire.timeOf(plan.created_at),
});

async function checkFrameworks({ catalog }: BackupContext, arns: readonly string[]): Promise<void> {
  const there = new Set((await catalog.findMany(arns)).map(({ arn }) => arn));
  const missing = arns.find((arn) => !there.has(arn));
  if (missing !== undefined) throw errors.invalidParameterValue(`There is no framework ${missing}.`);
}
/** Other accounts are reported on by the one that manages their organisation. */
async function checkSetting(context: BackupContext, setting: ReportSetting): Promise<void> {
  const { account, config } = context;
  checkReportSetting(setting);
  if (isComplianceReport(setting.template)) await checkFrameworks(context, setting.frameworkArns);
  if (setting.organizationUnits.length > 0)
    throw errors.invalidParameterValue("There are no organization units here: name accounts.");
  for (const other of setting.accounts) {
    const isReportedOn =
      other === account || (findManager(config, account) === account && areTogether(config, account, other));
    if (!isReportedOn)
      throw errors.invalidParameterValue(`The account ${other} is not managed by the account ${account}.`);
  }
}

const createReportPlan = operation({
  id: "backup.CreateReportPlan",
  summary: "Creates a plan for daily reports",
  description: `A job writes a report every day to the outbox; download it with \`backup.DownloadReport\`. Only the managing account of an organization can report on other accounts. An account may have ${REPORT_PLANS_MAX} report plans in a region.`,
  method: "POST",
  path: "/audit/report-plans",
  permission: "backup:CreateReportPlan",
  body: Type.Object({
    ReportPlanName: wire.ReportPlanName,
    ReportPlanDescription: Type.Optional(wire.AuditDescription),
    ReportDeliveryChannel: wire.DeliveryChannelShape,
    ReportSetting: wire.ReportSettingShape,
    ReportPlanTags: Type.Optional(wire.Tags),
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
  }),
  answers: { 200: wire.ReportPlanMade },
  errors: [
    errors.alreadyExists,
    errors.limitExceeded,
    errors.invalidParameterValue,
    errors.missingParameterValue,
  ],
  resource: ({ body }, account, region) => reportPlanArnOf(account, region, body.ReportPlanName),
  async handle({ body }, context) {
    const { db, account, clock, ids, request } = context;
    const { region } = request;
    const { ReportPlanName: name, IdempotencyToken: token, ReportPlanTags: tags = {} } = body;
    const there = await store.findReportPlan(db, account, region, name);
    if (there) {
      if (token !== undefined && there.token === token) return madeOf(there);
      throw errors.alreadyExists(`There is a report plan ${name} already.`, {
        fields: { Arn: reportPlanArnOf(account, region, name) },
      });
    }
    const setting = wire.reportSettingOf(body.ReportSetting);
    const channel = wire.channelOf(body.ReportDeliveryChannel);
    checkTags(tags);
    checkDeliveryChannel(channel);
    await checkSetting(context, setting);
    const plans = await store.listReportPlans(db, account, region, { after: "", limit: REPORT_PLANS_MAX });
    if (plans.length >= REPORT_PLANS_MAX)
      throw errors.limitExceeded(`An account can have ${REPORT_PLANS_MAX} report plans in a region.`);
    const plan: store.ReportPlan = {
      account,
      region,
      name,
      id: ids.uuid(),
      description: body.ReportPlanDescription ?? null,
      setting,
      channel,
      deployment_status: "COMPLETED",
      token: token ?? null,
      created_at: clock.nowMs(),
      attempted_at: null,
      succeeded_at: null,
    };
    await store.insertReportPlan(db, account, plan);
    await context.catalog.put({
      arn: reportPlanArnOf(account, region, name),
      type: TYPES["report-plan"],
      name,
      region,
      tags,
    });
    await scheduleReports(context, plan, clock.nowMs());
    return madeOf(plan);
  },
});

const describeReportPlan = operation({
  id: "backup.DescribeReportPlan",
  summary: "Returns a report plan",
  description: "Includes the times of the last attempted and last successful report.",
  method: "GET",
  path: "/audit/report-plans/{reportPlanName}",
  permission: "backup:DescribeReportPlan",
  params,
  answers: { 200: Type.Object({ ReportPlan: wire.ReportPlanShape }) },
  errors: [errors.notFound],
  resource: namedReportPlan,
  async handle({ params: { reportPlanName } }, { db, account, request }) {
    return { ReportPlan: viewOf(await store.getReportPlan(db, account, request.region, reportPlanName)) };
  },
});

const updateReportPlan = operation({
  id: "backup.UpdateReportPlan",
  summary: "Changes a report plan",
  description: "Members that are not given stay. The next report uses the change.",
  method: "PUT",
  path: "/audit/report-plans/{reportPlanName}",
  permission: "backup:UpdateReportPlan",
  params,
  body: Type.Object({
    ReportPlanDescription: Type.Optional(wire.AuditDescription),
    ReportDeliveryChannel: Type.Optional(wire.DeliveryChannelShape),
    ReportSetting: Type.Optional(wire.ReportSettingShape),
    IdempotencyToken: Type.Optional(wire.IdempotencyToken),
  }),
  answers: { 200: wire.ReportPlanMade },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource: namedReportPlan,
  async handle({ params: { reportPlanName }, body }, context) {
    const { db, account, request } = context;
    const plan = await store.getReportPlan(db, account, request.region, reportPlanName);
    const setting = body.ReportSetting ? wire.reportSettingOf(body.ReportSetting) : plan.setting;
    const channel = body.ReportDeliveryChannel ? wire.channelOf(body.ReportDeliveryChannel) : plan.channel;
    checkDeliveryChannel(channel);
    await checkSetting(context, setting);
    await store.changeReportPlan(db, account, plan, {
      ...(body.ReportPlanDescription !== undefined && { description: body.ReportPlanDescription }),
      setting: JSON.stringify(setting),
      channel: JSON.stringify(channel),
    });
    return madeOf(plan);
  },
});

const deleteReportPlan = operation({
  id: "backup.DeleteReportPlan",
  summary: "Deletes a report plan",
  description: "No further reports are written; reports that exist stay for 90 days after they were written.",
  method: "DELETE",
  path: "/audit/report-plans/{reportPlanName}",
  permission: "backup:DeleteReportPlan",
  params,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound],
  resource: namedReportPlan,
  async handle({ params: { reportPlanName } }, context) {
    const { db, account, request } = context;
    const plan = await store.getReportPlan(db, account, request.region, reportPlanName);
    await unscheduleReports(context, plan);
    await store.deleteReportPlan(db, account, request.region, reportPlanName);
    await context.catalog.remove(reportPlanArnOf(account, request.region, reportPlanName));
    return {};
  },
});

const listReportPlans = operation({
  id: "backup.ListReportPlans",
  summary: "Lists report plans by name",
  description: "Only plans of the request's region.",
  method: "GET",
  path: "/audit/report-plans",
  permission: "backup:ListReportPlans",
  query: Type.Object(wire.capitalPage),
  answers: {
    200: Type.Object({
      ReportPlans: Type.Array(wire.ReportPlanShape),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (plan: store.ReportPlan) => [plan.name],
      (after, limit) =>
        store.listReportPlans(db, account, request.region, { after: after?.[0] ?? "", limit }),
    );
    return { ReportPlans: rows.map(viewOf), ...(nextToken !== undefined && { NextToken: nextToken }) };
  },
});

export const reportPlanOperations = [
  createReportPlan,
  describeReportPlan,
  updateReportPlan,
  deleteReportPlan,
  listReportPlans,
];
