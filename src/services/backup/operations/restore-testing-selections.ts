/** Which resources a restore testing plan tests. */
import { Type } from "@sinclair/typebox";
import {
  checkRole,
  checkTestingSelection,
  PUBLISHED_TYPES,
  type TestingSelection,
  testingPlanArnOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { sourcesOf } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";
import { namedTestingPlan, testingPlanParams } from "./restore-testing-plans.ts";

const SELECTIONS_MAX = 30;
const params = Type.Object({
  RestoreTestingPlanName: wire.TestingPlanName,
  RestoreTestingSelectionName: wire.TestingSelectionName,
});

async function check(context: BackupContext, selection: TestingSelection): Promise<void> {
  checkTestingSelection(selection);
  const { resourceType } = selection;
  if (!sourcesOf(context).findByResourceType(resourceType) && !PUBLISHED_TYPES.has(resourceType))
    throw errors.invalidParameterValue(`Resources of type ${resourceType} cannot be backed up.`);
  checkRole(selection.roleArn, context.account);
  await context.requirePermission("iam:PassRole", selection.roleArn);
}
const madeOf = (selection: store.TestingSelectionRecord) => ({
  CreationTime: wire.timeOf(selection.created_at),
  RestoreTestingPlanArn: testingPlanArnOf(selection.account, selection.region, selection.plan),
  RestoreTestingPlanName: selection.plan,
  RestoreTestingSelectionName: selection.name,
});

const createRestoreTestingSelection = operation({
  id: "backup.CreateRestoreTestingSelection",
  summary: "Adds a selection to a restore testing plan",
  description: `Chooses resources of one type, by ARN or tags, when the plan runs. \`ValidationWindowHours\` is how long the restored resource stays. A plan may have ${SELECTIONS_MAX} selections.`,
  method: "PUT",
  path: "/restore-testing/plans/{RestoreTestingPlanName}/selections",
  permission: "backup:CreateRestoreTestingSelection",
  params: testingPlanParams,
  body: Type.Object({
    RestoreTestingSelection: wire.TestingSelectionForCreate,
    CreatorRequestId: Type.Optional(wire.CreatorRequestId),
  }),
  answers: { 200: wire.TestingSelectionMade },
  errors: [
    errors.alreadyExists,
    errors.invalidParameterValue,
    errors.limitExceeded,
    errors.missingParameterValue,
    errors.notFound,
  ],
  resource: namedTestingPlan,
  async handle({ params: { RestoreTestingPlanName: name }, body }, context) {
    const { db, account, clock, request } = context;
    const plan = await store.getTestingPlan(db, account, request.region, name);
    const document = wire.testingSelectionOf(body.RestoreTestingSelection);
    const there = await store.findTestingSelection(db, account, request.region, name, document.name);
    if (there) {
      const isSame =
        body.CreatorRequestId !== undefined && there.creator_request_id === body.CreatorRequestId;
      if (isSame) return madeOf(there);
      throw errors.alreadyExists(
        `The restore testing plan ${name} has a selection ${document.name} already.`,
        {
          fields: { Arn: testingPlanArnOf(account, request.region, name) },
        },
      );
    }
    await check(context, document);
    const selections = await store.listTestingSelections(db, account, request.region, name, {
      after: "",
      limit: SELECTIONS_MAX,
    });
    if (selections.length >= SELECTIONS_MAX)
      throw errors.limitExceeded(`A restore testing plan can have ${SELECTIONS_MAX} selections.`);
    const selection: store.TestingSelectionRecord = {
      account,
      region: plan.region,
      plan: plan.name,
      name: document.name,
      creator_request_id: body.CreatorRequestId ?? null,
      document,
      created_at: clock.nowMs(),
      updated_at: null,
    };
    await store.insertTestingSelection(db, account, selection);
    return madeOf(selection);
  },
});

type NamedSelection = {
  readonly RestoreTestingPlanName: string;
  readonly RestoreTestingSelectionName: string;
};
const getSelection = ({ db, account, request }: BackupContext, named: NamedSelection) =>
  store.getTestingSelection(
    db,
    account,
    request.region,
    named.RestoreTestingPlanName,
    named.RestoreTestingSelectionName,
  );

const getRestoreTestingSelection = operation({
  id: "backup.GetRestoreTestingSelection",
  summary: "Returns a selection of a restore testing plan",
  description: "Includes the metadata that overrides the inferred metadata.",
  method: "GET",
  path: "/restore-testing/plans/{RestoreTestingPlanName}/selections/{RestoreTestingSelectionName}",
  permission: "backup:GetRestoreTestingSelection",
  params,
  answers: { 200: Type.Object({ RestoreTestingSelection: wire.TestingSelectionForGet }) },
  errors: [errors.notFound],
  resource: namedTestingPlan,
  async handle({ params: named }, context) {
    const { RestoreTestingPlanName } = named;
    const selection = await getSelection(context, named);
    return {
      RestoreTestingSelection: {
        ...wire.testingSelectionViewOf(selection.document),
        CreationTime: wire.timeOf(selection.created_at),
        RestoreTestingPlanName,
        ...(selection.creator_request_id !== null && { CreatorRequestId: selection.creator_request_id }),
      },
    };
  },
});

const updateRestoreTestingSelection = operation({
  id: "backup.UpdateRestoreTestingSelection",
  summary: "Changes a selection of a restore testing plan",
  description: "Members that are not given stay. Tests that are running are not affected.",
  method: "PUT",
  path: "/restore-testing/plans/{RestoreTestingPlanName}/selections/{RestoreTestingSelectionName}",
  permission: "backup:UpdateRestoreTestingSelection",
  params,
  body: Type.Object({ RestoreTestingSelection: wire.TestingSelectionForUpdate }),
  answers: { 200: wire.TestingSelectionChanged },
  errors: [errors.invalidParameterValue, errors.missingParameterValue, errors.notFound],
  resource: namedTestingPlan,
  async handle({ params: named, body }, context) {
    const { db, account, clock } = context;
    const selection = await getSelection(context, named);
    const document = wire.changedTestingSelectionOf(selection.document, body.RestoreTestingSelection);
    await check(context, document);
    const nowMs = clock.nowMs();
    await store.changeTestingSelection(db, account, selection, {
      document: JSON.stringify(document),
      updated_at: nowMs,
    });
    return { ...madeOf(selection), UpdateTime: wire.timeOf(nowMs) };
  },
});

const deleteRestoreTestingSelection = operation({
  id: "backup.DeleteRestoreTestingSelection",
  summary: "Removes a selection from a restore testing plan",
  description: "Tests that are running end as usual.",
  method: "DELETE",
  path: "/restore-testing/plans/{RestoreTestingPlanName}/selections/{RestoreTestingSelectionName}",
  permission: "backup:DeleteRestoreTestingSelection",
  params,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound],
  resource: namedTestingPlan,
  async handle(
    { params: { RestoreTestingPlanName, RestoreTestingSelectionName } },
    { db, account, request },
  ) {
    const { plan, name } = await store.getTestingSelection(
      db,
      account,
      request.region,
      RestoreTestingPlanName,
      RestoreTestingSelectionName,
    );
    await store.deleteTestingSelection(db, account, request.region, plan, name);
    return {};
  },
});

