/** Turns changes of the account's resources into events, if a function has a trigger for them. */
import { Type } from "@sinclair/typebox";
import { ANY_REGION, type WatchedRegion } from "#kernel/catalog";
import { isoOf } from "#kernel/clock";
import { type Job, jobsFor } from "#kernel/operation";
import { RESOURCE_EVENTS, resourceEventOf } from "../domain/index.ts";
import type { FunctionsContext, State } from "../state.ts";
import { listTriggered } from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { publish } from "./deliver.ts";

const CHANGES_AT_ONCE = 100;

export const catalogueChanged: Job<WatchedRegion> = jobsFor<Tables, State>()({
  name: "functions.catalogue-changed",
  payload: Type.Object({ region: Type.String() }),
  alone: true,
  async run({ region }, context) {
    const changes = await context.catalog.takeChanges(region, CHANGES_AT_ONCE);
    if (changes.length === CHANGES_AT_ONCE) await context.enqueue(catalogueChanged, { region });
    for (const change of changes) {
      const event = resourceEventOf(change, context.ids.uuid(), isoOf(context.clock.nowMs()));
      if (event) await publish(context, event);
    }
  },
});

/** Must be called after triggers have changed. The catalogue is watched only if a function needs it. */
export async function watchAsWanted(context: FunctionsContext): Promise<void> {
  const triggered = await listTriggered(context.db, context.account);
  const isWanted = triggered.some(({ definition }) =>
    definition.eventTrigger?.eventType?.startsWith(RESOURCE_EVENTS),
  );
  await (isWanted
    ? context.catalog.watch(ANY_REGION, catalogueChanged)
    : context.catalog.unwatch(ANY_REGION));
}
