/** Operations for detector models and their versions. */
import { Type } from "@sinclair/typebox";
import { answer, noBody } from "#kernel/operation";
import { createModel, deleteModel, updateModel } from "../actions/models.ts";
import { errors } from "../errors.ts";
import * as wire from "../wire/index.ts";
import { getMade, pageOfModels, pageOfVersions } from "./models.ts";
import { namedModel, ofDetectorModel, operation } from "./operation.ts";

const arnOf = namedModel("detector");
const Made = Type.Object({ detectorModelConfiguration: wire.DetectorModelConfiguration });
const changeable = {
  detectorModelDefinition: wire.DetectorModelDefinition,
  detectorModelDescription: Type.Optional(wire.Description),
  roleArn: wire.RoleArn,
  evaluationMethod: Type.Optional(wire.EvaluationMethod),
};
const DEFINITION_BODY_BYTES_MAX = 1024 * 1024;

const createDetectorModel = operation({
  id: "events.CreateDetectorModel",
  summary: "Creates a detector model",
  description:
    "The definition is compiled first: unknown inputs, states or functions are refused. A job activates the version after `--provisioning-seconds`; from then on each message creates or updates the detector of its key. An account may have 1000 detector models in a region, and 10 may read one input.",
  method: "POST",
  path: "/detector-models",
  permission: "iotevents:CreateDetectorModel",
  bodyBytesMax: DEFINITION_BODY_BYTES_MAX,
  body: Type.Object({
    detectorModelName: wire.DetectorModelName,
    ...changeable,
    key: Type.Optional(wire.KeyPath),
    tags: Type.Optional(wire.Tags),
  }),
  answers: { 200: Made },
  errors: [errors.invalidRequest, errors.alreadyExists, errors.limitExceeded],
  resource: ({ body }, account, region) => arnOf(body.detectorModelName, account, region),
  async handle({ body }, context) {
    const { detectorModelDefinition, evaluationMethod = "BATCH", key, tags = [] } = body;
    const { model, version } = await createModel(context, context.request.region, "detector", {
      name: body.detectorModelName,
      description: body.detectorModelDescription,
      roleArn: body.roleArn,
      definition: { detectorModelDefinition, evaluationMethod } satisfies wire.StoredDetectorModel,
      key,
      tags,
    });
    return { detectorModelConfiguration: wire.detectorModelConfigurationOf(model, version) };
  },
});

const updateDetectorModel = operation({
  id: "events.UpdateDetectorModel",
  summary: "Creates a new version of a detector model",
  description:
    "When a job has activated it, the detectors of the earlier version are deleted, and new messages create new ones. During an activation the new version is a DRAFT that waits for its turn. A model may have 500 versions. The key cannot change.",
  method: "POST",
  path: "/detector-models/{detectorModelName}",
  permission: "iotevents:UpdateDetectorModel",
  bodyBytesMax: DEFINITION_BODY_BYTES_MAX,
  ...ofDetectorModel,
  body: Type.Object(changeable),
  answers: { 200: Made },
  errors: [errors.invalidRequest, errors.notFound, errors.limitExceeded],
  async handle({ params: { detectorModelName: name }, body }, context) {
    const { detectorModelDefinition, evaluationMethod = "BATCH" } = body;
    const { model, version } = await updateModel(context, context.request.region, "detector", {
      name,
      description: body.detectorModelDescription,
      roleArn: body.roleArn,
      definition: { detectorModelDefinition, evaluationMethod } satisfies wire.StoredDetectorModel,
    });
    return { detectorModelConfiguration: wire.detectorModelConfigurationOf(model, version) };
  },
});

const describeDetectorModel = operation({
  id: "events.DescribeDetectorModel",
  summary: "Returns a version of a detector model",
  description:
    "The latest version unless `version` names another. A PAUSED version has the reason in its message.",
  method: "GET",
  path: "/detector-models/{detectorModelName}",
  permission: "iotevents:DescribeDetectorModel",
  ...ofDetectorModel,
  query: Type.Object({ version: Type.Optional(wire.Version) }),
  answers: { 200: Type.Object({ detectorModel: wire.DetectorModel }) },
  errors: [errors.notFound],
  async handle({ params: { detectorModelName }, query }, context) {
    const { model, version } = await getMade(context, "detector", detectorModelName, query.version);
    return { detectorModel: wire.detectorModelOf(model, version) };
  },
});

const deleteDetectorModel = operation({
  id: "events.DeleteDetectorModel",
  summary: "Deletes a detector model with its versions and detectors",
  description:
    "Refused while a version is being activated. Its timers no longer fire, and waiting messages are no longer evaluated by it. Detectors are deleted in batches.",
  method: "DELETE",
  path: "/detector-models/{detectorModelName}",
  permission: "iotevents:DeleteDetectorModel",
  ...ofDetectorModel,
  answers: { 204: noBody },
  errors: [errors.notFound, errors.inUse],
  async handle({ params: { detectorModelName } }, context) {
    await deleteModel(context, context.request.region, "detector", detectorModelName);
    return answer(204, undefined);
  },
});

const listDetectorModels = operation({
  id: "events.ListDetectorModels",
  summary: "Lists detector models by name",
  description: "Only models of the request's region.",
  method: "GET",
  path: "/detector-models",
  permission: "iotevents:ListDetectorModels",
  query: Type.Object(wire.page),
  answers: { 200: wire.pageOf({ detectorModelSummaries: Type.Array(wire.DetectorModelSummary) }) },
  errors: [errors.invalidRequest],
  async handle({ query }, context) {
    const { rows, nextToken } = await pageOfModels(context, "detector", query);
    return {
      detectorModelSummaries: rows.map(({ name, description, created_at }) => ({
        detectorModelName: name,
        ...(description !== null && { detectorModelDescription: description }),
        creationTime: wire.timeOf(created_at),
      })),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

const listDetectorModelVersions = operation({
  id: "events.ListDetectorModelVersions",
  summary: "Lists the versions of a detector model, newest first",
  description: "At most one version is ACTIVE; `status` tells which.",
  method: "GET",
  path: "/detector-models/{detectorModelName}/versions",
  permission: "iotevents:ListDetectorModelVersions",
  ...ofDetectorModel,
  query: Type.Object(wire.page),
  answers: {
    200: wire.pageOf({ detectorModelVersionSummaries: Type.Array(wire.DetectorModelVersionSummary) }),
  },
  errors: [errors.invalidRequest, errors.notFound],
  async handle({ params: { detectorModelName }, query }, context) {
    const { model, rows, nextToken } = await pageOfVersions(context, "detector", detectorModelName, query);
    return {
      detectorModelVersionSummaries: rows.map((row) => wire.detectorModelVersionSummaryOf(model, row)),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

export const detectorModelOperations = [
  createDetectorModel,
  updateDetectorModel,
  describeDetectorModel,
  deleteDetectorModel,
  listDetectorModels,
  listDetectorModelVersions,
];
