/** In-memory state of a running instance. */
import { type Context, ImportsUnderWay, type Instance } from "#kernel/operation";
import { Bucket } from "./domain/quota.ts";
import { FolderWatch } from "./import/folder-watch.ts";
import { Meter } from "./quota/meter.ts";
import { Interest } from "./search/interest.ts";
import { KnownLanguages } from "./search/languages.ts";
import type { Tables } from "./tables.ts";

/** Limits searches without a key, which cost processor time. Feed readers poll about once an hour. */
export const STRANGERS_SEARCHES_PER_SECOND = 5;

export type State = {
  readonly meter: Meter;
  /** Searches without a key on this node. */
  readonly strangersSearches: Bucket;
  readonly interest: Interest;
  readonly languages: KnownLanguages;
  readonly folderWatch: FolderWatch;
  readonly imports: ImportsUnderWay;
};
export type PodcastsContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({
  meter: new Meter(instance),
  strangersSearches: new Bucket(STRANGERS_SEARCHES_PER_SECOND, instance.clock.machineNowMs()),
  interest: new Interest(instance),
  languages: new KnownLanguages(),
  folderWatch: new FolderWatch(instance),
  imports: new ImportsUnderWay(),
});
export function forget({ meter, interest, languages, folderWatch }: State): void {
  folderWatch.forget();
  meter.forget();
  interest.forget();
  languages.forget();
}
export async function stop({ meter, interest, folderWatch }: State): Promise<void> {
  folderWatch.stop();
  await meter.stop();
  await interest.stop();
}
