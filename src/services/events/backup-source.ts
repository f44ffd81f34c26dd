/** Backup and restore of inputs and models: the latest version, with tags. */
import { parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { addInput, changeInput, type NewInput, removeInput } from "./actions/inputs.ts";
import { createModel, deleteModel, updateModel } from "./actions/models.ts";
import { inputArnOf, modelArnOf, TYPE } from "./domain/arns.ts";
import type { EventsContext } from "./state.ts";
import { findInput, findModel, getInput, getModel, getVersion, TITLE } from "./store/index.ts";

type Kind = "detector" | "alarm";
/** Restore parameter with the name, and resource type, by kind. */
const NAME_MEMBER = { detector: "detectorModelName", alarm: "alarmModelName" } as const;
const RESOURCE_TYPE = { detector: "DetectorModel", alarm: "AlarmModel" } as const;

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
  kind: Kind,
  { region, name, tags }: Pick<CatalogEntry, "region" | "name" | "tags">,
): Promise<SavedModel> {
  const model = await getModel(db, account, region, kind, name);
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

/** A restore in place adds a new latest version. */
async function restore(
  context: EventsContext,
  kind: Kind,
  saved: SavedModel,
  { resourceArn, metadata, done, ...asked }: RestoreRequest,
): Promise<void> {
  const { db, account } = context;
  const region = parseArn(resourceArn)?.region ?? "";
  const name = metadata[NAME_MEMBER[kind]] ?? saved.name;
  const { description, roleArn, definition } = saved;
  const wanted = { name, description, roleArn, definition };
  const before = await findModel(db, account, region, kind, name);
  if (before && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(
      `There is ${kind === "alarm" ? "an" : "a"} ${TITLE[kind]} ${name} already; say ${IN_PLACE} to write over it.`,
    );
  if (before) await updateModel(context, region, kind, wanted);
  else {
    const all = Object.entries(restoredTags(saved.tags, asked)).map(([key, value]) => ({ key, value }));
    await createModel(context, region, kind, { ...wanted, key: saved.key, tags: all });
  }
  await done(context, modelArnOf({ account, region, kind, name }));
}

export const backupSourceOf =
  (kind: Kind) =>
  (own: OwnContext): BackupSource => ({
    resourceType: RESOURCE_TYPE[kind],
    types: [TYPE[kind]],
    restoreMetadata: async (_context, { name }) => ({ [NAME_MEMBER[kind]]: name, [IN_PLACE]: "true" }),
    renamed: (_metadata, name) => ({ [NAME_MEMBER[kind]]: name, [IN_PLACE]: "false" }),
    async *read(context, resource) {
      yield* jsonContent(await context.transact((inner) => save(own(inner), kind, resource)));
    },
    async restore(context, content, request) {
      const saved = await readJson<SavedModel>(content);
      await context.transact((inner) => restore(own(inner), kind, saved, request));
    },
    async remove(context, arn) {
      const { region = "", resource = "" } = parseArn(arn) ?? {};
      await deleteModel(own(context), region, kind, resource.split("/")[1] ?? "");
    },
  });

const INPUT_NAME = "inputName";
type SavedInput = Omit<NewInput, "tags"> & { readonly tags: Readonly<Record<string, string>> };

async function restoreInput(
  context: EventsContext,
  { tags, ...saved }: SavedInput,
  { resourceArn, metadata, done, ...asked }: RestoreRequest,
): Promise<void> {
  const { db, account } = context;
  const region = parseArn(resourceArn)?.region ?? "";
  const wanted = { ...saved, inputName: metadata[INPUT_NAME] ?? saved.inputName };
  const before = await findInput(db, account, region, wanted.inputName);
  if (before && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(
      `There is an input ${wanted.inputName} already; say ${IN_PLACE} to write over it.`,
    );
  if (before) await changeInput(context, region, wanted);
  else {
    const all = Object.entries(restoredTags(tags, asked)).map(([key, value]) => ({ key, value }));
    await addInput(context, region, { ...wanted, tags: all });
  }
  await done(context, inputArnOf(account, region, wanted.inputName));
}
export const inputBackupSource = (own: OwnContext): BackupSource => ({
  resourceType: "EventInput",
  types: [TYPE.input],
  restoreMetadata: async (_context, { name }) => ({ [INPUT_NAME]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [INPUT_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, { region, name, tags }) {
    const { description, attributes } = await context.transact(({ db, account }) =>
      getInput(db as EventsContext["db"], account, region, name),
    );
    const saved: SavedInput = {
      inputName: name,
      ...(description !== null && { inputDescription: description }),
      inputDefinition: {
        attributes: (JSON.parse(attributes) as string[]).map((jsonPath) => ({ jsonPath })),
      },
      tags,
    };
    yield* jsonContent(saved);
  },
  async restore(context, content, request) {
    const saved = await readJson<SavedInput>(content);
    await context.transact((inner) => restoreInput(own(inner), saved, request));
  },
  async remove(context, arn) {
    const { region = "", resource = "" } = parseArn(arn) ?? {};
    await removeInput(own(context), region, resource.split("/")[1] ?? "");
  },
});
