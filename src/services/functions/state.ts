/** What an instance keeps beside the database: the processes of functions. */
import type { Context, Instance } from "#kernel/operation";
import { Running } from "./running/running.ts";
import type { Tables } from "./tables.ts";

export type State = { readonly running: Running };
export type FunctionsContext = Context<Tables, State>;

export const start = (instance: Instance): State => ({ running: new Running(instance) });
export const forget = ({ running }: State): void => running.forgetAll();
export const stop = ({ running }: State): Promise<void> => running.stop();
