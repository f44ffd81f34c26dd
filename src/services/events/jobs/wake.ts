/** The jobs for accepted messages and for timers, as the code that enqueues them knows them. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import { LOOK_AFTER_MS } from "../evaluators.ts";
import type { EventsContext } from "../state.ts";

export const evaluation = {
  name: "events.evaluate",
  payload: Type.Object({}),
} satisfies WorkKind<Record<string, never>>;
export const looking = {
  name: "events.look-for-forgotten",
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
/** For messages that rely on a loop that is open: should that not see them, somebody looks for them later. */
export async function lookLater(context: EventsContext): Promise<void> {
  const { account, clock, state } = context;
  const nowMs = clock.nowMs();
  if (state.evaluators.isLookPlanned(account, nowMs)) return;
  const runAtMs = nowMs + LOOK_AFTER_MS;
  await context.enqueue(looking, {}, { key: "look", runAtMs });
  context.afterCommit(() => state.evaluators.noteLook(account, runAtMs));
}
/** The work is planned for the first of a shard's timers and then plans itself for the next. */
export const planTimers = async (context: EventsContext, shard: number, dueAtMs: number): Promise<void> => {
  await context.enqueue(timing, { shard }, { key: `timers:${shard}`, runAtMs: dueAtMs });
};
