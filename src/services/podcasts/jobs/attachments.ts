/** Fetches linked transcripts and chapters in small batches, latest episodes first. */
import { jobsFor } from "#kernel/operation";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { type AttachmentDocument, type AttachmentParts, readAttachment } from "../reading/index.ts";
import type { PodcastsContext, State } from "../state.ts";
import { findEpisode, listUnfetched, putTranscript, setChapters } from "../store/episodes.ts";
import { indexTranscript } from "../store/search-index.ts";
import type { EpisodeRow, Tables } from "../tables.ts";
import { fetchDocument } from "./fetch-document.ts";
import { attachmentsWork, scheduleAttachments } from "./work.ts";

const EPISODES_AT_ONCE = 10;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const ACCEPT = "text/vtt, application/x-subrip, application/json, text/plain, text/html;q=0.8, */*;q=0.5";

type Fetched = { readonly parts?: AttachmentParts; readonly problem: string };

async function fetchAnd(
  context: PodcastsContext,
  kind: AttachmentDocument["kind"],
  { url, type = "" }: { readonly url: string; readonly type?: string },
): Promise<Fetched> {
  if (url === "") return { problem: "" };
  const fetched = await fetchDocument(context.outbound, { url, accept: ACCEPT, bytesMax: FILE_BYTES_MAX });
  if (fetched.kind === "failed") return { problem: fetched.problem };
  if (fetched.kind === "unchanged") return { problem: "The server sent nothing." };
  const document = { kind, bytes: fetched.bytes, contentType: fetched.contentType || type, address: url };
  try {
    return { parts: await readAttachment(context.account, document), problem: "" };
  } catch (error) {
    if (error instanceof FeedProblem) return { problem: error.message };
    throw error;
  }
}

async function fetchFor(context: PodcastsContext, episode: EpisodeRow): Promise<void> {
  const { transcript_url, transcript_type, chapters_url } = episode;
  const transcript = await fetchAnd(context, "transcript", { url: transcript_url, type: transcript_type });
  const chapters = await fetchAnd(context, "chapters", { url: chapters_url });
  await context.transact(async ({ db, account, clock }) => {
    const current = await findEpisode(db, account, episode.id);
    if (!current) return;
    await putTranscript(db, account, {
      account,
      episode_id: episode.id,
      podcast_id: episode.podcast_id,
      cues: transcript.parts?.json ?? "[]",
      text: transcript.parts?.text ?? "",
      url: episode.transcript_url,
      problem: [transcript.problem, chapters.problem].filter((one) => one !== "").join(" "),
      fetched_at: clock.nowMs(),
    });
    if (chapters.parts) await setChapters(db, account, episode.id, chapters.parts.json);
    if (transcript.parts) await indexTranscript(db, account, current, transcript.parts.text);
  });
}

export const attachments = jobsFor<Tables, State>()({
  ...attachmentsWork,
  transaction: "manual",
  async run({ podcastId }: { podcastId: string }, context) {
    const some = await listUnfetched(context.db, context.account, podcastId, EPISODES_AT_ONCE);
    for (const episode of some) await fetchFor(context, episode);
    if (some.length === EPISODES_AT_ONCE)
      await context.transact((inner) => scheduleAttachments(inner, podcastId));
  },
});
