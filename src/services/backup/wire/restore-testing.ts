/** Restore testing, as clients spell it. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type Algorithm,
  DEFAULT_TIMEZONE,
  type PointKind,
  type PointSelection as PointRules,
  SELECTION_WINDOW_DAYS,
  START_WINDOW_HOURS,
  type TagCondition,
  type TestingPlan,
  type TestingSelection,
} from "../domain/index.ts";
import { ResourceType, RoleArn, Time } from "./names.ts";

export const TestingPlanName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The restore testing plan's name.",
  examples: ["weekly_check"],
});
export const TestingSelectionName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The restore testing selection's name.",
  examples: ["stores"],
});
const Vaults = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
    maxItems: 100,
    description,
    examples: [["*"]],
  });
const PointSelectionShape = Type.Object(
  {
    Algorithm: Type.Optional(
      Type.Union([Type.Literal("LATEST_WITHIN_WINDOW"), Type.Literal("RANDOM_WITHIN_WINDOW")], {
        description: "Which recovery point of a resource is tested.",
      }),
    ),
    IncludeVaults: Type.Optional(Vaults('Vaults that points come from; "*" for all.')),
    ExcludeVaults: Type.Optional(Vaults("Vaults that no point comes from.")),
    RecoveryPointTypes: Type.Optional(
      Type.Array(Type.Union([Type.Literal("CONTINUOUS"), Type.Literal("SNAPSHOT")]), {
        maxItems: 2,
        description: "Which types of recovery points are tested.",
      }),
    ),
    SelectionWindowDays: Type.Optional(
      Type.Integer({ description: "How old a recovery point is at most, in days.", examples: [30] }),
    ),
  },
  {
    description: "Which recovery points are tested.",
    examples: [{ Algorithm: "LATEST_WITHIN_WINDOW", IncludeVaults: ["*"], RecoveryPointTypes: ["SNAPSHOT"] }],
  },
);
const scheduleMembers = {
  ScheduleExpressionTimezone: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "The time zone of the schedule.",
      examples: ["Europe/Berlin"],
    }),
  ),
  StartWindowHours: Type.Optional(
    Type.Integer({ description: "Within how many hours tests begin.", examples: [24] }),
  ),
};
const ScheduleExpression = Type.String({
  maxLength: 300,
  description: "When tests are made: minutes, hours, day of month, month, day of week, year.",
  examples: ["cron(0 5 ? * SUN *)"],
});
export const TestingPlanForCreate = Type.Object(
  {
    RestoreTestingPlanName: TestingPlanName,
    RecoveryPointSelection: PointSelectionShape,
    ScheduleExpression,
    ...scheduleMembers,
  },
  { description: "The restore testing plan." },
);
export const TestingPlanForUpdate = Type.Object(
  {
    RecoveryPointSelection: Type.Optional(PointSelectionShape),
    ScheduleExpression: Type.Optional(ScheduleExpression),
    ...scheduleMembers,
  },
  { description: "What is changed of the restore testing plan." },
);
const planMembers = {
  CreationTime: Time,
  LastExecutionTime: Type.Optional(Time),
  LastUpdateTime: Type.Optional(Time),
  RestoreTestingPlanArn: Type.String(),
  RestoreTestingPlanName: Type.String(),
  ScheduleExpression: Type.String(),
  ScheduleExpressionTimezone: Type.String(),
  StartWindowHours: Type.Integer(),
};
export const TestingPlanListMember = Type.Object(planMembers);
export const TestingPlanForGet = Type.Object({
  ...planMembers,
  CreatorRequestId: Type.Optional(Type.String()),
  RecoveryPointSelection: PointSelectionShape,
});
export const TestingPlanMade = Type.Object({
  CreationTime: Time,
  RestoreTestingPlanArn: Type.String(),
  RestoreTestingPlanName: Type.String(),
});
export const TestingPlanChanged = Type.Object({
  CreationTime: Time,
  RestoreTestingPlanArn: Type.String(),
  RestoreTestingPlanName: Type.String(),
  UpdateTime: Time,
});

const pointRulesOf = (given: Static<typeof PointSelectionShape>): PointRules => ({
  algorithm: (given.Algorithm as Algorithm | undefined) ?? "LATEST_WITHIN_WINDOW",
  includeVaults: given.IncludeVaults ?? [],
  excludeVaults: given.ExcludeVaults ?? [],
  kinds: (given.RecoveryPointTypes as PointKind[] | undefined) ?? [],
  windowDays: given.SelectionWindowDays ?? SELECTION_WINDOW_DAYS,
});
export const testingPlanOf = (given: Static<typeof TestingPlanForCreate>): TestingPlan => ({
  name: given.RestoreTestingPlanName,
  schedule: {
    expression: given.ScheduleExpression,
    timezone: given.ScheduleExpressionTimezone ?? DEFAULT_TIMEZONE,
  },
  startWindowHours: given.StartWindowHours ?? START_WINDOW_HOURS,
  points: pointRulesOf(given.RecoveryPointSelection),
});
export const changedTestingPlanOf = (
  before: TestingPlan,
  change: Static<typeof TestingPlanForUpdate>,
): TestingPlan => ({
  name: before.name,
  schedule: {
    expression: change.ScheduleExpression ?? before.schedule.expression,
    timezone: change.ScheduleExpressionTimezone ?? before.schedule.timezone,
  },
  startWindowHours: change.StartWindowHours ?? before.startWindowHours,
  points: change.RecoveryPointSelection ? pointRulesOf(change.RecoveryPointSelection) : before.points,
});
export const pointRulesViewOf = (points: PointRules): Static<typeof PointSelectionShape> => ({
  Algorithm: points.algorithm,
  IncludeVaults: [...points.includeVaults],
  ExcludeVaults: [...points.excludeVaults],
  RecoveryPointTypes: [...points.kinds],
  SelectionWindowDays: points.windowDays,
});

const KeyValues = (description: string) =>
  Type.Array(
    Type.Object({
      Key: Type.String({
        minLength: 1,
        maxLength: 300,
        description: "The tag.",
        examples: ["vendor:ResourceTag/stage"],
      }),
      Value: Type.String({ maxLength: 300, description: "Its value.", examples: ["production"] }),
    }),
    { description },
  );
const selectionMembers = {
  ProtectedResourceArns: Type.Optional(
    Type.Array(Type.String({ maxLength: 2048 }), {
      maxItems: 100,
      description: 'The resources that are tested; "*" for all of the kind.',
      examples: [["*"]],
    }),
  ),
  ProtectedResourceConditions: Type.Optional(
    Type.Object(
      {
        StringEquals: Type.Optional(KeyValues("Tags with exactly these values.")),
        StringNotEquals: Type.Optional(KeyValues("Tags without these values.")),
      },
      { description: "Which tags the tested resources have." },
    ),
  ),
  RestoreMetadataOverrides: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 2048 }), {
      description: "What restores are told instead of what was inferred.",
      examples: [{ encrypted: "true" }],
    }),
  ),
  ValidationWindowHours: Type.Optional(
    Type.Integer({ description: "How long what was restored is kept to be looked at.", examples: [24] }),
  ),
};
export const TestingSelectionForCreate = Type.Object(
  {
    RestoreTestingSelectionName: TestingSelectionName,
    IamRoleArn: RoleArn,
    ProtectedResourceType: ResourceType,
    ...selectionMembers,
  },
  { description: "Which resources are tested." },
);
export const TestingSelectionForUpdate = Type.Object(
  { IamRoleArn: Type.Optional(RoleArn), ...selectionMembers },
  { description: "What is changed of the selection." },
);
export const TestingSelectionListMember = Type.Object({
  CreationTime: Time,
  IamRoleArn: Type.String(),
  ProtectedResourceType: Type.String(),
  RestoreTestingPlanName: Type.String(),
  RestoreTestingSelectionName: Type.String(),
  ValidationWindowHours: Type.Integer(),
});
export const TestingSelectionForGet = Type.Object({
  CreationTime: Time,
  CreatorRequestId: Type.Optional(Type.String()),
  IamRoleArn: Type.String(),
  ProtectedResourceType: Type.String(),
  RestoreTestingPlanName: Type.String(),
  RestoreTestingSelectionName: Type.String(),
  ...selectionMembers,
});
export const TestingSelectionMade = Type.Object({
  CreationTime: Time,
  RestoreTestingPlanArn: Type.String(),
  RestoreTestingPlanName: Type.String(),
  RestoreTestingSelectionName: Type.String(),
});
export const TestingSelectionChanged = Type.Object({
  CreationTime: Time,
  RestoreTestingPlanArn: Type.String(),
  RestoreTestingPlanName: Type.String(),
  RestoreTestingSelectionName: Type.String(),
  UpdateTime: Time,
});
const conditionsOf = (given: readonly { Key: string; Value: string }[] | undefined): TagCondition[] =>
  (given ?? []).map(({ Key, Value }) => ({ key: Key, value: Value }));
const keyValuesOf = (conditions: readonly TagCondition[]) =>
  conditions.map(({ key, value }) => ({ Key: key, Value: value }));

export const testingSelectionOf = (given: Static<typeof TestingSelectionForCreate>): TestingSelection => ({
  name: given.RestoreTestingSelectionName,
  roleArn: given.IamRoleArn,
  resourceType: given.ProtectedResourceType,
  resourceArns: given.ProtectedResourceArns ?? [],
  equals: conditionsOf(given.ProtectedResourceConditions?.StringEquals),
  notEquals: conditionsOf(given.ProtectedResourceConditions?.StringNotEquals),
  overrides: given.RestoreMetadataOverrides ?? {},
  validationWindowHours: given.ValidationWindowHours ?? 0,
});
/** Names and conditions take each other's place. */
export const changedTestingSelectionOf = (
  before: TestingSelection,
  change: Static<typeof TestingSelectionForUpdate>,
): TestingSelection => {
  const isChosenAnew =
    change.ProtectedResourceArns !== undefined || change.ProtectedResourceConditions !== undefined;
  return {
    ...before,
    roleArn: change.IamRoleArn ?? before.roleArn,
    ...(isChosenAnew && {
      resourceArns: change.ProtectedResourceArns ?? [],
      equals: conditionsOf(change.ProtectedResourceConditions?.StringEquals),
      notEquals: conditionsOf(change.ProtectedResourceConditions?.StringNotEquals),
    }),
    overrides: change.RestoreMetadataOverrides ?? before.overrides,
    validationWindowHours: change.ValidationWindowHours ?? before.validationWindowHours,
  };
};
export const testingSelectionViewOf = (selection: TestingSelection) => ({
  IamRoleArn: selection.roleArn,
  ProtectedResourceType: selection.resourceType,
  RestoreTestingSelectionName: selection.name,
  ...(selection.resourceArns.length > 0
    ? { ProtectedResourceArns: [...selection.resourceArns] }
    : {
        ProtectedResourceConditions: {
          StringEquals: keyValuesOf(selection.equals),
          StringNotEquals: keyValuesOf(selection.notEquals),
        },
      }),
  RestoreMetadataOverrides: { ...selection.overrides },
  ValidationWindowHours: selection.validationWindowHours,
});
