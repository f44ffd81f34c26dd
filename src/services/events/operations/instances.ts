/** Access to instances for batches and lists. */
import type { ModelKind } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import { Run } from "../jobs/index.ts";
import type { EventsContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { InstanceRow, ModelRow } from "../tables.ts";
import type { EntryErrors } from "./entries.ts";

export type Addressed = { readonly id: string; readonly model: string; readonly key: string };
export type Place = store.InstancePlace;

/** Undefined before the first activation. */
export const placeOf = ({ account, id, active_version }: ModelRow): Place | undefined =>
  active_version === null ? undefined : { account, model_id: id, version: active_version };

export const missing = (kind: ModelKind, model: string, key: string): string =>
  key === ""
    ? `The ${store.TITLE[kind]} ${model} has no ${kind} without a key.`
    : `The ${store.TITLE[kind]} ${model} has no ${kind} ${key}.`;

/**
 * Loads the addressed instances and calls `change` for each. Missing instances become errors of their
 * entries.
 */
export async function changeEach<Entry extends Addressed>(
  context: EventsContext,
  kind: ModelKind,
  entries: readonly Entry[],
  refused: EntryErrors<"messageId"> | EntryErrors<"requestId">,
  change: (run: Run, model: ModelRow, entry: Entry) => boolean,
): Promise<void> {
  const { db, account } = context;
  const models = new Map<string, ModelRow | undefined>();
  const run = new Run(context);
  for (const { model } of entries)
    if (!models.has(model))
      models.set(model, await store.findModel(db, account, context.request.region, kind, model));
  await run.load(
    entries.flatMap(({ model, key }) => {
      const found = models.get(model);
      return found ? [{ model_id: found.id, key }] : [];
    }),
  );
  for (const entry of entries) {
    if (!refused.isNew(entry.id)) continue;
    const model = models.get(entry.model);
    if (!model) refused.add(entry.id, errors.notFound, `There is no ${store.TITLE[kind]} ${entry.model}.`);
    else if (!change(run, model, entry))
      refused.add(entry.id, errors.notFound, missing(kind, entry.model, entry.key));
  }
  await run.save();
}

export async function getInstance(
  context: EventsContext,
  kind: ModelKind,
  name: string,
  key: string,
): Promise<{ readonly model: ModelRow; readonly instance: InstanceRow }> {
  const { db, account } = context;
  const model = await store.getModel(db, account, context.request.region, kind, name);
  const place = placeOf(model);
  const instance = place && (await store.findInstance(db, place, key));
  if (!instance) throw errors.notFound(missing(kind, name, key));
  return { model, instance };
}
