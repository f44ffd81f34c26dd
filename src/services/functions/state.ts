/** State of an instance besides the database: the processes of functions. */
import type { Context, Instance } from "#kernel/operation";
import { KeepWarm } from "./running/keep-warm.ts";
import { Running } from "./running/running.ts";
import type { Tables } from "./tables.ts";

export type State = { readonly running: Running; readonly keepWarm: KeepWarm };
export type FunctionsContext = Context<Tables, State>;

export function start(instance: Instance): State {
  const running = new Running(instance);
  return { running, keepWarm: new KeepWarm(instance, running) };
}
export const forget = ({ running }: State): void => running.forgetAll();
export async function stop({ running, keepWarm }: State): Promise<void> {
  await keepWarm.stop();
  await running.stop();
}
