/** Which resources a plan backs up. */
import { Type } from "@sinclair/typebox";
import { checkRole, checkSelection, planArnOf, type Selection } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/plans.ts";
import type { SelectionRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";
import { namedPlan, planParams } from "./plans.ts";

const SELECTIONS_MAX = 100;
const SELECTION_BODY_BYTES_MAX = 1024 * 1024;
const selectionParams = Type.Object({ backupPlanId: wire.PlanId, selectionId: wire.SelectionId });

const madeOf = (row: SelectionRow) => ({
  SelectionId: row.id,
  BackupPlanId: row.plan_id,
  CreationDate: wire.timeOf(row.created_at),
});

export async function createSelection(
  context: BackupContext,
  region: string,
  planId: string,
  selection: Selection,
  creatorRequestId?: string,
) {
  const { db, account, clock, ids } = context;
  const plan = await store.getLivePlan(db, account, region, planId);
  checkSelection(selection);
  checkRole(selection.roleArn, account);
  await context.requirePermission("iam:PassRole", selection.roleArn);
  const document = JSON.stringify(selection);
  const there = await store.findSelectionByName(db, account, region, plan.id, selection.name);
  if (there) {
    const isSame = there.creator_request_id === (creatorRequestId ?? null) && there.document === document;
    if (isSame && creatorRequestId !== undefined) return madeOf(there);
    throw errors.alreadyExists(`The backup plan ${plan.id} has a selection ${selection.name} already.`, {
      fields: {
        Arn: planArnOf(account, region, plan.id),
        ...(there.creator_request_id !== null && { CreatorRequestId: there.creator_request_id }),
      },
    });
  }
  if ((await store.countSelections(db, account, region, plan.id)) >= SELECTIONS_MAX)
    throw errors.limitExceeded(`A backup plan can have ${SELECTIONS_MAX} selections.`);
  const row: SelectionRow = {
    account,
    region,
    plan_id: plan.id,
    id: ids.uuid(),
    name: selection.name,
    creator_request_id: creatorRequestId ?? null,
    role_arn: selection.roleArn,
    document,
    created_at: clock.nowMs(),
  };
  await store.insertSelection(db, account, row);
  return madeOf(row);
}

const createBackupSelection = operation({
  id: "backup.CreateBackupSelection",
  summary: "Adds a selection of resources to a backup plan",
  description: `Names, wildcards and tags are evaluated at each run of a rule, so later resources are included. The caller needs iam:PassRole on the role. A plan may have ${SELECTIONS_MAX} selections. A repeated request with the same \`CreatorRequestId\` returns the same selection.`,
  method: "PUT",
  path: "/backup/plans/{backupPlanId}/selections/",
  permission: "backup:CreateBackupSelection",
  bodyBytesMax: SELECTION_BODY_BYTES_MAX,
  params: planParams,
  body: Type.Object({
    BackupSelection: wire.SelectionShape,
    CreatorRequestId: Type.Optional(wire.CreatorRequestId),
  }),
  answers: { 200: wire.SelectionMade },
  errors: [
    errors.alreadyExists,
    errors.limitExceeded,
    errors.invalidParameterValue,
    errors.missingParameterValue,
    errors.notFound,
  ],
  resource: namedPlan,
  handle: ({ params, body }, context) =>
    createSelection(
      context,
      context.request.region,
      params.backupPlanId,
      wire.selectionOf(body.BackupSelection),
      body.CreatorRequestId,
    ),
});

const getBackupSelection = operation({
  id: "backup.GetBackupSelection",
  summary: "Returns a selection of a backup plan",
  description: "A selection cannot be changed: delete it and create another.",
  method: "GET",
  path: "/backup/plans/{backupPlanId}/selections/{selectionId}",
  permission: "backup:GetBackupSelection",
  params: selectionParams,
  answers: { 200: wire.SelectionDescribed },
  errors: [errors.notFound],
  resource: namedPlan,
  async handle({ params: { backupPlanId, selectionId } }, { db, account, request }) {
    const row = await store.getSelection(db, account, request.region, backupPlanId, selectionId);
    return {
      BackupSelection: wire.selectionViewOf(store.selectionOf(row)),
      ...madeOf(row),
      ...(row.creator_request_id !== null && { CreatorRequestId: row.creator_request_id }),
    };
  },
});

const deleteBackupSelection = operation({
  id: "backup.DeleteBackupSelection",
  summary: "Removes a selection from a backup plan",
  description: "Running jobs continue, and recovery points stay.",
  method: "DELETE",
  path: "/backup/plans/{backupPlanId}/selections/{selectionId}",
  permission: "backup:DeleteBackupSelection",
  params: selectionParams,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound],
  resource: namedPlan,
  async handle({ params: { backupPlanId, selectionId } }, { db, account, request }) {
    const row = await store.getSelection(db, account, request.region, backupPlanId, selectionId);
    await store.deleteSelection(db, account, row);
    return {};
  },
});

const listBackupSelections = operation({
  id: "backup.ListBackupSelections",
  summary: "Lists the selections of a backup plan",
  description: "Conditions are left out; read them with `backup.GetBackupSelection`.",
  method: "GET",
  path: "/backup/plans/{backupPlanId}/selections/",
  permission: "backup:ListBackupSelections",
  params: planParams,
  query: Type.Object(wire.page),
  answers: {
    200: Type.Object({
      BackupSelectionsList: Type.Array(wire.SelectionListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource: namedPlan,
  async handle({ params, query }, { db, account, request, pages }) {
    const plan = await store.getLivePlan(db, account, request.region, params.backupPlanId);
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { plan: plan.id }),
      (row: SelectionRow) => [row.id],
      (after, limit) =>
        store.listSelections(db, account, plan.region, plan.id, { after: after?.[0] ?? "", limit }),
    );
    return {
      BackupSelectionsList: rows.map((row) => ({
        ...madeOf(row),
        SelectionName: row.name,
        ...(row.creator_request_id !== null && { CreatorRequestId: row.creator_request_id }),
        IamRoleArn: row.role_arn,
      })),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const selectionOperations = [
  createBackupSelection,
  getBackupSelection,
  deleteBackupSelection,
  listBackupSelections,
];
