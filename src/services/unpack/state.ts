/** In-memory state of one running instance. */
import type { Context, Instance } from "#kernel/operation";
import type { Tables } from "./tables.ts";
import { createLaboratory, type Laboratory } from "./workers/index.ts";

export type State = { readonly laboratory: Laboratory };
export type UnpackContext = Context<Tables, State>;

/** Worker threads start with the first executable. */
export const start = ({ log }: Instance): State => ({
  laboratory: createLaboratory({
    noteDefect: (message) => log.error("an executable could not be emulated", { error: message }),
  }),
});
export const stop = ({ laboratory }: State): Promise<void> => laboratory.close();
