/** Legal holds, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import type { HoldSelection } from "../domain/index.ts";
import { ResourceArn, Time, timeOf, VaultName } from "./names.ts";

export const HoldId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The legal hold's identifier.",
  examples: ["3b0e1a52-7a0b-4a53-9c1f-64b2c2b7d0e5"],
});
export const HoldTitle = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "What the hold is called.",
  examples: ["Case 12"],
});
export const HoldDescription = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "What the hold is for.",
  examples: ["Everything about the accident in March."],
});
export const PointSelection = Type.Object(
  {
    VaultNames: Type.Optional(Type.Array(VaultName, { description: "Points of these vaults alone." })),
    ResourceIdentifiers: Type.Optional(
      Type.Array(ResourceArn, { description: "Points of these resources alone." }),
    ),
    DateRange: Type.Optional(
      Type.Object(
        { FromDate: Time, ToDate: Time },
        { description: "Points that were made between these two instants alone." },
      ),
    ),
  },
  {
    description: "Which recovery points are held; all of them without it.",
    examples: [{ VaultNames: ["nightly"] }],
  },
);
const MS = 1000;
export const holdSelectionOf = (given: Static<typeof PointSelection> | undefined): HoldSelection => ({
  vaultNames: given?.VaultNames ?? [],
  resourceArns: given?.ResourceIdentifiers ?? [],
  ...(given?.DateRange && {
    fromMs: given.DateRange.FromDate * MS,
    toMs: given.DateRange.ToDate * MS,
  }),
});
export const pointSelectionOf = (selection: HoldSelection): Static<typeof PointSelection> => ({
  VaultNames: [...selection.vaultNames],
  ResourceIdentifiers: [...selection.resourceArns],
  ...(selection.fromMs !== undefined &&
    selection.toMs !== undefined && {
      DateRange: { FromDate: timeOf(selection.fromMs), ToDate: timeOf(selection.toMs) },
    }),
});
const HoldStatusShape = Type.Union(
  (["CREATING", "ACTIVE", "CANCELING", "CANCELED"] as const).map((status) => Type.Literal(status)),
);
const holdMembers = {
  Title: Type.String(),
  Status: HoldStatusShape,
  Description: Type.String(),
  LegalHoldId: Type.String(),
  LegalHoldArn: Type.String(),
  CreationDate: Time,
};
export const HoldMade = Type.Object({ ...holdMembers, RecoveryPointSelection: PointSelection });
export const HoldListMember = Type.Object({ ...holdMembers, CancellationDate: Type.Optional(Time) });
export const HoldDescribed = Type.Object({
  ...holdMembers,
  CancelDescription: Type.Optional(Type.String()),
  CancellationDate: Type.Optional(Time),
  RetainRecordUntil: Type.Optional(Time),
  RecoveryPointSelection: PointSelection,
});
export const HeldPointMember = Type.Object({
  RecoveryPointArn: Type.String(),
  ResourceArn: Type.String(),
  ResourceType: Type.String(),
  BackupVaultName: Type.String(),
});
