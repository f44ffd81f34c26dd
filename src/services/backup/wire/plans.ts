/** Plans and selections, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import type {
  AdvancedSetting,
  GivenPlan,
  Lifecycle as LifecycleRules,
  PlanDocument,
  Rule,
  Selection,
  TagCondition,
} from "../domain/index.ts";
import { IndexActions } from "./indexes.ts";
import { Lifecycle, ResourceType, RoleArn, Tags, Time, VaultName } from "./names.ts";

export const PlanId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The plan's identifier.",
  examples: ["0a7bb8e2-6e2d-4a0b-9c53-2f5f1f6f7a10"],
});
export const VersionId = Type.String({
  maxLength: 100,
  description: "A version of the plan; the current one where none is named.",
  examples: ["7d1c2a44-3d1b-4f33-8f5e-0d8a8e1c9b21"],
});
export const SelectionId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The selection's identifier.",
  examples: ["5f0f9f0e-3a1d-4f2b-8f50-7d4b1f2c9a33"],
});
export const TemplateId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The template's identifier.",
  examples: ["87c0c1ef-254d-4180-8fef-2e76a2c38aaa"],
});
export const CreatorRequestId = Type.String({
  maxLength: 200,
  description: "The same request sent again with the same identifier changes nothing.",
  examples: ["first-try"],
});

const Name = (what: string, example: string) =>
  Type.String({ pattern: "^[a-zA-Z0-9_.-]{1,50}$", description: what, examples: [example] });
const VaultArn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The ARN of a vault.",
  examples: ["arn:vendor:backup:us-east-1:123456789012:backup-vault:nightly"],
});
const CopyActionShape = Type.Object({
  DestinationBackupVaultArn: VaultArn,
  Lifecycle: Type.Optional(Lifecycle),
});
const ruleMembers = {
  RuleName: Name("The rule's name.", "daily"),
  TargetBackupVaultName: VaultName,
  ScheduleExpression: Type.Optional(
    Type.String({
      maxLength: 300,
      description: "When the rule runs: minutes, hours, day of month, month, day of week, year.",
      examples: ["cron(0 5 ? * * *)"],
    }),
  ),
  ScheduleExpressionTimezone: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "The time zone of the schedule.",
      examples: ["Europe/Berlin"],
    }),
  ),
  StartWindowMinutes: Type.Optional(
    Type.Integer({ description: "Within how many minutes a job has to begin.", examples: [480] }),
  ),
  CompletionWindowMinutes: Type.Optional(
    Type.Integer({ description: "Within how many minutes a job has to be done.", examples: [10_080] }),
  ),
  Lifecycle: Type.Optional(Lifecycle),
  RecoveryPointTags: Type.Optional(Tags),
  CopyActions: Type.Optional(
    Type.Array(CopyActionShape, { description: "Where finished recovery points are copied to." }),
  ),
  EnableContinuousBackup: Type.Optional(
    Type.Boolean({ description: "Whether points can be restored to any second." }),
  ),
  IndexActions: Type.Optional(IndexActions),
};
const RuleInput = Type.Object(ruleMembers);
const RuleView = Type.Object({
  ...ruleMembers,
  RuleId: Type.Optional(
    Type.String({
      description: "The rule's identifier.",
      examples: ["e6a1f5f2-9c3e-4d0e-8b0b-1a5a3f9d7c44"],
    }),
  ),
});
const OptionText = Type.String({ pattern: "^[a-zA-Z0-9_.-]{1,50}$" });
export const BackupOptions = Type.Record(OptionText, OptionText, {
  description: "Options of a kind of resource.",
  examples: [{ SkipUnreadable: "enabled" }],
});
const AdvancedSettings = Type.Array(
  Type.Object({ ResourceType: Type.Optional(ResourceType), BackupOptions: Type.Optional(BackupOptions) }),
  { description: "Options by kind of resource." },
);
const PlanName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The plan's name.",
  examples: ["office"],
});
export const PlanInput = Type.Object(
  {
    BackupPlanName: PlanName,
    Rules: Type.Array(RuleInput, { description: "When what is backed up, and for how long it is kept." }),
    AdvancedBackupSettings: Type.Optional(AdvancedSettings),
  },
  {
    description: "The plan.",
    examples: [
      {
        BackupPlanName: "office",
        Rules: [
          {
            RuleName: "daily",
            TargetBackupVaultName: "nightly",
            ScheduleExpression: "cron(0 5 ? * * *)",
            Lifecycle: { DeleteAfterDays: 35 },
          },
        ],
      },
    ],
  },
);
export const PlanView = Type.Object({
  BackupPlanName: PlanName,
  Rules: Type.Array(RuleView),
  AdvancedBackupSettings: Type.Optional(AdvancedSettings),
});
export const PlanMade = Type.Object({
  BackupPlanId: Type.String(),
  BackupPlanArn: Type.String(),
  CreationDate: Time,
  VersionId: Type.String(),
  AdvancedBackupSettings: Type.Optional(AdvancedSettings),
});
export const PlanDeleted = Type.Object({
  BackupPlanId: Type.String(),
  BackupPlanArn: Type.String(),
  DeletionDate: Time,
  VersionId: Type.String(),
});
export const PlanListMember = Type.Object({
  BackupPlanArn: Type.String(),
  BackupPlanId: Type.String(),
  CreationDate: Time,
  DeletionDate: Type.Optional(Time),
  VersionId: Type.String(),
  BackupPlanName: Type.String(),
  CreatorRequestId: Type.Optional(Type.String()),
  LastExecutionDate: Type.Optional(Time),
  AdvancedBackupSettings: Type.Optional(AdvancedSettings),
});
export const PlanDescribed = Type.Object({
  BackupPlan: PlanView,
  BackupPlanId: Type.String(),
  BackupPlanArn: Type.String(),
  VersionId: Type.String(),
  CreatorRequestId: Type.Optional(Type.String()),
  CreationDate: Time,
  DeletionDate: Type.Optional(Time),
  LastExecutionDate: Type.Optional(Time),
  AdvancedBackupSettings: Type.Optional(AdvancedSettings),
});

export const lifecycleOf = (given: Static<typeof Lifecycle> | undefined): LifecycleRules => ({
  moveToColdStorageAfterDays: given?.MoveToColdStorageAfterDays,
  deleteAfterDays: given?.DeleteAfterDays,
  optInToArchive: given?.OptInToArchiveForSupportedResources,
});
export const lifecycleViewOf = (lifecycle: LifecycleRules): Static<typeof Lifecycle> => ({
  ...(lifecycle.moveToColdStorageAfterDays !== undefined && {
    MoveToColdStorageAfterDays: lifecycle.moveToColdStorageAfterDays,
  }),
  ...(lifecycle.deleteAfterDays !== undefined && { DeleteAfterDays: lifecycle.deleteAfterDays }),
  ...(lifecycle.optInToArchive !== undefined && {
    OptInToArchiveForSupportedResources: lifecycle.optInToArchive,
  }),
});

export const givenPlanOf = (plan: Static<typeof PlanInput>): GivenPlan => ({
  name: plan.BackupPlanName,
  rules: plan.Rules.map((rule) => ({
    name: rule.RuleName,
    vaultName: rule.TargetBackupVaultName,
    expression: rule.ScheduleExpression,
    timezone: rule.ScheduleExpressionTimezone,
    startWindowMinutes: rule.StartWindowMinutes,
    completionWindowMinutes: rule.CompletionWindowMinutes,
    lifecycle: lifecycleOf(rule.Lifecycle),
    recoveryPointTags: rule.RecoveryPointTags,
    copyActions: rule.CopyActions?.map(({ DestinationBackupVaultArn, Lifecycle: lifecycle }) => ({
      destinationVaultArn: DestinationBackupVaultArn,
      lifecycle: lifecycleOf(lifecycle),
    })),
    continuous: rule.EnableContinuousBackup,
    indexedTypes: rule.IndexActions?.[0] && (rule.IndexActions[0].ResourceTypes ?? []),
  })),
  advancedSettings: plan.AdvancedBackupSettings?.map(
    ({ ResourceType: resourceType = "", BackupOptions: options = {} }) => ({
      resourceType,
      options,
    }),
  ),
});

export const advancedSettingsOf = (settings: readonly AdvancedSetting[]) => ({
  ...(settings.length > 0 && {
    AdvancedBackupSettings: settings.map(({ resourceType, options }) => ({
      ResourceType: resourceType,
      BackupOptions: options,
    })),
  }),
});
const ruleViewOf = (rule: Rule): Static<typeof RuleView> => ({
  RuleName: rule.name,
  TargetBackupVaultName: rule.vaultName,
  ScheduleExpression: rule.schedule.expression,
  ScheduleExpressionTimezone: rule.schedule.timezone,
  StartWindowMinutes: rule.startWindowMinutes,
  CompletionWindowMinutes: rule.completionWindowMinutes,
  Lifecycle: lifecycleViewOf(rule.lifecycle),
  RecoveryPointTags: { ...rule.recoveryPointTags },
  CopyActions: rule.copyActions.map(({ destinationVaultArn, lifecycle }) => ({
    DestinationBackupVaultArn: destinationVaultArn,
    Lifecycle: lifecycleViewOf(lifecycle),
  })),
  EnableContinuousBackup: rule.continuous,
  ...(rule.indexedTypes && { IndexActions: [{ ResourceTypes: [...rule.indexedTypes] }] }),
  ...(rule.id !== "" && { RuleId: rule.id }),
});
export const planViewOf = ({ name, rules, advancedSettings }: PlanDocument): Static<typeof PlanView> => ({
  BackupPlanName: name,
  Rules: rules.map(ruleViewOf),
  ...advancedSettingsOf(advancedSettings),
});
/** The document in the form of a request body, without generated members. */
export const planInputOf = (document: PlanDocument): Static<typeof PlanInput> =>
  planViewOf({ ...document, rules: document.rules.map((rule) => ({ ...rule, id: "" })) });

