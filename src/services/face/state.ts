/** In-memory state of one running instance. */
import type { Context, Instance } from "#kernel/operation";
import { createRecognizer, type Recognizer } from "./recognizer/index.ts";
import { Indexes } from "./search/indexes.ts";
import { indexBytesMaxOf } from "./settings.ts";
import type { Tables } from "./tables.ts";

export type State = { readonly recognizer: Recognizer; readonly indexes: Indexes };
export type FaceContext = Context<Tables, State>;

/** Threads, models and indexes are created on first use. */
export const start = ({ config, clock, pictureMemory }: Instance): State => ({
  recognizer: createRecognizer(pictureMemory),
  indexes: new Indexes(indexBytesMaxOf(config), () => clock.nowMs()),
});
export const forget = ({ indexes }: State): void => indexes.forget();
export async function stop({ recognizer, indexes }: State): Promise<void> {
  await Promise.all([recognizer.close(), indexes.close()]);
}
