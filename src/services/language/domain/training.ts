/** The training status of each model. */
import type { Version } from "./application.ts";
import type { Label, VersionContent } from "./content.ts";
import { keyOf } from "./limits.ts";
import { NONE, type StoredModel } from "./models.ts";

/** In the words of the interface, with their numbers. */
export const STATUS_IDS = { Success: 0, Fail: 1, UpToDate: 2, InProgress: 3, Queued: 9 } as const;
export type StatusName = keyof typeof STATUS_IDS;

export type ModelTraining = {
  readonly modelId: string;
  readonly status: StatusName;
  readonly exampleCount: number;
  readonly failureReason: string | undefined;
  readonly trainedAtMs: number | undefined;
};

/** How many utterances each model learns from, by its name in lower case. */
export function examplesPerModel({ utterances }: Pick<VersionContent, "utterances">): ExamplesPerModel {
  const counts = { intents: new Map<string, number>(), entities: new Map<string, number>() };
  const add = (of: Map<string, number>, name: string) => of.set(keyOf(name), (of.get(keyOf(name)) ?? 0) + 1);
  for (const { intent, labels } of utterances) {
    add(counts.intents, intent);
    for (const name of namesIn(labels)) add(counts.entities, name);
  }
  return counts;
}
/** By key of the name, which an intent and an entity may share. */
export type ExamplesPerModel = {
  readonly intents: ReadonlyMap<string, number>;
  readonly entities: ReadonlyMap<string, number>;
};
const namesIn = (labels: readonly Label[]): ReadonlySet<string> =>
  new Set(labels.map(({ entity }) => entity.split("::")[0] ?? entity));

const LEARNING = new Set(["intent", "learned", "hierarchical", "composite"]);

/**
 * The status of each model after a training: `Success` if it was trained, `UpToDate` if it had not changed since the
 * previous training, `Fail` for an intent without an example. Models that were added later are not listed.
 */
export function trainingOf(version: Version, models: readonly StoredModel[]): readonly ModelTraining[] {
  if (version.trainingStatus === "none") return [];
  const underWay = { queued: "Queued", running: "InProgress", failed: "Fail" } as const;
  return models.flatMap((stored): ModelTraining[] => {
    const { model, trainedRevision, trainedAtMs, trainedExamples } = stored;
    const told = { modelId: model.id, exampleCount: trainedExamples ?? 0, trainedAtMs };
    if (version.trainingStatus !== "done" && version.trainingStatus !== "none")
      return [{ ...told, status: underWay[version.trainingStatus], failureReason: version.trainingFailure }];
    if (trainedRevision === undefined) return [];
    const lacks = model.kind === "intent" && model.name !== NONE && told.exampleCount === 0;
    if (lacks) return [{ ...told, status: "Fail", failureReason: "FewLabels" }];
    const isNew = trainedRevision === version.trainedRevision;
    return [{ ...told, status: isNew ? "Success" : "UpToDate", failureReason: undefined }];
  });
}
export const learns = ({ model }: StoredModel): boolean => LEARNING.has(model.kind);
