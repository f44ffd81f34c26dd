/** Indexes of recovery points, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { pointArnOf, vaultArnOf } from "../domain/index.ts";
import type { PointRow } from "../tables/index.ts";
import { ResourceType, said, saidTime, Time, timeOf } from "./names.ts";

const INDEX_STATUSES = ["PENDING", "ACTIVE", "FAILED", "DELETING"] as const;
export const IndexStatus = Type.Union(
  INDEX_STATUSES.map((status) => Type.Literal(status)),
  { description: "Whether items can be searched." },
);
export const Index = Type.Union([Type.Literal("ENABLED"), Type.Literal("DISABLED")], {
  description: "Whether the items of the recovery point are to be searched.",
});
export const IndexActions = Type.Array(
  Type.Object({
    ResourceTypes: Type.Optional(
      Type.Array(ResourceType, {
        description: "The kinds of resources that it is for; all where none is named.",
      }),
    ),
  }),
  { maxItems: 1, description: "Of which recovery points the items are to be searched." },
);

export const IndexDetails = Type.Object({
  RecoveryPointArn: Type.String(),
  BackupVaultArn: Type.String(),
  SourceResourceArn: Type.String(),
  IndexCreationDate: Type.Optional(Time),
  IndexCompletionDate: Type.Optional(Time),
  IndexDeletionDate: Type.Optional(Time),
  IndexStatus: Type.Optional(Type.String()),
  IndexStatusMessage: Type.Optional(Type.String()),
  TotalItemsIndexed: Type.Optional(Type.Integer()),
});
export const indexDetailsOf = (point: PointRow): Static<typeof IndexDetails> => ({
  RecoveryPointArn: pointArnOf(point.account, point.region, point.id),
  BackupVaultArn: vaultArnOf(point.account, point.region, point.vault),
  SourceResourceArn: point.resource_arn,
  ...saidTime("IndexCreationDate", point.index_asked_at),
  ...saidTime("IndexCompletionDate", point.index_made_at),
  ...saidTime("IndexDeletionDate", point.index_deleted_at),
  ...said("IndexStatus", point.index_status),
  ...said("IndexStatusMessage", point.index_message),
  ...said("TotalItemsIndexed", point.index_items === null ? null : Number(point.index_items)),
});

export const IndexedPoint = Type.Object({
  RecoveryPointArn: Type.String(),
  SourceResourceArn: Type.String(),
  IamRoleArn: Type.String(),
  BackupCreationDate: Time,
  ResourceType: Type.String(),
  IndexCreationDate: Type.Optional(Time),
  IndexStatus: Type.Optional(Type.String()),
  IndexStatusMessage: Type.Optional(Type.String()),
  BackupVaultArn: Type.String(),
});
export function indexedPointOf(point: PointRow): Static<typeof IndexedPoint> {
  const {
    TotalItemsIndexed: _items,
    IndexCompletionDate: _made,
    IndexDeletionDate: _deleted,
    ...named
  } = indexDetailsOf(point);
  return {
    ...named,
    IamRoleArn: point.role_arn,
    BackupCreationDate: timeOf(point.created_at),
    ResourceType: point.resource_type,
  };
}
