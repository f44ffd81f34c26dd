/** Operations to submit a feed URL, upload a feed file and refresh a podcast. */
import { Type } from "@sinclair/typebox";
import { operationsFor, type StreamedBody, streamedBody } from "#kernel/operation";
import { addressKey, webAddress } from "../domain/feeds/addresses.ts";
import { errors } from "../errors.ts";
import { nextPodcastId, takeDocument } from "../jobs/hand-over.ts";
import { refreshPodcast } from "../jobs/refresh.ts";
import { scheduleReview } from "../jobs/work.ts";
import type { PodcastsContext, State } from "../state.ts";
import * as feeds from "../store/feeds.ts";
import { findPodcast, findRemovalByAddress } from "../store/podcasts.ts";
import type { SubmissionRow, Tables } from "../tables.ts";
import * as wire from "../wire/index.ts";
import { getPodcast } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

/** A repeated submission gets the stored rejection for this time. After it, the feed is fetched again. */
const REFUSAL_STANDS_MS = 3_600_000;
const FEED_BYTES_MAX = 64 * 1024 * 1024;

const Status = Type.Union([Type.Literal("found"), Type.Literal("in review"), Type.Literal("rejected")]);
const Submitted = Type.Object({ status: Status, reason: Type.String(), podcast: wire.PodcastMinimum });

/** An unlisted podcast has a summary with empty fields. */
async function summaryOf(context: PodcastsContext, id: string) {
  const { db, account } = context;
  const podcast = await findPodcast(db, account, id);
  const links = wire.linksOf(context);
  if (podcast) return wire.podcastMinimumOf(podcast, links);
  return {
    id,
    title: "",
    publisher: "",
    image: "",
    thumbnail: "",
    vendor_url: links.podcast(id),
    listen_score: 0,
    listen_score_global_rank: "",
  };
}

type Decided = { status: "found" | "in review" | "rejected"; reason: string; podcastId: string };
/** The stored decision on a URL; undefined if the feed has to be fetched. */
async function findDecision(
  { db, account, clock }: PodcastsContext,
  url: string,
): Promise<Decided | undefined> {
  const address = addressKey(url);
  const before = await feeds.findSubmission(db, account, address);
  // The podcast exists after its first batch of episodes. It counts as found only after the last one.
  if (before?.status === "in review") return decisionOf(before);
  const known = await feeds.findIdByAddress(db, account, url);
  if (known !== undefined)
    return { status: "found", reason: "The podcast is listed already.", podcastId: known };
  const removal = await findRemovalByAddress(db, account, address);
  if (removal)
    return {
      status: "rejected",
      reason: `The podcast was removed${removal.reason === "" ? "" : `: ${removal.reason}`}.`,
      podcastId: removal.podcast_id,
    };
  const stands =
    before?.status === "rejected" && clock.nowMs() - Number(before.decided_at) <= REFUSAL_STANDS_MS;
  return before && stands ? decisionOf(before) : undefined;
}
const decisionOf = ({ status, reason, podcast_id }: SubmissionRow): Decided => ({
  status: status as Decided["status"],
  reason,
  podcastId: podcast_id,
});

const submit = meteredOperation({
  id: "podcasts.podcasts.submit",
  summary: "Submits a podcast by the URL of its feed",
  description:
    "`found` if it is listed, `rejected` with a reason, or `in review`: then a job fetches the feed, with up to 5 attempts. Submit it again to get the decision. A rejection stands for an hour; removed podcasts stay rejected.",
  method: "POST",
  path: "/podcasts/submit",
  permission: "podcasts:SubmitPodcast",
  body: Type.Object({
    rss: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Address of the feed.",
      examples: ["https://example.org/feed.xml"],
    }),
    email: Type.Optional(
      Type.String({
        maxLength: 320,
        description:
          "The submitter. If the feed names this address as its owner, the submitter claims the podcast.",
        examples: ["ann@example.org"],
      }),
    ),
  }),
  bodyKinds: ["form", "multipart", "json"],
  answers: { 200: Submitted },
  errors: [errors.badRequest],
  examples: { body: { rss: "https://example.org/feed.xml" } },
  async handle({ body }, context) {
    const { db, account, clock } = context;
    const url = webAddress(body.rss);
    if (url === "") throw errors.badRequest("rss is no address of the web.", { target: "rss" });
    const decision = await findDecision(context, url);
    if (decision)
      return {
        status: decision.status,
        reason: decision.reason,
        podcast: await summaryOf(context, decision.podcastId),
      };
    const submission: SubmissionRow = {
      account,
      address: addressKey(url),
      url,
      email: body.email ?? "",
      status: "in review",
      reason: "The feed is going to be read.",
      podcast_id: nextPodcastId(context),
      attempts: 0,
      submitted_at: clock.nowMs(),
      decided_at: null,
    };
    await feeds.putSubmission(db, account, submission);
    await scheduleReview(context, submission.address);
    return {
      status: "in review" as const,
      reason: submission.reason,
      podcast: await summaryOf(context, submission.podcast_id),
    };
  },
});

