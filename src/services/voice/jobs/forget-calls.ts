/** Deletes ended calls and their audio by age and number. */
import { Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import type { State, VoiceContext } from "../state.ts";
import * as store from "../store.ts";
import type { Tables } from "../tables.ts";

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;
const KEPT_MAX = 10_000;
const FORGOTTEN_AT_ONCE_MAX = 200;

const nextFullHourMs = (ms: number): number => Math.ceil((ms + 1) / HOUR_MS) * HOUR_MS;

/**
 * Schedules one job at the next full hour, shared by all calls that end before. The planned time is cached
 * in memory, because calls that end together would otherwise contend for the job's row.
 */
export async function forgetLater(context: VoiceContext): Promise<void> {
  const { account, clock, state } = context;
  const { plannedForgetting } = state;
  const atMs = nextFullHourMs(clock.nowMs());
  if (plannedForgetting.get(account) === atMs) return;
  await schedule(context, atMs);
  context.afterCommit(() => plannedForgetting.set(account, atMs));
}
const schedule = (context: VoiceContext, runAtMs: number): Promise<string> =>
  context.enqueue(forgetCalls, {}, { runAtMs, key: `voice.forget-calls:${context.account}` });

async function run(_payload: unknown, context: VoiceContext): Promise<void> {
  const { db, account, clock, blobs } = context;
  const surplusEndMs = (await store.findEndBeyond(db, account, KEPT_MAX)) ?? 0;
  const borderMs = Math.max(clock.nowMs() - KEPT_MS, surplusEndMs);
  const oldest = await store.listEndedCalls(db, account, FORGOTTEN_AT_ONCE_MAX);
  const past = oldest.filter(({ ended_at }) => (ended_at ?? 0) <= borderMs);
  for (const { audio_blob } of past) if (audio_blob !== null) await blobs.remove(audio_blob);
  await store.removeCalls(
    db,
    account,
    past.map(({ message_id }) => message_id),
  );
  const first = oldest[past.length];
  if (past.length === FORGOTTEN_AT_ONCE_MAX) await schedule(context, clock.nowMs());
  else if (first?.ended_at) await schedule(context, nextFullHourMs(first.ended_at + KEPT_MS));
}

export const forgetCalls: Job<Record<string, never>> = jobsFor<Tables, State>()({
  name: "voice.forget-calls",
  payload: Type.Object({}),
  run,
});
