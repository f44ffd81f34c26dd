/** Names and payloads of jobs. Their implementations are in the other files. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { PodcastsContext } from "../state.ts";

export const reviewWork: WorkKind<{ address: string }> = {
  name: "podcasts.review",
  payload: Type.Object({ address: Type.String() }),
};
export const refreshWork: WorkKind<{ podcastId: string }> = {
  name: "podcasts.refresh",
  payload: Type.Object({ podcastId: Type.String() }),
};
export const attachmentsWork: WorkKind<{ podcastId: string }> = {
  name: "podcasts.attachments",
  payload: Type.Object({ podcastId: Type.String() }),
};

export const scoreWork: WorkKind<Record<string, never>> = {
  name: "podcasts.score",
  payload: Type.Object({}),
};

type Work = Pick<PodcastsContext, "enqueue" | "cancelJob">;
const refreshKey = (podcastId: string): string => `refresh:${podcastId}`;
const attachmentsKey = (podcastId: string): string => `attachments:${podcastId}`;

export async function scheduleReview(context: Work, address: string, runAtMs?: number): Promise<void> {
  const key = `review:${address}`;
  await context.enqueue(reviewWork, { address }, runAtMs === undefined ? { key } : { key, runAtMs });
}
/** The key allows one pending refresh for each feed. */
export async function scheduleRefresh(context: Work, podcastId: string, runAtMs: number): Promise<void> {
  await context.enqueue(refreshWork, { podcastId }, { key: refreshKey(podcastId), runAtMs });
}
export async function scheduleAttachments(context: Work, podcastId: string): Promise<void> {
  await context.enqueue(attachmentsWork, { podcastId }, { key: attachmentsKey(podcastId) });
}
export async function scheduleScores(context: Pick<Work, "enqueue">, runAtMs: number): Promise<void> {
  await context.enqueue(scoreWork, {}, { key: "score", runAtMs });
}
/** New podcasts share one job. They do not postpone it. */
export async function ensureScores(context: Pick<Work, "enqueue">, runAtMs: number): Promise<void> {
  await context.enqueue(scoreWork, {}, { key: "score", keepsTime: true, runAtMs });
}
export async function cancelWork(context: Work, podcastId: string): Promise<void> {
  await context.cancelJob(refreshWork, refreshKey(podcastId));
  await context.cancelJob(attachmentsWork, attachmentsKey(podcastId));
}
