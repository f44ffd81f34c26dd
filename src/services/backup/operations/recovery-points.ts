/** Recovery points: read, listed, kept longer or shorter, let go and deleted. */
import { Type } from "@sinclair/typebox";
import { answer, noBody } from "#kernel/operation";
import { checkLifecycle, findPointIn, pointArnOf, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  isRoleAllowed,
  lifecycleColumns,
  notifyVault,
  planLifecycle,
  startWantedDeletion,
} from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { PointRow, VaultRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { openPoint, pointParams as params } from "./open-point.ts";
import { namedVault, openVault } from "./open-vault.ts";
import { operation, pageRequestOf } from "./operation.ts";

const ownerQuery = Type.Object({ backupVaultAccountId: Type.Optional(wire.AccountId) });
const found = [errors.notFound, errors.accessDenied];

const describePoint = operation({
  id: "backup.DescribeRecoveryPoint",
  summary: "Returns a recovery point with its size and lifecycle",
  description:
    "`Status` is COMPLETED, PARTIAL if parts could not be backed up, DELETING, or EXPIRED if its role could not delete it.",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}",
  permission: "backup:DescribeRecoveryPoint",
  params,
  query: ownerQuery,
  answers: { 200: wire.PointView },
  errors: found,
  resource: namedVault,
  async handle({ params: named, query }, context) {
    const { vault, point } = await openPoint(
      context,
      named,
      "DescribeRecoveryPoint",
      query.backupVaultAccountId,
    );
    return wire.pointViewOf(point, vault);
  },
});

const restoreMetadata = operation({
  id: "backup.GetRecoveryPointRestoreMetadata",
  summary: "Returns the metadata that restores the resource as it was",
  description: "Change it as needed, for example the name, and pass it to `backup.StartRestoreJob`.",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/restore-metadata",
  permission: "backup:GetRecoveryPointRestoreMetadata",
  params,
  query: ownerQuery,
  answers: {
    200: Type.Object({
      BackupVaultArn: Type.String(),
      RecoveryPointArn: Type.String(),
      RestoreMetadata: wire.RestoreMetadata,
      ResourceType: Type.String(),
    }),
  },
  errors: found,
  resource: namedVault,
  async handle({ params: named, query }, context) {
    const { point } = await openPoint(
      context,
      named,
      "GetRecoveryPointRestoreMetadata",
      query.backupVaultAccountId,
    );
    return {
      BackupVaultArn: vaultArnOf(point.account, point.region, point.vault),
      RecoveryPointArn: pointArnOf(point.account, point.region, point.id),
      RestoreMetadata: JSON.parse(point.restore_metadata) as Record<string, string>,
      ResourceType: point.resource_type,
    };
  },
});

/** Refuses a deletion because of a legal hold, a vault lock or a running job. */
async function refuseKept(context: BackupContext, vault: VaultRow, point: PointRow): Promise<void> {
  const { db, account } = context;
  const hold = await store.findHoldOn(db, account, {
    region: point.region,
    vaultName: point.vault,
    resourceArn: point.resource_arn,
    createdAtMs: Number(point.created_at),
  });
  if (hold)
    throw errors.invalidRequest(`The recovery point is under the legal hold ${hold.id} (${hold.title}).`);
  if (vault.locked === 1)
    throw errors.invalidRequest(
      `The backup vault ${vault.name} is locked: its recovery points go when their time has come.`,
    );
  if (point.status === "DELETING") throw errors.invalidResourceState("The recovery point is being deleted.");
}

const deletePoint = operation({
  id: "backup.DeleteRecoveryPoint",
  summary: "Deletes a recovery point",
  description:
    "A job deletes the content; chunks that other recovery points use stay. Refused under a legal hold, in a locked vault, or during a deletion. If its role may not delete, it becomes EXPIRED instead.",
  method: "DELETE",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}",
  permission: "backup:DeleteRecoveryPoint",
  params,
  answers: { 200: wire.Nothing },
  errors: [...found, errors.invalidRequest, errors.invalidResourceState],
  resource: namedVault,
  async handle({ params: named }, context) {
    const { vault, point } = await openPoint(context, named, "DeleteRecoveryPoint");
    await refuseKept(context, vault, point);
    if (await isRoleAllowed(context, point.role_arn, "backup:DeleteRecoveryPoint"))
      await startWantedDeletion(context, point);
    else {
      const message = `The role ${point.role_arn} may not delete recovery points.`;
      await store.updatePoint(context.db, point, { status: "EXPIRED", message });
    }
    return {};
  },
});

