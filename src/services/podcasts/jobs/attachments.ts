/** Fetches linked transcripts and chapters in small batches, latest episodes first. */
import { jobsFor } from "#kernel/operation";
import type { Chapter } from "../domain/feeds/feed.ts";
import { readChapters, readTranscript, type Transcript } from "../domain/feeds/transcripts.ts";
import type { PodcastsContext, State } from "../state.ts";
import { findEpisode, listUnfetched, putTranscript, setChapters } from "../store/episodes.ts";
import { indexTranscript } from "../store/search-index.ts";
import type { EpisodeRow, Tables } from "../tables.ts";
import { fetchDocument } from "./fetch-document.ts";
import { attachmentsWork, scheduleAttachments } from "./work.ts";

const EPISODES_AT_ONCE = 10;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const ACCEPT = "text/vtt, application/x-subrip, application/json, text/plain, text/html;q=0.8, */*;q=0.5";

type Read<T> = { readonly value?: T; readonly problem: string };

async function fetchAnd<T>(
  context: PodcastsContext,
  url: string,
  read: (bytes: Uint8Array, contentType: string) => T | undefined,
): Promise<Read<T>> {
  const fetched = await fetchDocument(context.outbound, { url, accept: ACCEPT, bytesMax: FILE_BYTES_MAX });
  if (fetched.kind === "failed") return { problem: fetched.problem };
  if (fetched.kind === "unchanged") return { problem: "The server sent nothing." };
  const value = read(fetched.bytes, fetched.contentType);
  return value === undefined ? { problem: "The file is of no kind that is known." } : { value, problem: "" };
}

async function fetchFor(context: PodcastsContext, episode: EpisodeRow): Promise<void> {
  const nothing = { problem: "" };
  const transcript: Read<Transcript> =
    episode.transcript_url === ""
      ? nothing
      : await fetchAnd(context, episode.transcript_url, (bytes, type) =>
          readTranscript(bytes, type || episode.transcript_type),
        );
  const chapters: Read<Chapter[]> =
    episode.chapters_url === ""
      ? nothing
      : await fetchAnd(context, episode.chapters_url, (bytes, type) =>
          readChapters(bytes, type, episode.chapters_url),
        );
  await context.transact(async ({ db, account, clock }) => {
    const current = await findEpisode(db, account, episode.id);
    if (!current) return;
    await putTranscript(db, account, {
      account,
      episode_id: episode.id,
      podcast_id: episode.podcast_id,
      cues: JSON.stringify(transcript.value?.cues ?? []),
      text: transcript.value?.text ?? "",
      url: episode.transcript_url,
      problem: [transcript.problem, chapters.problem].filter((one) => one !== "").join(" "),
      fetched_at: clock.nowMs(),
    });
    if (chapters.value) await setChapters(db, account, episode.id, JSON.stringify(chapters.value));
    if (transcript.value) await indexTranscript(db, account, current, transcript.value.text);
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
