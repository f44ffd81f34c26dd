/** What one running instance keeps in memory. */
import type { Context, Instance } from "#kernel/operation";
import { Meter } from "./quota/meter.ts";
import { Interest } from "./search/interest.ts";
import { KnownLanguages } from "./search/languages.ts";
import type { Tables } from "./tables.ts";

export type State = {
  readonly meter: Meter;
  readonly interest: Interest;
  readonly languages: KnownLanguages;
};
export type PodcastsContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({
  meter: new Meter(instance),
  interest: new Interest(instance),
  languages: new KnownLanguages(),
});
export function forget({ meter, interest, languages }: State): void {
  meter.forget();
  interest.forget();
  languages.forget();
}
export async function stop({ meter, interest }: State): Promise<void> {
  await meter.stop();
  await interest.stop();
}
