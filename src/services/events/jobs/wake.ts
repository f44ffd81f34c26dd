/** Names and payloads of the jobs for messages and timers, for code that enqueues them. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import { lookAtMs } from "../evaluators.ts";
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

/** One job evaluates all messages of the account. A waiting job is reused. */
export const askForEvaluation = async (context: EventsContext): Promise<void> => {
  await context.enqueue(evaluation, {}, { key: "evaluate" });
};
/** Safety net for messages that rely on an open loop: a later job finds them if the loop does not. */
export async function lookLater(context: EventsContext): Promise<void> {
  const { account, clock, state } = context;
  const runAtMs = lookAtMs(clock.nowMs());
  if (state.evaluators.isLookPlanned(account, runAtMs)) return;
  await context.enqueue(looking, {}, { key: `look:${runAtMs}`, runAtMs });
  context.afterCommit(() => state.evaluators.noteLook(account, runAtMs));
}
/** The job runs at the first timer of a shard and then schedules itself for the next one. */
export const planTimers = async (context: EventsContext, shard: number, dueAtMs: number): Promise<void> => {
  await context.enqueue(timing, { shard }, { key: `timers:${shard}`, runAtMs: dueAtMs });
};