const disassociate = operation({
  id: "backup.DisassociateRecoveryPoint",
  summary: "Ends a continuous recovery point",
  description:
    "A job deletes it, and no further changes are recorded; other recovery points cannot be disassociated. Refused under a legal hold or in a locked vault.",
  method: "POST",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/disassociate",
  permission: "backup:DisassociateRecoveryPoint",
  params,
  answers: { 200: wire.Nothing },
  errors: [...found, errors.invalidRequest, errors.invalidResourceState],
  resource: namedVault,
  async handle({ params: named }, context) {
    const { vault, point } = await openPoint(context, named, "DisassociateRecoveryPoint");
    await refuseKept(context, vault, point);
    if (point.kind !== "CONTINUOUS")
      throw errors.invalidRequest("Only continuous recovery points can be let go; others are deleted.");
    await startWantedDeletion(context, point);
    return {};
  },
});
const disassociateFromParent = operation({
  id: "backup.DisassociateRecoveryPointFromParent",
  summary: "Detaches a recovery point from its composite",
  description:
    "It then has a lifecycle of its own and is not deleted with the composite. Refused under a legal hold or in a locked vault.",
  method: "DELETE",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/parentAssociation",
  permission: "backup:DisassociateRecoveryPointFromParent",
  params,
  answers: { 204: noBody },
  errors: [...found, errors.invalidRequest, errors.invalidResourceState],
  resource: namedVault,
  async handle({ params: named }, context) {
    const { vault, point } = await openPoint(context, named, "DisassociateRecoveryPointFromParent");
    await refuseKept(context, vault, point);
    if (point.parent_id === null) throw errors.invalidRequest("The recovery point has no parent.");
    await store.updatePoint(context.db, point, { parent_id: null });
    return answer(204);
  },
});

/** Content in cold storage cannot become warm again. A vault lock forbids every change. */
function checkChange(vault: VaultRow, point: PointRow, coldAfterDays: number | undefined): void {
  if (point.kind === "CONTINUOUS")
    throw errors.invalidRequest("The lifecycle of a continuous recovery point is its rule's.");
  if (vault.locked === 1)
    throw errors.invalidRequest(
      `The backup vault ${vault.name} is locked: lifecycles in it cannot be changed.`,
    );
  if (point.storage_class === "COLD" && coldAfterDays !== (point.cold_after_days ?? undefined))
    throw errors.invalidRequest("The recovery point lies in cold storage already.");
}
const updateLifecycle = operation({
  id: "backup.UpdateRecoveryPointLifecycle",
  summary: "Changes when a recovery point moves to cold storage and is deleted",
  description:
    "Days count from its creation, so it can be due at once. Content in cold storage stays there, for at least 90 days. Refused for continuous recovery points and in locked vaults.",
  method: "POST",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}",
  permission: "backup:UpdateRecoveryPointLifecycle",
  params,
  body: Type.Object({ Lifecycle: Type.Optional(wire.Lifecycle) }),
  bodyOptional: true,
  answers: {
    200: Type.Object({
      BackupVaultArn: Type.String(),
      RecoveryPointArn: Type.String(),
      Lifecycle: Type.Optional(wire.Lifecycle),
      CalculatedLifecycle: Type.Optional(wire.CalculatedLifecycle),
    }),
  },
  errors: [...found, errors.invalidRequest, errors.invalidParameterValue],
  resource: namedVault,
  async handle({ params: named, body }, context) {
    const { vault, point } = await openPoint(context, named, "UpdateRecoveryPointLifecycle");
    const lifecycle = checkLifecycle(wire.lifecycleOf(body?.Lifecycle ?? {}));
    checkChange(vault, point, lifecycle.moveToColdStorageAfterDays);
    const columns = lifecycleColumns(lifecycle, Number(point.created_at));
    await store.updatePoint(context.db, point, columns);
    const changed = { ...point, ...columns };
    await planLifecycle(context, changed);
    const arn = pointArnOf(point.account, point.region, point.id);
    await notifyVault(context, {
      region: point.region,
      vaultName: point.vault,
      events: ["RECOVERY_POINT_MODIFIED"],
      message: "The lifecycle of the recovery point was changed.",
      about: { RecoveryPointArn: arn },
    });
    return {
      BackupVaultArn: vaultArnOf(point.account, point.region, point.vault),
      RecoveryPointArn: arn,
      ...wire.lifecycleViewsOf(changed),
    };
  },
});

