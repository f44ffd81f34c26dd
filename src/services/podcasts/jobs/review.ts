/** Decides submissions: fetches the feed, then lists the podcast or rejects it with a reason. */
import { jobsFor } from "#kernel/operation";
import { FeedProblem } from "../domain/feeds/feed.ts";
import type { OpenFeed } from "../domain/feeds/read-feed.ts";
import { hashOf, readFeed } from "../reading/index.ts";
import type { PodcastsContext, State } from "../state.ts";
import * as feeds from "../store/feeds.ts";
import type { SubmissionRow, Tables } from "../tables.ts";
import { type Fetched, fetchDocument } from "./fetch-document.ts";
import { ingest } from "./ingest.ts";
import { reviewWork, scheduleReview } from "./work.ts";

const ATTEMPTS_MAX = 5;
const FIRST_WAIT_MS = 60_000;

type Decision = {
  readonly status: "found" | "rejected" | "in review";
  readonly reason: string;
  readonly podcastId?: string;
};

async function decide(
  context: PodcastsContext,
  submission: SubmissionRow,
  { status, reason, podcastId }: Decision,
): Promise<void> {
  await context.transact(({ db, account, clock }) =>
    feeds.putSubmission(db, account, {
      ...submission,
      status,
      reason,
      podcast_id: podcastId ?? submission.podcast_id,
      attempts: Number(submission.attempts) + 1,
      decided_at: status === "in review" ? null : clock.nowMs(),
    }),
  );
}

/** The reason to reject a valid feed; undefined if it is accepted. */
export function findObjection({ feed, itemCount, batchCount, batch }: OpenFeed): string | undefined {
  if (feed.isBlocked) return "The feed asks not to be listed.";
  if (itemCount === 0) return "There are no episodes in the feed.";
  for (let index = 0; index < batchCount; index += 1) if (batch(index).length > 0) return undefined;
  return "There is nothing to listen to in the feed.";
}

type Document = Extract<Fetched, { kind: "document" }>;
async function judge(
  context: PodcastsContext,
  submission: SubmissionRow,
  document: Document,
): Promise<Decision> {
  const { db, account } = context;
  const { bytes, contentType, etag, lastModified, movedTo } = document;
  try {
    const open = await readFeed(account, bytes, { contentType, address: document.base });
    const objection = findObjection(open);
    if (objection !== undefined) return { status: "rejected", reason: objection };
    const url = movedTo ?? submission.url;
    const podcastId = (await feeds.findIdByAddress(db, account, url)) ?? submission.podcast_id;
    const source = {
      url,
      kind: "remote",
      etag,
      lastModified,
      bodyHash: await hashOf(bytes),
      email: submission.email,
    } as const;
    await ingest(context, podcastId, open, source);
    await context.transact((inner) => feeds.addAddress(inner.db, account, submission.url, podcastId));
    return { status: "found", reason: "The feed was read and is listed.", podcastId };
  } catch (error) {
    if (error instanceof FeedProblem) return { status: "rejected", reason: error.message };
    throw error;
  }
}

/**
 * A temporary failure is retried with exponential backoff. A permanent one rejects the submission at once.
 */
async function postpone(
  context: PodcastsContext,
  submission: SubmissionRow,
  { problem, passes }: Extract<Fetched, { kind: "failed" }>,
): Promise<void> {
  const attempts = Number(submission.attempts) + 1;
  if (!passes || attempts >= ATTEMPTS_MAX)
    return decide(context, submission, { status: "rejected", reason: problem });
  await decide(context, submission, { status: "in review", reason: problem });
  const runAtMs = context.clock.nowMs() + FIRST_WAIT_MS * 4 ** (attempts - 1);
  await context.transact((inner) => scheduleReview(inner, submission.address, runAtMs));
}

export const review = jobsFor<Tables, State>()({
  ...reviewWork,
  transaction: "manual",
  async run({ address }: { address: string }, context) {
    const submission = await feeds.findSubmission(context.db, context.account, address);
    if (submission?.status !== "in review") return;
    const fetched = await fetchDocument(context.outbound, { url: submission.url });
    if (fetched.kind === "failed") return postpone(context, submission, fetched);
    if (fetched.kind === "unchanged")
      return decide(context, submission, {
        status: "rejected",
        reason: "The server says that nothing has changed, and sends nothing.",
      });
    await decide(context, submission, await judge(context, submission, fetched));
  },
});
