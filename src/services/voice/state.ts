/** What an instance keeps beside the database: its lines to the carrier, and which chores it has planned. */
import type { Context } from "#kernel/operation";
import { Lines } from "./lines.ts";
import type { Tables } from "./tables.ts";

export type State = {
  readonly lines: Lines;
  /** By account: the instant for which forgetting old calls is planned. */
  readonly plannedForgetting: Map<string, number>;
};
export type VoiceContext = Context<Tables, State>;

export const start = (): State => ({ lines: new Lines(), plannedForgetting: new Map() });
export const forget = ({ plannedForgetting }: State): void => plannedForgetting.clear();
/** Calls in progress are hung up. */
export const stop = ({ lines }: State): Promise<void> => lines.close();