const Names = Type.Array(Type.String({ maxLength: 2048 }), {
  description: 'Names of resources, with "*" for any text; "*" alone for all.',
  examples: [["arn:vendor:files:us-east-1:123456789012:folder/*"]],
});
const ConditionKey = Type.String({
  minLength: 1,
  maxLength: 300,
  description: "The tag.",
  examples: ["vendor:ResourceTag/stage"],
});
const ConditionValue = Type.String({ maxLength: 300, description: "Its value.", examples: ["production"] });
const ConditionList = (what: string) =>
  Type.Array(
    Type.Object({ ConditionKey: Type.Optional(ConditionKey), ConditionValue: Type.Optional(ConditionValue) }),
    { description: what },
  );
export const SelectionShape = Type.Object(
  {
    SelectionName: Name("The selection's name.", "photos"),
    IamRoleArn: RoleArn,
    Resources: Type.Optional(Names),
    NotResources: Type.Optional(Names),
    ListOfTags: Type.Optional(
      Type.Array(
        Type.Object({
          ConditionType: Type.Literal("STRINGEQUALS", { description: "How the tag is compared." }),
          ConditionKey,
          ConditionValue,
        }),
        { description: "Resources with any of these tags." },
      ),
    ),
    Conditions: Type.Optional(
      Type.Object(
        {
          StringEquals: Type.Optional(ConditionList("Tags with exactly these values.")),
          StringNotEquals: Type.Optional(ConditionList("Tags without these values.")),
          StringLike: Type.Optional(ConditionList('Tags like these, "*" for any text.')),
          StringNotLike: Type.Optional(ConditionList("Tags that are not like these.")),
        },
        { description: "What all tags of a resource have to meet." },
      ),
    ),
  },
  {
    description: "Which resources the plan backs up.",
    examples: [
      {
        SelectionName: "photos",
        IamRoleArn: "arn:vendor:iam::123456789012:role/backup",
        Resources: ["arn:vendor:files:us-east-1:123456789012:folder/photos"],
      },
    ],
  },
);
type GivenConditions = readonly { ConditionKey?: string | undefined; ConditionValue?: string | undefined }[];
const conditionsOf = (given: GivenConditions | undefined): TagCondition[] =>
  (given ?? []).map(({ ConditionKey: key = "", ConditionValue: value = "" }) => ({ key, value }));
