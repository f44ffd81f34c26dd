/** Items inside recovery points: the searchable points, and search results. */
import { type Static, Type } from "@sinclair/typebox";
import { pointArnOf, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { askForIndex, dropIndex, searchItems } from "../jobs/index.ts";
import type { Item } from "../storage/work.ts";
import * as store from "../store/index.ts";
import type { PointRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { openPoint, pointParams as params } from "./open-point.ts";
import { namedVault } from "./open-vault.ts";
import { operation, pageRequestOf } from "./operation.ts";

const found = [errors.notFound, errors.accessDenied];
const ITEMS_MAX = 1000;

const updateIndex = operation({
  id: "backup.UpdateRecoveryPointIndexSettings",
  summary: "Enables or disables the search index of a recovery point",
  description:
    "A job builds the index; poll `backup.GetRecoveryPointIndexDetails`. Disabling deletes the index.",
  method: "POST",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/index",
  permission: "backup:UpdateRecoveryPointIndexSettings",
  params,
  body: Type.Object({ IamRoleArn: Type.Optional(wire.RoleArn), Index: wire.Index }),
  answers: {
    200: Type.Object({
      BackupVaultName: Type.String(),
      RecoveryPointArn: Type.String(),
      Index: Type.String(),
      IndexStatus: Type.Optional(Type.String()),
    }),
  },
  errors: [...found, errors.invalidRequest],
  resource: namedVault,
  async handle({ params: named, body: { Index } }, context) {
    const { point } = await openPoint(context, named, "UpdateRecoveryPointIndexSettings");
    const { index_status } = await (Index === "ENABLED" ? askForIndex : dropIndex)(context, point);
    return {
      BackupVaultName: point.vault,
      RecoveryPointArn: pointArnOf(point.account, point.region, point.id),
      Index,
      ...(index_status !== null && { IndexStatus: index_status }),
    };
  },
});

const getIndex = operation({
  id: "backup.GetRecoveryPointIndexDetails",
  summary: "Returns the status and size of a recovery point's index",
  description: "ResourceNotFound if it never had one.",
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/index",
  permission: "backup:GetRecoveryPointIndexDetails",
  params,
  answers: { 200: wire.IndexDetails },
  errors: found,
  resource: namedVault,
  async handle({ params: named }, context) {
    const { point } = await openPoint(context, named, "GetRecoveryPointIndexDetails");
    if (point.index_asked_at === null) throw errors.notFound("The recovery point never had an index.");
    return wire.indexDetailsOf(point);
  },
});

const listIndexed = operation({
  id: "backup.ListIndexedRecoveryPoints",
  summary: "Lists the recovery points with an index, newest first",
  description: "Includes those whose index is being built or has failed; filter with `indexStatus`.",
  method: "GET",
  path: "/indexes/recovery-point/",
  permission: "backup:ListIndexedRecoveryPoints",
  query: Type.Object({
    sourceResourceArn: Type.Optional(wire.ResourceArn),
    resourceType: Type.Optional(wire.ResourceType),
    indexStatus: Type.Optional(wire.IndexStatus),
    ...wire.createdQuery,
    ...wire.page,
  }),
  answers: {
    200: Type.Object({
      IndexedRecoveryPoints: Type.Array(wire.IndexedPoint),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, context) {
    const { db, account, request } = context;
    const filter: store.PointFilter = {
      resourceArn: query.sourceResourceArn,
      resourceType: query.resourceType,
      indexStatus: query.indexStatus ?? "any",
      created: wire.createdSpanOf(query),
    };
    const { rows, nextToken } = await context.pages.of(
      pageRequestOf(query, filter),
      (point: PointRow) => store.newestFirstKeyOf(point),
      (after, limit) => store.listPoints(db, account, request.region, filter, { after, limit }),
    );
    return {
      IndexedRecoveryPoints: rows.map(wire.indexedPointOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const ItemView = Type.Object({
  Path: Type.String(),
  Kind: Type.String(),
  Size: Type.Optional(Type.Integer()),
  LastModified: Type.Optional(wire.Time),
});
const NS_PER_SECOND = 1_000_000_000n;
const searchPoint = operation({
  id: "backup.SearchRecoveryPointItems",
  summary: "Lists the files, folders and links of a recovery point by pattern",
  description: `Needs an active index. Case is ignored. Pages have ${ITEMS_MAX} items by default.`,
  method: "GET",
  path: "/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/items",
  permission: "backup:SearchRecoveryPointItems",
  tags: ["additional"],
  params,
  query: Type.Object({
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          "The path from the backed up folder on, capital letters or not; * stands for anything, ? for one character.",
        examples: ["*.jpg"],
      }),
    ),
    ...wire.page,
  }),
  answers: {
    200: Type.Object({
      BackupVaultArn: Type.String(),
      RecoveryPointArn: Type.String(),
      Items: Type.Array(ItemView),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [...found, errors.invalidRequest, errors.invalidResourceState],
  resource: namedVault,
  async handle({ params: named, query }, context) {
    const { point } = await openPoint(context, named, "SearchRecoveryPointItems");
    const pattern = query.pattern ?? "*";
    const { rows, nextToken } = await context.pages.of(
      { ...pageRequestOf(query, { point: point.id, pattern }), size: query.maxResults ?? ITEMS_MAX },
      ({ path }: Item) => [path],
      async (after: readonly string[] | undefined, limit) => [
        ...(await searchItems(context, point, { pattern, after: after?.[0], limit })),
      ],
    );
    return {
      BackupVaultArn: vaultArnOf(point.account, point.region, point.vault),
      RecoveryPointArn: pointArnOf(point.account, point.region, point.id),
      Items: rows.map(
        ({ path, kind, size, modifiedNs }): Static<typeof ItemView> => ({
          Path: Buffer.from(path, "latin1").toString("utf8"),
          Kind: kind.toUpperCase(),
          ...(size !== undefined && { Size: size }),
          ...(modifiedNs !== undefined && { LastModified: Number(BigInt(modifiedNs) / NS_PER_SECOND) }),
        }),
      ),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const indexOperations = [updateIndex, getIndex, listIndexed, searchPoint];
