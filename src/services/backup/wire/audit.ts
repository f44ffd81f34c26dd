/** Frameworks and reports, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type Control,
  type DeliveryChannel,
  REPORT_TEMPLATES,
  type ReportFormat,
  type ReportSetting,
  type ReportTemplate,
} from "../domain/index.ts";
import { AccountId, ResourceType, Tags, Time } from "./names.ts";

const NAME = { pattern: "^[a-zA-Z][_a-zA-Z0-9]*$", minLength: 1, maxLength: 256 };
export const FrameworkName = Type.String({
  ...NAME,
  description: "The framework's name.",
  examples: ["office_rules"],
});
export const ReportPlanName = Type.String({
  ...NAME,
  description: "The report plan's name.",
  examples: ["daily_jobs"],
});
export const AuditDescription = Type.String({
  maxLength: 1024,
  description: "What it is for.",
  examples: ["What the auditors ask for."],
});
const ControlShape = Type.Object({
  ControlName: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "The control's name.",
    examples: ["BACKUP_RECOVERY_POINT_ENCRYPTED"],
  }),
  ControlInputParameters: Type.Optional(
    Type.Array(
      Type.Object({
        ParameterName: Type.Optional(
          Type.String({
            maxLength: 256,
            description: "The parameter's name.",
            examples: ["requiredRetentionDays"],
          }),
        ),
        ParameterValue: Type.Optional(
          Type.String({ maxLength: 2048, description: "Its value.", examples: ["35"] }),
        ),
      }),
      { maxItems: 20, description: "What the control asks for." },
    ),
  ),
  ControlScope: Type.Optional(
    Type.Object(
      {
        ComplianceResourceIds: Type.Optional(
          Type.Array(Type.String({ maxLength: 2048 }), {
            maxItems: 100,
            description: "These resources alone.",
            examples: [["arn:vendor:files:us-east-1:123456789012:folder/photos"]],
          }),
        ),
        ComplianceResourceTypes: Type.Optional(
          Type.Array(ResourceType, { maxItems: 100, description: "Resources of these kinds alone." }),
        ),
        Tags: Type.Optional(Tags),
      },
      { description: "What the control looks at; everything without it." },
    ),
  ),
});
export const Controls = Type.Array(ControlShape, {
  maxItems: 50,
  description: "What is asked of plans, vaults, recovery points and resources.",
  examples: [
    [
      { ControlName: "BACKUP_RECOVERY_POINT_ENCRYPTED" },
      { ControlName: "BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN" },
    ],
  ],
});
export const controlsOf = (given: Static<typeof Controls>): Control[] =>
  given.map(({ ControlName, ControlInputParameters = [], ControlScope = {} }) => ({
    name: ControlName,
    parameters: ControlInputParameters.map(({ ParameterName: name = "", ParameterValue: value = "" }) => ({
      name,
      value,
    })),
    scope: {
      resourceIds: ControlScope.ComplianceResourceIds ?? [],
      resourceTypes: ControlScope.ComplianceResourceTypes ?? [],
      tags: ControlScope.Tags ?? {},
    },
  }));
export const controlViewsOf = (controls: readonly Control[]): Static<typeof Controls> =>
  controls.map(({ name, parameters, scope }) => ({
    ControlName: name,
    ControlInputParameters: parameters.map((parameter) => ({
      ParameterName: parameter.name,
      ParameterValue: parameter.value,
    })),
    ControlScope: {
      ComplianceResourceIds: [...scope.resourceIds],
      ComplianceResourceTypes: [...scope.resourceTypes],
      Tags: { ...scope.tags },
    },
  }));

export const FrameworkMade = Type.Object({ FrameworkName: Type.String(), FrameworkArn: Type.String() });
export const FrameworkChanged = Type.Object({
  FrameworkName: Type.String(),
  FrameworkArn: Type.String(),
  CreationTime: Time,
});
export const FrameworkDescribed = Type.Object({
  FrameworkName: Type.String(),
  FrameworkArn: Type.String(),
  FrameworkDescription: Type.Optional(Type.String()),
  FrameworkControls: Controls,
  CreationTime: Time,
  DeploymentStatus: Type.String(),
  FrameworkStatus: Type.String(),
  IdempotencyToken: Type.Optional(Type.String()),
});
export const FrameworkListMember = Type.Object({
  FrameworkName: Type.String(),
  FrameworkArn: Type.String(),
  FrameworkDescription: Type.Optional(Type.String()),
  NumberOfControls: Type.Integer(),
  CreationTime: Time,
  DeploymentStatus: Type.String(),
});

export const DeliveryChannelShape = Type.Object(
  {
    S3BucketName: Type.String({
      minLength: 1,
      maxLength: 63,
      description: "Where reports lie, as the outbox names it.",
      examples: ["reports"],
    }),
    S3KeyPrefix: Type.Optional(
      Type.String({
        maxLength: 512,
        description: "What the names of reports begin with.",
        examples: ["audit"],
      }),
    ),
    Formats: Type.Optional(
      Type.Array(Type.Union([Type.Literal("CSV"), Type.Literal("JSON")]), {
        minItems: 1,
        maxItems: 2,
        description: "How reports are written.",
        examples: [["CSV", "JSON"]],
      }),
    ),
  },
  { description: "Where reports go, and how they are written." },
);
const Names = (description: string, example: string) =>
  Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 100, description, examples: [[example]] });
export const ReportSettingShape = Type.Object(
  {
    ReportTemplate: Type.Union(
      REPORT_TEMPLATES.map((template) => Type.Literal(template)),
      { description: "What is reported." },
    ),
    FrameworkArns: Type.Optional(
      Names(
        "The frameworks of a compliance report.",
        "arn:vendor:backup:us-east-1:123456789012:framework:office_rules",
      ),
    ),
    NumberOfFrameworks: Type.Optional(
      Type.Integer({ description: "How many frameworks are reported on.", examples: [1] }),
    ),
    Accounts: Type.Optional(
      Type.Array(AccountId, {
        maxItems: 100,
        description: "Accounts of the organization that are reported on.",
      }),
    ),
    OrganizationUnits: Type.Optional(Names("Parts of the organization that are reported on.", "ou-1")),
    Regions: Type.Optional(Names('Regions that are reported on; "*" for all.', "us-east-1")),
  },
  { description: "What is reported.", examples: [{ ReportTemplate: "BACKUP_JOB_REPORT" }] },
);
export const channelOf = (given: Static<typeof DeliveryChannelShape>): DeliveryChannel => ({
  bucket: given.S3BucketName,
  prefix: given.S3KeyPrefix,
  formats: (given.Formats as ReportFormat[] | undefined) ?? ["CSV"],
});
export const channelViewOf = ({
  bucket,
  prefix,
  formats,
}: DeliveryChannel): Static<typeof DeliveryChannelShape> => ({
  S3BucketName: bucket,
  ...(prefix !== undefined && { S3KeyPrefix: prefix }),
  Formats: [...formats],
});
export const reportSettingOf = (given: Static<typeof ReportSettingShape>): ReportSetting => ({
  template: given.ReportTemplate as ReportTemplate,
  frameworkArns: given.FrameworkArns ?? [],
  accounts: given.Accounts ?? [],
  organizationUnits: given.OrganizationUnits ?? [],
  regions: given.Regions ?? [],
});
export const reportSettingViewOf = (setting: ReportSetting): Static<typeof ReportSettingShape> => ({
  ReportTemplate: setting.template,
  ...(setting.frameworkArns.length > 0 && {
    FrameworkArns: [...setting.frameworkArns],
    NumberOfFrameworks: setting.frameworkArns.length,
  }),
  ...(setting.accounts.length > 0 && { Accounts: [...setting.accounts] }),
  ...(setting.regions.length > 0 && { Regions: [...setting.regions] }),
});
export const ReportPlanMade = Type.Object({
  ReportPlanName: Type.String(),
  ReportPlanArn: Type.String(),
  CreationTime: Time,
});
export const ReportPlanShape = Type.Object({
  ReportPlanArn: Type.String(),
  ReportPlanName: Type.String(),
  ReportPlanDescription: Type.Optional(Type.String()),
  ReportSetting: ReportSettingShape,
  ReportDeliveryChannel: DeliveryChannelShape,
  DeploymentStatus: Type.String(),
  CreationTime: Time,
  LastAttemptedExecutionTime: Type.Optional(Time),
  LastSuccessfulExecutionTime: Type.Optional(Time),
});
export const ReportJobId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The report job's identifier.",
  examples: ["2c6e6b1f-0a43-4d57-8f0e-7d1a5c0d9e88"],
});
export const ReportJobShape = Type.Object({
  ReportJobId: Type.String(),
  ReportPlanArn: Type.String(),
  ReportTemplate: Type.String(),
  CreationTime: Time,
  CompletionTime: Type.Optional(Time),
  Status: Type.String(),
  StatusMessage: Type.Optional(Type.String()),
  ReportDestination: Type.Object({ S3BucketName: Type.String(), S3Keys: Type.Array(Type.String()) }),
});
