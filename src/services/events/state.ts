/** In-memory state of an instance: compiled models and evaluation loops. */
import { makeRoom } from "#kernel/memory";
import type { Context, Instance } from "#kernel/operation";
import type { CompiledAlarmModel, CompiledDetectorModel } from "./domain/index.ts";
import { Evaluators } from "./evaluators.ts";
import type { Tables } from "./tables.ts";

const COMPILED_MAX = 500;
/** A single process evaluates sequentially. Several processes share the work by shards. */
const SHARDS_SHARED = 16;

export type CompiledModel =
  | { readonly kind: "detector"; readonly model: CompiledDetectorModel; readonly spelling: string | null }
  | { readonly kind: "alarm"; readonly model: CompiledAlarmModel; readonly spelling: string | null };

/** Cache of compiled versions. It needs no invalidation, because versions never change. */
class CompiledModels {
  readonly #models = new Map<string, CompiledModel>();

  find(modelId: string, version: number): CompiledModel | undefined {
    return this.#models.get(`${modelId}/${version}`);
  }
  keep(modelId: string, version: number, model: CompiledModel): CompiledModel {
    makeRoom(this.#models, COMPILED_MAX);
    this.#models.set(`${modelId}/${version}`, model);
    return model;
  }
  forget(): void {
    this.#models.clear();
  }
}

export type State = {
  readonly compiled: CompiledModels;
  readonly evaluators: Evaluators;
  /** Functions that find the key in a message, by key path. */
  readonly keys: Map<string, (payload: unknown) => string | undefined>;
  readonly shards: number;
};
export type EventsContext = Context<Tables, State>;

export const start = ({ config }: Instance): State => ({
  compiled: new CompiledModels(),
  evaluators: new Evaluators(),
  keys: new Map(),
  shards: config.databaseUrl === undefined ? 1 : SHARDS_SHARED,
});
export function forget({ compiled, evaluators }: State): void {
  compiled.forget();
  evaluators.forgetLooks();
}
