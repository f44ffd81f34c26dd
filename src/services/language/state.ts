/** State of one running instance in memory. */
import { type Context, ImportsUnderWay, type Instance } from "#kernel/operation";
import { createTrainer, type Trainer } from "./learning/index.ts";
import { LoadedModels } from "./loaded-models.ts";
import { QueryCollector } from "./query-collector.ts";
import type { Tables } from "./tables.ts";

export type State = {
  readonly trainer: Trainer;
  readonly models: LoadedModels;
  readonly queries: QueryCollector;
  readonly imports: ImportsUnderWay;
};
export type LanguageContext = Context<Tables, State>;

/** Threads and models wait for their first use. */
export const start = (instance: Instance): State => ({
  trainer: createTrainer(),
  models: new LoadedModels(instance),
  queries: new QueryCollector(instance),
  imports: new ImportsUnderWay(),
});
export function forget({ models, queries }: State): void {
  models.forget();
  queries.forget();
}
export async function stop({ trainer, queries }: State): Promise<void> {
  await queries.close();
  await trainer.close();
}
