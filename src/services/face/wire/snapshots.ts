/** Request and response shapes of snapshots and their operations. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { KINDS, type Kind, kinds } from "../domain/containers.ts";
import { subscriptionOf } from "../domain/snapshots.ts";
import type { Snapshot } from "../store/snapshots.ts";
import { containerId, UserData, uuidOf } from "./shared.ts";

const ACCOUNT_EXAMPLE = "00000000-0000-0000-0000-123456789012";
const ACCOUNTS_MAX = 100;
const ApplyScope = Type.Array(
  Type.String({
    format: "uuid",
    maxLength: 36,
    description: "An account: zeros, and its twelve digits as the last group.",
    examples: [ACCOUNT_EXAMPLE],
  }),
  { minItems: 1, maxItems: ACCOUNTS_MAX, description: "The accounts that may apply it." },
);
const TYPES = KINDS.map((kind) => kinds[kind].snapshotType);
export const SnapshotType = Type.Union(
  TYPES.map((type) => Type.Literal(type)),
  { description: "What it is of." },
);
export const kindOf = (type: string): Kind => KINDS[TYPES.indexOf(type)] as Kind;

export const NewSnapshot = Type.Object({
  type: SnapshotType,
  objectId: containerId("group or list"),
  applyScope: ApplyScope,
  userData: Type.Optional(UserData),
});
/** Omitted members keep their values. */
export const SnapshotChange = Type.Object({
  applyScope: Type.Optional(ApplyScope),
  userData: Type.Optional(UserData),
});
export const Application = Type.Object({
  objectId: containerId("group or list to be made"),
  mode: Type.Literal("CreateNew", { default: "CreateNew", description: "There must be none of that id." }),
});
export const SnapshotView = Type.Object({
  id: uuidOf("snapshot"),
  account: Type.String({ description: "Whose it is.", examples: [ACCOUNT_EXAMPLE] }),
  type: SnapshotType,
  applyScope: ApplyScope,
  userData: Type.Optional(UserData),
  createdTime: Type.String({
    format: "date-time",
    description: "When it was asked for; it lasts 48 hours from then on.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
  lastUpdateTime: Type.String({
    format: "date-time",
    description: "When its scope or data changed last.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
});
export const snapshotViewOf = (snapshot: Snapshot): Static<typeof SnapshotView> => ({
  id: snapshot.id,
  account: subscriptionOf(snapshot.owner),
  type: kinds[snapshot.source.kind].snapshotType,
  applyScope: [...snapshot.applyScope],
  ...(snapshot.userData !== undefined && { userData: snapshot.userData }),
  createdTime: isoOf(snapshot.createdAtMs),
  lastUpdateTime: isoOf(snapshot.updatedAtMs),
});
export const SnapshotsQuery = Type.Object({
  type: Type.Optional(SnapshotType),
  applyScope: Type.Optional(
    Type.String({
      maxLength: ACCOUNTS_MAX * 37,
      description:
        "Accounts, with commas between them: only snapshots that one of them may apply are listed.",
      examples: [ACCOUNT_EXAMPLE],
    }),
  ),
});

export const OperationView = Type.Object({
  status: Type.Union(
    ["notstarted", "running", "succeeded", "failed"].map((status) => Type.Literal(status)),
    { description: "How far it is." },
  ),
  createdTime: Type.String({
    format: "date-time",
    description: "When it was asked for.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
  lastActionTime: Type.String({
    format: "date-time",
    description: "When it last went on.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
  percentComplete: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: "How much of it is done.",
    examples: [40],
  }),
  resourceLocation: Type.Optional(
    Type.String({
      description: "What was made, once it has succeeded.",
      examples: ["/snapshots/3fa85f64-5717-4562-b3fc-2c963f66afa6"],
    }),
  ),
  message: Type.Optional(
    Type.String({ description: "Why it failed.", examples: ["The person group was deleted meanwhile."] }),
  ),
});
