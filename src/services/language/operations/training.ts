/** Training of a version. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { answer } from "#kernel/operation";
import type { TrainingStatus } from "../domain/application.ts";
import { learns, type ModelTraining, STATUS_IDS, type StatusName, trainingOf } from "../domain/training.ts";
import { askForTraining } from "../jobs/training.ts";
import { listStoredModels } from "../store/models.ts";
import { Guid, VersionParams } from "../wire/shared.ts";
import { called, getPlace, operation } from "./lookup.ts";

const PATH = "/apps/{appId}/versions/{versionId}/train";

const StatusWord = Type.Union(
  (Object.keys(STATUS_IDS) as StatusName[]).map((name) => Type.Literal(name)),
  { examples: ["Success"] },
);
const TrainingAsked = Type.Object({ statusId: Type.Integer(), status: StatusWord });
const ModelTrainingView = Type.Object({
  modelId: Guid,
  details: Type.Object({
    statusId: Type.Integer(),
    status: StatusWord,
    exampleCount: Type.Integer(),
    failureReason: Type.Optional(Type.String()),
    trainingDateTime: Type.Optional(Type.String({ format: "date-time" })),
  }),
});
const shown = ({ modelId, status, exampleCount, failureReason, trainedAtMs }: ModelTraining) => ({
  modelId,
  details: {
    statusId: STATUS_IDS[status],
    status,
    exampleCount,
    ...(failureReason !== undefined && { failureReason }),
    ...(trainedAtMs !== undefined && { trainingDateTime: isoOf(trainedAtMs) }),
  },
});
const ASKED: Readonly<Record<TrainingStatus, StatusName>> = {
  none: "Queued",
  queued: "Queued",
  running: "InProgress",
  failed: "Queued",
  done: "UpToDate",
};

const train = operation({
  ...called("training", "TrainVersion"),
  summary: "Trains a version with its present content",
  description:
    "Returns at once; a job trains in a worker thread. Poll `language.training.getTrainingStatus`. `UpToDate` if nothing changed since the last training; a request during a training of the same content starts no second. Predictions by version use the new model when it is ready; published slots do not change.",
  method: "POST",
  path: PATH,
  params: VersionParams,
  query: Type.Object({
    mode: Type.Optional(
      Type.String({
        maxLength: 50,
        description: "How to train; all modes train everything here.",
        examples: ["Standard"],
      }),
    ),
  }),
  answers: { 202: TrainingAsked },
  async handle({ params }, context) {
    const { version } = await getPlace(context, params);
    const { trainingStatus } = await askForTraining(context, version);
    const status = ASKED[trainingStatus];
    return answer(202, { statusId: STATUS_IDS[status], status });
  },
});

const getStatus = operation({
  ...called("training", "GetTrainingStatus"),
  summary: "Returns the training status of each model of a version",
  description:
    "`Queued` or `InProgress` during a training; then `Success` for models that were trained, `UpToDate` for unchanged ones, or `Fail` with `FewLabels` for an intent without examples. The test set of the application, if any, runs afterwards.",
  method: "GET",
  path: PATH,
  params: VersionParams,
  answers: { 200: Type.Array(ModelTrainingView) },
  async handle({ params }, context) {
    const { version } = await getPlace(context, params);
    const models = (await listStoredModels(context.db, context.account, version.uid)).filter(learns);
    return trainingOf(version, models).map(shown);
  },
});

export const trainingOperations = [train, getStatus];
