/** The work that waits when messages were accepted and when timers are to end, as whoever causes it has to know it. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { EventsContext } from "../state.ts";

export const evaluation = {
  name: "events.evaluate",
  payload: Type.Object({}),
} satisfies WorkKind<Record<string, never>>;
export const timing = {
  name: "events.timers",
  payload: Type.Object({ shard: Type.Integer() }),
} satisfies WorkKind<{ shard: number }>;

/** One piece of work for all that waits; where it waits already, this changes nothing. */
export const askForEvaluation = async (context: EventsContext): Promise<void> => {
  await context.enqueue(evaluation, {}, { key: "evaluate" });
};
/** The work is planned for the first of a shard's timers and then plans itself for the next. */
export const planTimers = async (context: EventsContext, shard: number, dueAtMs: number): Promise<void> => {
  await context.enqueue(timing, { shard }, { key: `timers:${shard}`, runAtMs: dueAtMs });
};