const listInVault = operation({
  id: "backup.ListRecoveryPointsByBackupVault",
  summary: "Lists the recovery points of a vault, newest first",
  description: "All filters must match. Works for shared vaults with `backupVaultAccountId`.",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/recovery-points/",
  permission: "backup:ListRecoveryPointsByBackupVault",
  params: Type.Object({ backupVaultName: wire.VaultName }),
  query: Type.Object({
    backupVaultAccountId: Type.Optional(wire.AccountId),
    resourceArn: Type.Optional(wire.ResourceArn),
    resourceType: Type.Optional(wire.ResourceType),
    backupPlanId: Type.Optional(wire.PlanId),
    parentRecoveryPointArn: Type.Optional(wire.RecoveryPointArn),
    ...wire.createdQuery,
    ...wire.page,
  }),
  answers: {
    200: Type.Object({
      RecoveryPoints: Type.Array(wire.PointView),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [...found, errors.invalidParameterValue],
  resource: namedVault,
  async handle({ params: { backupVaultName }, query }, context) {
    const vault = await openVault(
      context,
      backupVaultName,
      "ListRecoveryPointsByBackupVault",
      query.backupVaultAccountId,
    );
    const filter: store.PointFilter = {
      vault: vault.name,
      resourceArn: query.resourceArn,
      resourceType: query.resourceType,
      planId: query.backupPlanId,
      parentId:
        query.parentRecoveryPointArn === undefined
          ? undefined
          : (findPointIn(query.parentRecoveryPointArn)?.name ?? ""),
      created: wire.createdSpanOf(query),
    };
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, filter),
      (point: PointRow) => store.newestFirstKeyOf(point),
      (after, limit) => store.listPoints(context.db, vault.account, vault.region, filter, { after, limit }),
    );
    return {
      RecoveryPoints: rows.map((point) => wire.pointViewOf(point, vault)),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const listOfResource = operation({
  id: "backup.ListRecoveryPointsByResource",
  summary: "Lists the recovery points of a resource in all vaults, newest first",
  description: "Also works for a resource that no longer exists.",
  method: "GET",
  path: "/resources/{resourceArn}/recovery-points/",
  permission: "backup:ListRecoveryPointsByResource",
  params: Type.Object({ resourceArn: wire.ResourceArn }),
  query: Type.Object({ managedByAWSBackupOnly: Type.Optional(wire.ManagedOnly), ...wire.page }),
  answers: {
    200: Type.Object({
      RecoveryPoints: Type.Array(wire.PointByResourceView),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource: ({ params: { resourceArn } }) => resourceArn,
  async handle({ params: { resourceArn }, query }, context) {
    const { db, account, request } = context;
    const known = await store.findProtected(db, account, request.region, resourceArn);
    if (!known && !(await context.catalog.find(resourceArn)))
      throw errors.notFound(`There is no resource ${resourceArn} in this account and region.`);
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, { resourceArn }),
      (point: PointRow) => store.newestFirstKeyOf(point),
      (after, limit) => store.listPoints(db, account, request.region, { resourceArn }, { after, limit }),
    );
    const views = [];
    for (const point of rows) {
      const vault = await store.getVault(db, account, request.region, point.vault);
      views.push(wire.pointByResourceViewOf(point, vault));
    }
    return { RecoveryPoints: views, ...(nextToken !== undefined && { NextToken: nextToken }) };
  },
});

export const recoveryPointOperations = [
  describePoint,
  restoreMetadata,
  deletePoint,
  disassociate,
  disassociateFromParent,
  updateLifecycle,
  listInVault,
  listOfResource,
];
