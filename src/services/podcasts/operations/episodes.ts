/** Operations for episodes: one, several, or a random one. */
import { Type } from "@sinclair/typebox";
import { errors } from "../errors.ts";
import type { PodcastsContext } from "../state.ts";
import { findListedFrom, findTranscript, listByDate, listEpisodes } from "../store/episodes.ts";
import { listPodcasts } from "../store/podcasts.ts";
import * as wire from "../wire/index.ts";
import { bulkOf, getEpisode, getPodcast } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

const readEpisode = meteredOperation({
  id: "podcasts.episodes.get",
  summary: "Returns an episode with its podcast",
  description:
    "`show_transcript=1` adds the transcript. An episode that its feed no longer lists is still found by its id, with `maybe_audio_invalid`.",
  method: "GET",
  path: "/episodes/{id}",
  permission: "podcasts:GetEpisode",
  params: Type.Object({ id: wire.EpisodeId }),
  query: Type.Object({ show_transcript: wire.zeroOrOne("1 for the transcript, where the feed has one.") }),
  answers: { 200: wire.EpisodeFull },
  errors: [errors.notFound],
  async handle({ params, query }, context) {
    const episode = await getEpisode(context, params.id);
    const podcast = await getPodcast(context, episode.podcast_id);
    context.state.interest.note(context, podcast.id);
    const links = wire.linksOf(context);
    const transcript =
      query.show_transcript === 1 ? await findTranscript(context.db, context.account, episode.id) : undefined;
    return {
      ...wire.episodeMinimumOf(episode, links),
      podcast: wire.podcastSimpleOf(podcast, links),
      ...(query.show_transcript === 1 && { transcript: transcript?.text || null }),
    };
  },
});

const readMany = meteredOperation({
  id: "podcasts.episodes.bulk",
  summary: "Returns several episodes",
  description: "At most 10 ids; unknown ones are left out.",
  method: "POST",
  path: "/episodes",
  permission: "podcasts:GetEpisode",
  transaction: "read",
  body: Type.Object({
    ids: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Ids, separated by commas, up to ten.",
      examples: ["6b6d65930c5a4f71b254465871fed370"],
    }),
  }),
  bodyKinds: ["form", "multipart", "json"],
  answers: { 200: Type.Object({ episodes: Type.Array(wire.EpisodeSimple) }) },
  errors: [errors.badRequest],
  examples: { body: { ids: "6b6d65930c5a4f71b254465871fed370" } },
  async handle({ body }, context) {
    const { db, account } = context;
    const episodes = await listEpisodes(db, account, bulkOf("ids", body.ids));
    const ids = [...new Set(episodes.map(({ podcast_id }) => podcast_id))];
    const podcasts = new Map((await listPodcasts(db, account, ids)).map((one) => [one.id, one]));
    const links = wire.linksOf(context);
    return {
      episodes: episodes.flatMap((episode) => {
        const podcast = podcasts.get(episode.podcast_id);
        return podcast ? [wire.episodeSimpleOf(episode, podcast, links)] : [];
      }),
    };
  },
});

const ID_BYTES = 16;
const FRACTION_BYTES = 4;
/** Ids are clustered by podcast. A random id picks a podcast, and a random date picks one of its episodes. */
async function pickAny(context: PodcastsContext) {
  const { db, account, ids } = context;
  const from = ids.bytes(ID_BYTES).toString("hex");
  const first = (await findListedFrom(db, account, from)) ?? (await findListedFrom(db, account, ""));
  if (!first) throw errors.notFound("There is no episode yet: submit or import a podcast first.");
  const podcast = await getPodcast(context, first.podcast_id);
  const earliestMs = Number(podcast.earliest_pub_date_ms);
  const latestMs = Number(podcast.latest_pub_date_ms);
  const fraction = ids.bytes(FRACTION_BYTES).readUInt32BE() / 2 ** (8 * FRACTION_BYTES);
  const dateMs = earliestMs + Math.floor(fraction * (latestMs - earliestMs + 1));
  const [found] = await listByDate(db, account, podcast.id, {
    sort: "oldest_first",
    from: dateMs,
    limit: 1,
  });
  return { episode: found ?? first, podcast };
}

const justListen = meteredOperation({
  id: "podcasts.episodes.any",
  summary: "Returns a random episode",
  description: "First a random podcast, then a random date of it. 404 if there are no episodes.",
  method: "GET",
  path: "/just_listen",
  permission: "podcasts:GetEpisode",
  answers: { 200: wire.EpisodeSimple },
  errors: [errors.notFound],
  async handle(_input, context) {
    const { episode, podcast } = await pickAny(context);
    return wire.episodeSimpleOf(episode, podcast, wire.linksOf(context));
  },
});

export const episodeOperations = [readEpisode, readMany, justListen];
