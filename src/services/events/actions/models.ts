/** Creates, updates and deletes models of both kinds, for operations and restore. */
import { type ModelKind, modelArnOf, TYPE } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import { activationKeyOf, clearInstances, compileVersion, planActivation } from "../jobs/index.ts";
import type { EventsContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { ModelRow, VersionRow } from "../tables.ts";
import { checkRole, checkTags, refusalOf, tagsOf } from "./checks.ts";

const MODELS_MAX = 1000;
const VERSIONS_MAX = 500;
/** Limit of models of one kind that read one input. */
const LISTENERS_MAX: Readonly<Record<ModelKind, number>> = { detector: 10, alarm: 100 };
/** Greater than every version. */
export const ALL_VERSIONS = Number.MAX_SAFE_INTEGER;

export type Wanted = {
  readonly name: string;
  readonly description: string | undefined;
  readonly roleArn: string;
  /** As stored. */
  readonly definition: object;
};
export type Made = { readonly model: ModelRow; readonly version: VersionRow };

/** Rejects a definition that does not compile, or that exceeds the limit of models per input. */
async function check(context: EventsContext, model: ModelRow, version: VersionRow): Promise<void> {
  const { db, account } = context;
  const inputs = await store.attributesByInput(db, account, model.region);
  let read: readonly string[];
  try {
    read = compileVersion(model, version, inputs).model.inputNames;
  } catch (fault) {
    throw refusalOf(fault);
  }
  const kind = model.kind as ModelKind;
  for (const input of read) {
    const listeners = await store.countListeners(db, account, model.region, input, kind, model.id);
    if (listeners >= LISTENERS_MAX[kind])
      throw errors.limitExceeded(
        `${LISTENERS_MAX[kind]} ${store.TITLE[kind]}s listen to the input ${input} already.`,
      );
  }
}

function versionOf(context: EventsContext, modelId: string, number: number, wanted: Wanted): VersionRow {
  const nowMs = context.clock.nowMs();
  return {
    account: context.account,
    model_id: modelId,
    version: number,
    description: wanted.description ?? null,
    role: wanted.roleArn,
    definition: JSON.stringify(wanted.definition),
    status: "ACTIVATING",
    status_message: null,
    spelling: context.request.dialect ?? null,
    created_at: nowMs,
    updated_at: nowMs,
  };
}

export async function createModel(
  context: EventsContext,
  region: string,
  kind: ModelKind,
  wanted: Wanted & {
    readonly key: string | undefined;
    readonly tags: readonly { readonly key: string; readonly value: string }[];
  },
): Promise<Made> {
  const { db, account, clock, ids } = context;
  const { name, key, tags } = wanted;
  checkRole(wanted.roleArn, account);
  checkTags(tags);
  const model: ModelRow = {
    account,
    region,
    kind,
    name,
    id: ids.sortable(),
    key_path: key ?? null,
    latest_version: 1,
    active_version: null,
    created_at: clock.nowMs(),
  };
  const version = versionOf(context, model.id, 1, wanted);
  await check(context, model, version);
  if ((await store.countModels(db, account, region, kind)) >= MODELS_MAX)
    throw errors.limitExceeded(`An account can have ${MODELS_MAX} ${store.TITLE[kind]}s in a region.`);
  const arn = modelArnOf(model);
  if (!(await store.insertModel(db, model)))
    throw errors.alreadyExists(`There is a ${store.TITLE[kind]} ${name} already.`, {
      fields: { resourceId: name, resourceArn: arn },
    });
  await store.insertVersion(db, version);
  await context.catalog.put({ arn, type: TYPE[kind], name, region, tags: tagsOf(tags) });
  await planActivation(context, model.id);
  return { model, version };
}

/** While a version of a detector model is being activated, the next version is a draft. */
export async function updateModel(
  context: EventsContext,
  region: string,
  kind: ModelKind,
  wanted: Wanted,
): Promise<Made> {
  const { db, account } = context;
  checkRole(wanted.roleArn, account);
  const before = await store.getModel(db, account, region, kind, wanted.name);
  const number = before.latest_version + 1;
  if (number > VERSIONS_MAX)
    throw errors.limitExceeded(`A ${store.TITLE[kind]} can have ${VERSIONS_MAX} versions.`);
  const model: ModelRow = { ...before, latest_version: number };
  const isBusy = (await store.findOldestOfStatus(db, before, "ACTIVATING")) !== undefined;
  const version = versionOf(context, model.id, number, wanted);
  if (isBusy && kind === "detector") version.status = "DRAFT";
  await check(context, model, version);
  await store.insertVersion(db, version);
  await store.updateModel(db, model, { latest_version: number });
  if (!isBusy) await planActivation(context, model.id);
  return { model, version };
}

export async function deleteModel(
  context: EventsContext,
  region: string,
  kind: ModelKind,
  name: string,
): Promise<void> {
  const { db, account } = context;
  const model = await store.getModel(db, account, region, kind, name);
  if (await store.findOldestOfStatus(db, model, "ACTIVATING"))
    throw errors.inUse(`The ${store.TITLE[kind]} ${name} is being activated.`);
  await context.cancelJob({ name: "events.activate" }, activationKeyOf(model.id));
  await store.deleteModel(db, model);
  await context.catalog.remove(modelArnOf(model));
  await clearInstances(context, model.id, ALL_VERSIONS);
}
