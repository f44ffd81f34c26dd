/** What one running instance keeps in memory. */
import type { Context, Instance } from "#kernel/operation";
import { Meter } from "./quota/meter.ts";
import type { Tables } from "./tables.ts";

export type State = { readonly meter: Meter };
export type PodcastsContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({ meter: new Meter(instance) });
export function forget({ meter }: State): void {
  meter.forget();
}
export async function stop({ meter }: State): Promise<void> {
  await meter.stop();
}
