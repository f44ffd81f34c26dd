/** Answers for inputs and models. */
import { type Static, Type } from "@sinclair/typebox";
import { inputArnOf, modelArnOf } from "../domain/arns.ts";
import type { InputRow, ModelRow, VersionRow } from "../tables.ts";
import * as definition from "./definition.ts";
import { EvaluationMethod, InputDefinition, Time, timeOf } from "./names.ts";

export const InputConfiguration = Type.Object({
  inputName: Type.String(),
  inputDescription: Type.Optional(Type.String()),
  inputArn: Type.String(),
  creationTime: Time,
  lastUpdateTime: Time,
  status: Type.String(),
});
export const inputConfigurationOf = (row: InputRow): Static<typeof InputConfiguration> => ({
  inputName: row.name,
  ...(row.description !== null && { inputDescription: row.description }),
  inputArn: inputArnOf(row.account, row.region, row.name),
  creationTime: timeOf(row.created_at),
  lastUpdateTime: timeOf(row.updated_at),
  status: row.status,
});
export const Input = Type.Object({
  inputConfiguration: InputConfiguration,
  inputDefinition: InputDefinition,
});
export const inputOf = (row: InputRow): Static<typeof Input> => ({
  inputConfiguration: inputConfigurationOf(row),
  inputDefinition: {
    attributes: (JSON.parse(row.attributes) as string[]).map((jsonPath) => ({ jsonPath })),
  },
});

/** Content of a version's `definition` column, for both kinds. */
export type StoredDetectorModel = {
  readonly detectorModelDefinition: Static<typeof definition.DetectorModelDefinition>;
  readonly evaluationMethod: Static<typeof EvaluationMethod>;
};
export type StoredAlarmModel = {
  readonly severity?: number | undefined;
  readonly alarmRule: Static<typeof definition.AlarmRule>;
  readonly alarmNotification?: Static<typeof definition.AlarmNotification> | undefined;
  readonly alarmEventActions?: Static<typeof definition.AlarmEventActions> | undefined;
  readonly alarmCapabilities?: Static<typeof definition.AlarmCapabilities> | undefined;
};

export const DetectorModelConfiguration = Type.Object({
  detectorModelName: Type.String(),
  detectorModelVersion: Type.String(),
  detectorModelDescription: Type.Optional(Type.String()),
  detectorModelArn: Type.String(),
  roleArn: Type.String(),
  creationTime: Time,
  lastUpdateTime: Time,
  status: Type.String(),
  key: Type.Optional(Type.String()),
  evaluationMethod: EvaluationMethod,
});
const evaluationMethodOf = (version: VersionRow) =>
  (JSON.parse(version.definition) as StoredDetectorModel).evaluationMethod;
export const detectorModelConfigurationOf = (
  model: ModelRow,
  version: VersionRow,
): Static<typeof DetectorModelConfiguration> => ({
  detectorModelName: model.name,
  detectorModelVersion: String(version.version),
  ...(version.description !== null && { detectorModelDescription: version.description }),
  detectorModelArn: modelArnOf(model),
  roleArn: version.role,
  creationTime: timeOf(version.created_at),
  lastUpdateTime: timeOf(version.updated_at),
  status: version.status,
  ...(model.key_path !== null && { key: model.key_path }),
  evaluationMethod: evaluationMethodOf(version),
});
export const DetectorModel = Type.Object({
  detectorModelDefinition: definition.DetectorModelDefinition,
  detectorModelConfiguration: DetectorModelConfiguration,
});
export const detectorModelOf = (model: ModelRow, version: VersionRow): Static<typeof DetectorModel> => ({
  detectorModelDefinition: (JSON.parse(version.definition) as StoredDetectorModel).detectorModelDefinition,
  detectorModelConfiguration: detectorModelConfigurationOf(model, version),
});
export const DetectorModelSummary = Type.Object({
  detectorModelName: Type.String(),
  detectorModelDescription: Type.Optional(Type.String()),
  creationTime: Time,
});
export const DetectorModelVersionSummary = Type.Object({
  detectorModelName: Type.String(),
  detectorModelVersion: Type.String(),
  detectorModelArn: Type.String(),
  roleArn: Type.String(),
  creationTime: Time,
  lastUpdateTime: Time,
  status: Type.String(),
  evaluationMethod: EvaluationMethod,
});
export const detectorModelVersionSummaryOf = (
  model: ModelRow,
  version: VersionRow,
): Static<typeof DetectorModelVersionSummary> => ({
  detectorModelName: model.name,
  detectorModelVersion: String(version.version),
  detectorModelArn: modelArnOf(model),
  roleArn: version.role,
  creationTime: timeOf(version.created_at),
  lastUpdateTime: timeOf(version.updated_at),
  status: version.status,
  evaluationMethod: evaluationMethodOf(version),
});

export const AlarmModelMade = Type.Object({
  creationTime: Time,
  alarmModelArn: Type.String(),
  alarmModelVersion: Type.String(),
  lastUpdateTime: Time,
  status: Type.String(),
});
export const alarmModelMadeOf = (model: ModelRow, version: VersionRow): Static<typeof AlarmModelMade> => ({
  creationTime: timeOf(version.created_at),
  alarmModelArn: modelArnOf(model),
  alarmModelVersion: String(version.version),
  lastUpdateTime: timeOf(version.updated_at),
  status: version.status,
});
export const AlarmModel = Type.Composite([
  AlarmModelMade,
  Type.Object({
    statusMessage: Type.Optional(Type.String()),
    alarmModelName: Type.String(),
    alarmModelDescription: Type.Optional(Type.String()),
    roleArn: Type.String(),
    key: Type.Optional(Type.String()),
    severity: Type.Optional(Type.Integer()),
    alarmRule: definition.AlarmRule,
    alarmNotification: Type.Optional(definition.AlarmNotification),
    alarmEventActions: Type.Optional(definition.AlarmEventActions),
    alarmCapabilities: Type.Optional(definition.AlarmCapabilities),
  }),
]);
export const alarmModelOf = (model: ModelRow, version: VersionRow): Static<typeof AlarmModel> => ({
  ...alarmModelMadeOf(model, version),
  ...(version.status_message !== null && { statusMessage: version.status_message }),
  alarmModelName: model.name,
  ...(version.description !== null && { alarmModelDescription: version.description }),
  roleArn: version.role,
  ...(model.key_path !== null && { key: model.key_path }),
  ...(JSON.parse(version.definition) as StoredAlarmModel),
});
export const AlarmModelSummary = Type.Object({
  alarmModelName: Type.String(),
  alarmModelDescription: Type.Optional(Type.String()),
  creationTime: Time,
});
export const AlarmModelVersionSummary = Type.Composite([
  AlarmModelMade,
  Type.Object({
    alarmModelName: Type.String(),
    roleArn: Type.String(),
    statusMessage: Type.Optional(Type.String()),
  }),
]);
export const alarmModelVersionSummaryOf = (
  model: ModelRow,
  version: VersionRow,
): Static<typeof AlarmModelVersionSummary> => ({
  ...alarmModelMadeOf(model, version),
  alarmModelName: model.name,
  roleArn: version.role,
  ...(version.status_message !== null && { statusMessage: version.status_message }),
});
