/** Restore testing plans. */
import { Type } from "@sinclair/typebox";
import { checkTags, checkTestingPlan, TYPES, testingPlanArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { scheduleTesting, unscheduleTesting } from "../jobs/index.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const TESTING_PLANS_MAX = 100;
export const testingPlanParams = Type.Object({ RestoreTestingPlanName: wire.TestingPlanName });
export const namedTestingPlan = (
  { params: { RestoreTestingPlanName: name } }: { params: { RestoreTestingPlanName: string } },
  account: string,
  region: string,
): string => testingPlanArnOf(account, region, name);

const madeOf = (plan: store.TestingPlanRecord) => ({
  CreationTime: wire.timeOf(plan.created_at),
  RestoreTestingPlanArn: testingPlanArnOf(plan.account, plan.region, plan.name),
  RestoreTestingPlanName: plan.name,
});
const memberOf = (plan: store.TestingPlanRecord) => ({
  ...madeOf(plan),
  ...(plan.last_run_at !== null && { LastExecutionTime: wire.timeOf(plan.last_run_at) }),
  ...(plan.updated_at !== null && { LastUpdateTime: wire.timeOf(plan.updated_at) }),
  ScheduleExpression: plan.document.schedule.expression,
  ScheduleExpressionTimezone: plan.document.schedule.timezone,
  StartWindowHours: plan.document.startWindowHours,
});

const createRestoreTestingPlan = operation({
  id: "backup.CreateRestoreTestingPlan",
  summary: "Creates a plan for restore tests",
  description: `On its schedule, a job restores recovery points under temporary names and deletes the restored resources after the validation window. Without selections nothing is tested. An account may have ${TESTING_PLANS_MAX} such plans in a region. Next: \`backup.CreateRestoreTestingSelection\`.`,
  method: "PUT",
  path: "/restore-testing/plans",
  permission: "backup:CreateRestoreTestingPlan",
  body: Type.Object({
    RestoreTestingPlan: wire.TestingPlanForCreate,
    CreatorRequestId: Type.Optional(wire.CreatorRequestId),
    Tags: Type.Optional(wire.Tags),
  }),
  answers: { 200: wire.TestingPlanMade },
  errors: [
    errors.alreadyExists,
    errors.invalidParameterValue,
    errors.limitExceeded,
    errors.missingParameterValue,
  ],
  resource: ({ body }, account, region) =>
    testingPlanArnOf(account, region, body.RestoreTestingPlan.RestoreTestingPlanName),
  async handle({ body }, context) {
    const { db, account, clock, ids, request } = context;
    const { region } = request;
    const document = wire.testingPlanOf(body.RestoreTestingPlan);
    const there = await store.findTestingPlan(db, account, region, document.name);
    if (there) {
      const isSame =
        body.CreatorRequestId !== undefined && there.creator_request_id === body.CreatorRequestId;
      if (isSame) return madeOf(there);
      throw errors.alreadyExists(`There is a restore testing plan ${document.name} already.`, {
        fields: { Arn: testingPlanArnOf(account, region, document.name) },
      });
    }
    checkTestingPlan(document, clock.nowMs());
    checkTags(body.Tags ?? {});
    const plans = await store.listTestingPlans(db, account, region, { after: "", limit: TESTING_PLANS_MAX });
    if (plans.length >= TESTING_PLANS_MAX)
      throw errors.limitExceeded(
        `An account can have ${TESTING_PLANS_MAX} restore testing plans in a region.`,
      );
    const plan: store.TestingPlanRecord = {
      account,
      region,
      name: document.name,
      id: ids.uuid(),
      creator_request_id: body.CreatorRequestId ?? null,
      document,
      created_at: clock.nowMs(),
      updated_at: null,
      last_run_at: null,
    };
    await store.insertTestingPlan(db, account, plan);
    await context.catalog.put({
      arn: testingPlanArnOf(account, region, plan.name),
      type: TYPES["restore-testing-plan"],
      name: plan.name,
      region,
      tags: body.Tags ?? {},
    });
    await scheduleTesting(context, plan, clock.nowMs());
    return madeOf(plan);
  },
});

const getRestoreTestingPlan = operation({
  id: "backup.GetRestoreTestingPlan",
  summary: "Returns a restore testing plan",
  description: "`LastExecutionTime` is the last scheduled run.",
  method: "GET",
  path: "/restore-testing/plans/{RestoreTestingPlanName}",
  permission: "backup:GetRestoreTestingPlan",
  params: testingPlanParams,
  answers: { 200: Type.Object({ RestoreTestingPlan: wire.TestingPlanForGet }) },
  errors: [errors.notFound],
  resource: namedTestingPlan,
  async handle({ params }, { db, account, request }) {
    const plan = await store.getTestingPlan(db, account, request.region, params.RestoreTestingPlanName);
    return {
      RestoreTestingPlan: {
        ...memberOf(plan),
        ...(plan.creator_request_id !== null && { CreatorRequestId: plan.creator_request_id }),
        RecoveryPointSelection: wire.pointRulesViewOf(plan.document.points),
      },
    };
  },
});

const updateRestoreTestingPlan = operation({
  id: "backup.UpdateRestoreTestingPlan",
  summary: "Changes a restore testing plan",
  description: "Members that are not given stay. The next run follows the new schedule.",
  method: "PUT",
  path: "/restore-testing/plans/{RestoreTestingPlanName}",
  permission: "backup:UpdateRestoreTestingPlan",
  params: testingPlanParams,
  body: Type.Object({ RestoreTestingPlan: wire.TestingPlanForUpdate }),
  answers: { 200: wire.TestingPlanChanged },
  errors: [errors.invalidParameterValue, errors.missingParameterValue, errors.notFound],
  resource: namedTestingPlan,
  async handle({ params, body }, context) {
    const { db, account, clock, request } = context;
    const plan = await store.getTestingPlan(db, account, request.region, params.RestoreTestingPlanName);
    const document = wire.changedTestingPlanOf(plan.document, body.RestoreTestingPlan);
    const nowMs = clock.nowMs();
    checkTestingPlan(document, nowMs);
    await store.changeTestingPlan(db, account, plan, {
      document: JSON.stringify(document),
      updated_at: nowMs,
    });
    await scheduleTesting(context, { ...plan, document }, nowMs);
    return { ...madeOf(plan), UpdateTime: wire.timeOf(nowMs) };
  },
});

const deleteRestoreTestingPlan = operation({
  id: "backup.DeleteRestoreTestingPlan",
  summary: "Deletes a restore testing plan without selections",
  description: "Tests that are running end as usual, and their restored resources are deleted.",
  method: "DELETE",
  path: "/restore-testing/plans/{RestoreTestingPlanName}",
  permission: "backup:DeleteRestoreTestingPlan",
  params: testingPlanParams,
  answers: { 200: wire.Nothing },
  errors: [errors.invalidRequest],
  resource: namedTestingPlan,
  async handle({ params: { RestoreTestingPlanName: name } }, context) {
    const { db, account, request } = context;
    const plan = await store.findTestingPlan(db, account, request.region, name);
    if (!plan)
      throw errors.invalidRequest(`There is no restore testing plan ${name} in this account and region.`);
    const [selection] = await store.listTestingSelections(db, account, request.region, name, {
      after: "",
      limit: 1,
    });
    if (selection)
      throw errors.invalidRequest("The selections of a restore testing plan have to be deleted before it.");
    await unscheduleTesting(context, plan);
    await store.deleteTestingPlan(db, account, request.region, name);
    await context.catalog.remove(testingPlanArnOf(account, request.region, name));
    return {};
  },
});

const listRestoreTestingPlans = operation({
  id: "backup.ListRestoreTestingPlans",
  summary: "Lists restore testing plans by name",
  description: "Only plans of the request's region.",
  method: "GET",
  path: "/restore-testing/plans",
  permission: "backup:ListRestoreTestingPlans",
  query: Type.Object(wire.capitalPage),
  answers: {
    200: Type.Object({
      RestoreTestingPlans: Type.Array(wire.TestingPlanListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (plan: store.TestingPlanRecord) => [plan.name],
      (after, limit) =>
        store.listTestingPlans(db, account, request.region, { after: after?.[0] ?? "", limit }),
    );
    return {
      RestoreTestingPlans: rows.map(memberOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const restoreTestingPlanOperations = [
  createRestoreTestingPlan,
  getRestoreTestingPlan,
  updateRestoreTestingPlan,
  deleteRestoreTestingPlan,
  listRestoreTestingPlans,
];
