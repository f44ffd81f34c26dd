/** Activates model versions, replaces older ones, and pauses versions whose inputs no longer fit. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { ModelKind } from "../domain/arns.ts";
import { type KnownInputs, ModelFault } from "../domain/index.ts";
import type { EventsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { ModelRow, RouteRow, Tables, VersionRow } from "../tables.ts";
import { compileVersion } from "./compiled.ts";

const job = jobsFor<Tables, State>();
const INSTANCES_AT_ONCE = 500;
const MODELS_MAX = 2000;
/** Status of a version that cannot run with the current inputs. */
const HELD: Readonly<Record<ModelKind, string>> = { detector: "PAUSED", alarm: "INACTIVE" };

const activation = { name: "events.activate", payload: Type.Object({ modelId: Type.String() }) };
export const activationKeyOf = (modelId: string): string => `activate:${modelId}`;

/** Activation takes as long as other provisioning, by the kernel clock. */
export async function planActivation(context: EventsContext, modelId: string): Promise<void> {
  const runAtMs = context.clock.nowMs() + context.config.provisioningSeconds * 1000;
  await context.enqueue(activation, { modelId }, { key: activationKeyOf(modelId), runAtMs });
}

/** The reason why the version cannot run with the current inputs. */
function findFault(model: ModelRow, version: VersionRow, inputs: KnownInputs): string | undefined {
  try {
    compileVersion(model, version, inputs);
    return undefined;
  } catch (fault) {
    if (fault instanceof ModelFault) return `${fault.message} (${fault.place})`;
    throw fault;
  }
}
function routesOf(model: ModelRow, version: VersionRow): RouteRow[] {
  const { account, region, id, kind, name, key_path } = model;
  return compileVersion(model, version, undefined).model.inputNames.map((input) => ({
    account,
    region,
    input,
    model_id: id,
    kind,
    model: name,
    key_path,
  }));
}

async function makeActive(context: EventsContext, model: ModelRow, version: VersionRow): Promise<void> {
  const { db, account, clock } = context;
  const nowMs = clock.nowMs();
  if (model.active_version !== null) {
    const before = { account, model_id: model.id, version: model.active_version };
    await store.updateVersion(db, before, { status: "INACTIVE", status_message: null, updated_at: nowMs });
  }
  await store.updateVersion(db, version, { status: "ACTIVE", status_message: null, updated_at: nowMs });
  await store.updateModel(db, model, { active_version: version.version });
  await store.replaceRoutes(db, account, model.id, routesOf(model, version));
  await clearInstances(context, model.id, version.version);
}

/** Activates the waiting version, or marks it as failed. Then a draft becomes the waiting version. */
export async function activateModel(context: EventsContext, modelId: string): Promise<void> {
  const { db, account, clock } = context;
  const model = (await store.modelsOfIds(db, account, [modelId])).get(modelId);
  const version = model && (await store.findOldestOfStatus(db, model, "ACTIVATING"));
  if (!model || !version) return;
  const inputs = await store.attributesByInput(db, account, model.region);
  const fault = findFault(model, version, inputs);
  if (fault === undefined) await makeActive(context, model, version);
  else
    await store.updateVersion(db, version, {
      status: "FAILED",
      status_message: fault,
      updated_at: clock.nowMs(),
    });
  const draft = await store.findOldestOfStatus(db, model, "DRAFT");
  if (draft) await store.updateVersion(db, draft, { status: "ACTIVATING", updated_at: clock.nowMs() });
  if (draft || (await store.findOldestOfStatus(db, model, "ACTIVATING")))
    await planActivation(context, modelId);
}
export const activate = job({
  ...activation,
  run: ({ modelId }, context) => activateModel(context, modelId),
});

const clearing = {
  name: "events.clear-instances",
  payload: Type.Object({ modelId: Type.String(), below: Type.Integer() }),
};
/** Deletes instances of older versions in batches. */
export async function clearInstances(context: EventsContext, modelId: string, below: number): Promise<void> {
  await context.enqueue(clearing, { modelId, below }, { key: `clear:${modelId}` });
}
export const clear = job({
  ...clearing,
  async run({ modelId, below }, context) {
    const { db, account, clock } = context;
    const place = { account, model_id: modelId, version: below };
    if ((await store.deleteOlder(db, place, INSTANCES_AT_ONCE)) === INSTANCES_AT_ONCE) {
      await clearInstances(context, modelId, below);
      return;
    }
    const model = (await store.modelsOfIds(db, account, [modelId])).get(modelId);
    if (model?.kind === "detector")
      await store.changeStatuses(db, model, { from: "INACTIVE", to: "DEPRECATED", below }, clock.nowMs());
  },
});

/** Models of a region whose active or latest version reads the input. */
export async function modelsReading(
  context: EventsContext,
  region: string,
  input: string,
): Promise<ModelRow[]> {
  const { db, account } = context;
  const reading: ModelRow[] = [];
  for (const kind of ["detector", "alarm"] as const)
    for (const model of await store.listModels(db, account, region, kind, "", MODELS_MAX)) {
      const versions = new Set([model.latest_version, model.active_version ?? model.latest_version]);
      for (const number of versions) {
        const version = await store.getVersion(db, model, number);
        if (version.status === "FAILED") continue;
        if (!compileVersion(model, version, undefined).model.inputNames.includes(input)) continue;
        reading.push(model);
        break;
      }
    }
  return reading;
}

const inputChange = {
  name: "events.apply-input",
  payload: Type.Object({ region: Type.String(), name: Type.String() }),
};
export async function planInputChange(context: EventsContext, region: string, name: string): Promise<void> {
  await context.enqueue(inputChange, { region, name }, { key: `input:${region}:${name}` });
}

/** Pauses a model whose expressions no longer fit the inputs, and resumes it after a change that fits. */
async function holdOrFree(context: EventsContext, model: ModelRow, inputs: KnownInputs): Promise<void> {
  const { db, account, clock } = context;
  if (model.active_version === null) return;
  const version = await store.getVersion(db, model, model.active_version);
  const fault = findFault(model, version, inputs);
  const status = fault === undefined ? "ACTIVE" : HELD[model.kind as ModelKind];
  if (status === version.status) return;
  await store.updateVersion(db, version, {
    status,
    status_message: fault ?? null,
    updated_at: clock.nowMs(),
  });
  await store.replaceRoutes(db, account, model.id, fault === undefined ? routesOf(model, version) : []);
}

/** Completes the creation, change or deletion of an input. */
export const applyInput = job({
  ...inputChange,
  async run({ region, name }, context) {
    const { db, account, clock } = context;
    const input = await store.findInput(db, account, region, name);
    if (!input) return;
    if (input.status === "DELETING") {
      await store.deleteInput(db, account, region, name);
      return;
    }
    await store.updateInput(db, { ...input, status: "ACTIVE", updated_at: clock.nowMs() });
    const inputs = await store.attributesByInput(db, account, region);
    for (const model of await modelsReading(context, region, name)) await holdOrFree(context, model, inputs);
  },
});