const listRestoreTestingSelections = operation({
  id: "backup.ListRestoreTestingSelections",
  summary: "Lists the selections of a restore testing plan by name",
  description: "Conditions are left out; read them with `backup.GetRestoreTestingSelection`.",
  method: "GET",
  path: "/restore-testing/plans/{RestoreTestingPlanName}/selections",
  permission: "backup:ListRestoreTestingSelections",
  params: testingPlanParams,
  query: Type.Object(wire.capitalPage),
  answers: {
    200: Type.Object({
      RestoreTestingSelections: Type.Array(wire.TestingSelectionListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue, errors.notFound],
  resource: namedTestingPlan,
  async handle({ params, query }, { db, account, request, pages }) {
    const plan = await store.getTestingPlan(db, account, request.region, params.RestoreTestingPlanName);
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { plan: plan.name }),
      (selection: store.TestingSelectionRecord) => [selection.name],
      (after, limit) =>
        store.listTestingSelections(db, account, request.region, plan.name, {
          after: after?.[0] ?? "",
          limit,
        }),
    );
    return {
      RestoreTestingSelections: rows.map(({ created_at, document, name }) => ({
        CreationTime: wire.timeOf(created_at),
        IamRoleArn: document.roleArn,
        ProtectedResourceType: document.resourceType,
        RestoreTestingPlanName: plan.name,
        RestoreTestingSelectionName: name,
        ValidationWindowHours: document.validationWindowHours,
      })),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const restoreTestingSelectionOperations = [
  createRestoreTestingSelection,
  getRestoreTestingSelection,
  updateRestoreTestingSelection,
  deleteRestoreTestingSelection,
  listRestoreTestingSelections,
];
