/** In-memory state of an instance: active lines, and planned cleanups. */
import type { Context } from "#kernel/operation";
import { Lines } from "./lines.ts";
import type { Tables } from "./tables.ts";

export type State = {
  readonly lines: Lines;
  /** Time of the planned cleanup of old calls, by account. */
  readonly plannedForgetting: Map<string, number>;
};
export type VoiceContext = Context<Tables, State>;

export const start = (): State => ({ lines: new Lines(), plannedForgetting: new Map() });
export const forget = ({ plannedForgetting }: State): void => plannedForgetting.clear();
/** Hangs up active calls. */
export const stop = ({ lines }: State): Promise<void> => lines.close();
