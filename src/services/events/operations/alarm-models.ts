/** Operations for alarm models and their versions. */
import { Type } from "@sinclair/typebox";
import { answer, noBody } from "#kernel/operation";
import { createModel, deleteModel, updateModel } from "../actions/models.ts";
import { errors } from "../errors.ts";
import * as wire from "../wire/index.ts";
import { getMade, pageOfModels, pageOfVersions } from "./models.ts";
import { namedModel, ofAlarmModel, operation } from "./operation.ts";

const arnOf = namedModel("alarm");
const changeable = {
  alarmModelDescription: Type.Optional(wire.Description),
  roleArn: wire.RoleArn,
  severity: Type.Optional(wire.Severity),
  alarmRule: wire.AlarmRule,
  alarmNotification: Type.Optional(wire.AlarmNotification),
  alarmEventActions: Type.Optional(wire.AlarmEventActions),
  alarmCapabilities: Type.Optional(wire.AlarmCapabilities),
};
const definitionOf = ({
  severity,
  alarmRule,
  alarmNotification,
  alarmEventActions,
  alarmCapabilities,
}: wire.StoredAlarmModel): wire.StoredAlarmModel => ({
  severity,
  alarmRule,
  alarmNotification,
  alarmEventActions,
  alarmCapabilities,
});

const createAlarmModel = operation({
  id: "events.CreateAlarmModel",
  summary: "Creates an alarm model",
  description:
    "The rule is compiled first, and unknown inputs are refused. A job activates the version after `--provisioning-seconds`; from then on messages create and change alarms. An account may have 1000 alarm models in a region, and 100 may read one input.",
  method: "POST",
  path: "/alarm-models",
  permission: "iotevents:CreateAlarmModel",
  body: Type.Object({
    alarmModelName: wire.AlarmModelName,
    ...changeable,
    key: Type.Optional(wire.KeyPath),
    tags: Type.Optional(wire.Tags),
  }),
  answers: { 200: wire.AlarmModelMade },
  errors: [errors.invalidRequest, errors.alreadyExists, errors.limitExceeded],
  resource: ({ body }, account, region) => arnOf(body.alarmModelName, account, region),
  async handle({ body }, context) {
    const { model, version } = await createModel(context, context.request.region, "alarm", {
      name: body.alarmModelName,
      description: body.alarmModelDescription,
      roleArn: body.roleArn,
      definition: definitionOf(body),
      key: body.key,
      tags: body.tags ?? [],
    });
    return wire.alarmModelMadeOf(model, version);
  },
});

const updateAlarmModel = operation({
  id: "events.UpdateAlarmModel",
  summary: "Creates a new version of an alarm model",
  description:
    "When a job has activated it, the alarms of the earlier version are deleted, and new messages create new ones. A model may have 500 versions. The key cannot change.",
  method: "POST",
  path: "/alarm-models/{alarmModelName}",
  permission: "iotevents:UpdateAlarmModel",
  ...ofAlarmModel,
  body: Type.Object(changeable),
  answers: { 200: wire.AlarmModelMade },
  errors: [errors.invalidRequest, errors.notFound, errors.limitExceeded],
  async handle({ params: { alarmModelName: name }, body }, context) {
    const { model, version } = await updateModel(context, context.request.region, "alarm", {
      name,
      description: body.alarmModelDescription,
      roleArn: body.roleArn,
      definition: definitionOf(body),
    });
    return wire.alarmModelMadeOf(model, version);
  },
});

const describeAlarmModel = operation({
  id: "events.DescribeAlarmModel",
  summary: "Returns a version of an alarm model",
  description:
    "The latest version unless `version` names another. An INACTIVE version may have a reason in its message.",
  method: "GET",
  path: "/alarm-models/{alarmModelName}",
  permission: "iotevents:DescribeAlarmModel",
  ...ofAlarmModel,
  query: Type.Object({ version: Type.Optional(wire.Version) }),
  answers: { 200: wire.AlarmModel },
  errors: [errors.notFound],
  async handle({ params: { alarmModelName }, query }, context) {
    const { model, version } = await getMade(context, "alarm", alarmModelName, query.version);
    return wire.alarmModelOf(model, version);
  },
});

const deleteAlarmModel = operation({
  id: "events.DeleteAlarmModel",
  summary: "Deletes an alarm model with its versions and alarms",
  description: "Refused while a version is being activated. Waiting messages are no longer evaluated by it.",
  method: "DELETE",
  path: "/alarm-models/{alarmModelName}",
  permission: "iotevents:DeleteAlarmModel",
  ...ofAlarmModel,
  answers: { 204: noBody },
  errors: [errors.notFound, errors.inUse],
  async handle({ params: { alarmModelName } }, context) {
    await deleteModel(context, context.request.region, "alarm", alarmModelName);
    return answer(204, undefined);
  },
});

const listAlarmModels = operation({
  id: "events.ListAlarmModels",
  summary: "Lists alarm models by name",
  description: "Only models of the request's region.",
  method: "GET",
  path: "/alarm-models",
  permission: "iotevents:ListAlarmModels",
  query: Type.Object(wire.page),
  answers: { 200: wire.pageOf({ alarmModelSummaries: Type.Array(wire.AlarmModelSummary) }) },
  errors: [errors.invalidRequest],
  async handle({ query }, context) {
    const { rows, nextToken } = await pageOfModels(context, "alarm", query);
    return {
      alarmModelSummaries: rows.map(({ name, description, created_at }) => ({
        alarmModelName: name,
        ...(description !== null && { alarmModelDescription: description }),
        creationTime: wire.timeOf(created_at),
      })),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

const listAlarmModelVersions = operation({
  id: "events.ListAlarmModelVersions",
  summary: "Lists the versions of an alarm model, newest first",
  description: "At most one version is ACTIVE; `status` tells which.",
  method: "GET",
  path: "/alarm-models/{alarmModelName}/versions",
  permission: "iotevents:ListAlarmModelVersions",
  ...ofAlarmModel,
  query: Type.Object(wire.page),
  answers: { 200: wire.pageOf({ alarmModelVersionSummaries: Type.Array(wire.AlarmModelVersionSummary) }) },
  errors: [errors.invalidRequest, errors.notFound],
  async handle({ params: { alarmModelName }, query }, context) {
    const { model, rows, nextToken } = await pageOfVersions(context, "alarm", alarmModelName, query);
    return {
      alarmModelVersionSummaries: rows.map((row) => wire.alarmModelVersionSummaryOf(model, row)),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

export const alarmModelOperations = [
  createAlarmModel,
  updateAlarmModel,
  describeAlarmModel,
  deleteAlarmModel,
  listAlarmModels,
  listAlarmModelVersions,
];
