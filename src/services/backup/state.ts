/** State of one running instance: the worker threads for chunks, and the folders it may read. */
import type { Context, Instance } from "#kernel/operation";
import { backupRootsOf } from "./settings.ts";
import { Engine } from "./storage/engine.ts";
import type { Tables } from "./tables/index.ts";

export type State = {
  readonly engine: Engine;
  readonly roots: readonly string[];
  /** For work in another account than the caller's. */
  readonly instance: Instance;
};
export type BackupContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({
  engine: new Engine(),
  roots: backupRootsOf(instance.config),
  instance,
});
export const stop = ({ engine }: State): Promise<void> => engine.close();