const conditionViewsOf = (conditions: readonly TagCondition[]) =>
  conditions.map(({ key, value }) => ({ ConditionKey: key, ConditionValue: value }));

export const selectionOf = (given: Static<typeof SelectionShape>): Selection => ({
  name: given.SelectionName,
  roleArn: given.IamRoleArn,
  resources: given.Resources ?? [],
  notResources: given.NotResources ?? [],
  tags: conditionsOf(given.ListOfTags),
  conditions: {
    equals: conditionsOf(given.Conditions?.StringEquals),
    notEquals: conditionsOf(given.Conditions?.StringNotEquals),
    like: conditionsOf(given.Conditions?.StringLike),
    notLike: conditionsOf(given.Conditions?.StringNotLike),
  },
});
export const selectionViewOf = (selection: Selection): Static<typeof SelectionShape> => ({
  SelectionName: selection.name,
  IamRoleArn: selection.roleArn,
  Resources: [...selection.resources],
  NotResources: [...selection.notResources],
  ListOfTags: conditionViewsOf(selection.tags).map((condition) => ({
    ConditionType: "STRINGEQUALS" as const,
    ...condition,
  })),
  Conditions: {
    StringEquals: conditionViewsOf(selection.conditions.equals),
    StringNotEquals: conditionViewsOf(selection.conditions.notEquals),
    StringLike: conditionViewsOf(selection.conditions.like),
    StringNotLike: conditionViewsOf(selection.conditions.notLike),
  },
});
export const SelectionMade = Type.Object({
  SelectionId: Type.String(),
  BackupPlanId: Type.String(),
  CreationDate: Time,
});
export const SelectionDescribed = Type.Object({
  BackupSelection: SelectionShape,
  SelectionId: Type.String(),
  BackupPlanId: Type.String(),
  CreationDate: Time,
  CreatorRequestId: Type.Optional(Type.String()),
});
export const SelectionListMember = Type.Object({
  SelectionId: Type.String(),
  SelectionName: Type.String(),
  BackupPlanId: Type.String(),
  CreationDate: Time,
  CreatorRequestId: Type.Optional(Type.String()),
  IamRoleArn: Type.String(),
});
