/** Resources that have been backed up, and kinds that can be. */
import { Type } from "@sinclair/typebox";
import { errors } from "../errors.ts";
import { resourceTypesOf } from "../jobs/index.ts";
import * as store from "../store/index.ts";
import type { ProtectedInVaultRow, ProtectedRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { namedVault, openVault } from "./open-vault.ts";
import { operation, pageRequestOf } from "./operation.ts";

const Listed = Type.Object({
  Results: Type.Array(wire.ProtectedResource),
  NextToken: Type.Optional(wire.NextToken),
});

const describeResource = operation({
  id: "backup.DescribeProtectedResource",
  summary: "Returns when a resource was last backed up and restored",
  description:
    "Stays after the resource was deleted. ResourceNotFound if it was never backed up in this region.",
  method: "GET",
  path: "/resources/{resourceArn}",
  permission: "backup:DescribeProtectedResource",
  params: Type.Object({ resourceArn: wire.ResourceArn }),
  answers: { 200: wire.ProtectedResourceView },
  errors: [errors.notFound],
  resource: ({ params: { resourceArn } }) => resourceArn,
  async handle({ params: { resourceArn } }, { db, account, request }) {
    const row = await store.findProtected(db, account, request.region, resourceArn);
    if (!row) throw errors.notFound(`There are no backups of ${resourceArn} in this account and region.`);
    return wire.protectedResourceViewOf(row);
  },
});

const listResources = operation({
  id: "backup.ListProtectedResources",
  summary: "Lists the resources that were backed up, by ARN",
  description: "Only resources of the request's region.",
  method: "GET",
  path: "/resources/",
  permission: "backup:ListProtectedResources",
  query: Type.Object(wire.page),
  answers: { 200: Listed },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (row: ProtectedRow) => [row.arn],
      (after, limit) => store.listProtected(db, account, request.region, { after: after?.[0], limit }),
    );
    return {
      Results: rows.map(wire.protectedResourceOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const listInVault = operation({
  id: "backup.ListProtectedResourcesByBackupVault",
  summary: "Lists the resources that were backed up to a vault, by ARN",
  description: "Works for shared vaults with `backupVaultAccountId`.",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/resources/",
  permission: "backup:ListProtectedResourcesByBackupVault",
  params: Type.Object({ backupVaultName: wire.VaultName }),
  query: Type.Object({ backupVaultAccountId: Type.Optional(wire.AccountId), ...wire.page }),
  answers: { 200: Listed },
  errors: [errors.notFound, errors.accessDenied, errors.invalidParameterValue],
  resource: namedVault,
  async handle({ params: { backupVaultName }, query }, context) {
    const owner = query.backupVaultAccountId;
    const vault = await openVault(context, backupVaultName, "ListProtectedResourcesByBackupVault", owner);
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, { backupVaultName, owner }),
      (row: ProtectedInVaultRow) => [row.arn],
      (after, limit) =>
        store.listProtectedInVault(context.db, vault.account, vault.region, vault.name, {
          after: after?.[0],
          limit,
        }),
    );
    return {
      Results: rows.map(wire.protectedInVaultOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const supportedTypes = operation({
  id: "backup.GetSupportedResourceTypes",
  summary: "Lists the resource types that can be backed up",
  description: "Depends on the services that this server mounts.",
  method: "GET",
  path: "/supported-resource-types",
  permission: "backup:GetSupportedResourceTypes",
  answers: { 200: Type.Object({ ResourceTypes: Type.Array(Type.String()) }) },
  handle: async (_input, context) => ({ ResourceTypes: resourceTypesOf(context) }),
});

export const protectedResourceOperations = [describeResource, listResources, listInVault, supportedTypes];
