/** Detector models can be backed up: the latest version with its definition, and tags. */

import { parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "#kernel/backups";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { createModel, deleteModel, updateModel } from "./actions/models.ts";
import { modelArnOf, TYPE } from "./domain/arns.ts";
import type { EventsContext } from "./state.ts";
import { findModel, getModel, getVersion } from "./store/index.ts";

const MODEL_NAME = "detectorModelName";

type SavedModel = {
  readonly name: string;
  readonly key?: string;
  readonly description?: string;
  readonly roleArn: string;
  readonly definition: object;
  readonly tags: Readonly<Record<string, string>>;
};

async function save(
  { db, account }: EventsContext,
  region: string,
  name: string,
  tags: SavedModel["tags"],
): Promise<SavedModel> {
  const model = await getModel(db, account, region, "detector", name);
  const version = await getVersion(db, model, model.latest_version);
  return {
    name,
    ...(model.key_path !== null && { key: model.key_path }),
    ...(version.description !== null && { description: version.description }),
    roleArn: version.role,
    definition: JSON.parse(version.definition) as object,
    tags,
  };
}

/** In place it becomes the latest version. */
async function restore(
  context: EventsContext,
  saved: SavedModel,
  { resourceArn, metadata, done, ...asked }: RestoreRequest,
): Promise<void> {
  const { db, account } = context;
  const region = parseArn(resourceArn)?.region ?? "";
  const name = metadata[MODEL_NAME] ?? saved.name;
  const { description, roleArn, definition } = saved;
  const wanted = { name, description, roleArn, definition };
  const before = await findModel(db, account, region, "detector", name);
  if (before && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(
      `There is a detector model ${name} already; say ${IN_PLACE} to write over it.`,
    );
  if (before) await updateModel(context, region, "detector", wanted);
  else {
    const all = Object.entries(restoredTags(saved.tags, asked)).map(([key, value]) => ({ key, value }));
    await createModel(context, region, "detector", { ...wanted, key: saved.key, tags: all });
  }
  await done(context, modelArnOf({ account, region, kind: "detector", name }));
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "DetectorModel",
  types: [TYPE.detector],
  restoreMetadata: async (_context, { name }) => ({ [MODEL_NAME]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [MODEL_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, { region, name, tags }) {
    yield* jsonContent(await context.transact((inner) => save(own(inner), region, name, tags)));
  },
  async restore(context, content, request) {
    const saved = await readJson<SavedModel>(content);
    await context.transact((inner) => restore(own(inner), saved, request));
  },
  async remove(context, arn) {
    const { region = "", resource = "" } = parseArn(arn) ?? {};
    await deleteModel(own(context), region, "detector", resource.split("/")[1] ?? "");
  },
});