const refresh = meteredOperation({
  id: "podcasts.podcasts.refresh",
  summary: "Reads a podcast's feed now",
  description:
    "`refreshed` if the feed had something new, `unchanged` if not, `failed` with the reason, `local` for a feed that was imported as a file. The schedule of checks follows.",
  method: "POST",
  path: "/podcasts/{id}/rss",
  permission: "podcasts:RefreshPodcast",
  transaction: "manual",
  timeoutSeconds: 120,
  params: Type.Object({ id: wire.PodcastId }),
  answers: {
    200: Type.Object({
      status: Type.String(),
      last_refreshed_at_ms: Type.Integer(),
      reason: Type.Optional(Type.String()),
    }),
  },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const podcast = await getPodcast(context, params.id);
    const refreshed = await refreshPodcast(context, podcast.id);
    if (!refreshed) throw errors.notFound(`The podcast ${podcast.id} has no feed.`);
    const { status, refreshedAtMs, reason } = refreshed;
    return { status, last_refreshed_at_ms: refreshedAtMs, ...(reason !== undefined && { reason }) };
  },
});

const operation = operationsFor<Tables, State>();

async function bytesOf(body: StreamedBody): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const handOver = operation({
  id: "podcasts.feeds.import",
  summary: "Imports a feed as a file, without the network",
  description:
    "The podcast is listed immediately, and found by searches after a few seconds. Importing the same file again refreshes its podcast. `medley podcasts import` sends a whole folder.",
  method: "POST",
  path: "/feeds",
  permission: "podcasts:ImportFeed",
  transaction: "manual",
  timeoutSeconds: 300,
  query: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        "What the file is called: its podcast is known by it where the feed names no address of its own.",
      examples: ["shows/garden.xml"],
    }),
  }),
  body: streamedBody,
  bodyKinds: ["stream"],
  bodyBytesMax: FEED_BYTES_MAX,
  answers: { 200: Submitted },
  tags: ["addition"],
  async handle({ body, query }, context) {
    const decided = await takeDocument(context, await bytesOf(body), query.name);
    return {
      status: decided.status,
      reason: decided.reason,
      podcast: await summaryOf(context, decided.podcastId),
    };
  },
});

const SUBMISSIONS_MAX = 1_000;
const listSubmissions = operation({
  id: "podcasts.submissions.list",
  summary: "Lists submissions and their decisions, newest first",
  description: `At most ${SUBMISSIONS_MAX}.`,
  method: "GET",
  path: "/submissions",
  permission: "podcasts:ListSubmissions",
  answers: {
    200: Type.Object({
      submissions: Type.Array(
        Type.Object({
          rss: Type.String(),
          status: Status,
          reason: Type.String(),
          podcast_id: Type.String(),
          submitted_at_ms: Type.Integer(),
          decided_at_ms: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
    }),
  },
  tags: ["addition"],
  async handle(_input, { db, account }) {
    const rows = await feeds.listSubmissions(db, account, SUBMISSIONS_MAX);
    return {
      submissions: rows.map((row) => ({
        rss: row.url,
        status: row.status as Decided["status"],
        reason: row.reason,
        podcast_id: row.podcast_id,
        submitted_at_ms: Number(row.submitted_at),
        decided_at_ms: row.decided_at === null ? null : Number(row.decided_at),
      })),
    };
  },
});

export const submissionOperations = [submit, refresh, handOver, listSubmissions];
