/** Operations for recommendations and audience. */
import { Type } from "@sinclair/typebox";
import { audienceOf } from "../domain/audience.ts";
import { errors } from "../errors.ts";
import { recommendEpisodes, recommendPodcasts } from "../search/recommend.ts";
import { INTEREST_HALF_LIFE_MS, listInterest } from "../store/interest.ts";
import * as wire from "../wire/index.ts";
import { getEpisode, getPodcast } from "./lookup.ts";
import { meteredOperation } from "./metered.ts";

const Safe = Type.Object({ safe_mode: wire.zeroOrOne("1: leaves out what is explicit.") });

const forPodcast = meteredOperation({
  id: "podcasts.recommendations.podcast",
  summary: "Recommends podcasts that are similar to a podcast",
  description: "At most 8, by common words, genre, language and playlists that contain both.",
  method: "GET",
  path: "/podcasts/{id}/recommendations",
  permission: "podcasts:GetPodcast",
  params: Type.Object({ id: wire.PodcastId }),
  query: Safe,
  answers: { 200: Type.Object({ recommendations: Type.Array(wire.PodcastSimple) }) },
  errors: [errors.notFound],
  async handle({ params, query }, context) {
    const podcast = await getPodcast(context, params.id);
    const links = wire.linksOf(context);
    const rows = await recommendPodcasts(context, podcast, query.safe_mode === 1);
    return { recommendations: rows.map((row) => wire.podcastSimpleOf(row, links)) };
  },
});

const forEpisode = meteredOperation({
  id: "podcasts.recommendations.episode",
  summary: "Recommends episodes that are similar to an episode",
  description: "At most 8, by common words, genre, language and playlists that contain both.",
  method: "GET",
  path: "/episodes/{id}/recommendations",
  permission: "podcasts:GetEpisode",
  params: Type.Object({ id: wire.EpisodeId }),
  query: Safe,
  answers: { 200: Type.Object({ recommendations: Type.Array(wire.EpisodeSimple) }) },
  errors: [errors.notFound],
  async handle({ params, query }, context) {
    const episode = await getEpisode(context, params.id);
    const podcast = await getPodcast(context, episode.podcast_id);
    const links = wire.linksOf(context);
    const rows = await recommendEpisodes(context, { episode, podcast }, query.safe_mode === 1);
    return { recommendations: rows.map((row) => wire.episodeSimpleOf(row.episode, row.podcast, links)) };
  },
});

const audience = meteredOperation({
  id: "podcasts.audience",
  summary: "Returns the regions from which a podcast is requested",
  description:
    "By the region in `Accept-Language` of recent requests, whose weight halves every thirty days, with a small share for the place where the podcast is made.",
  method: "GET",
  path: "/podcasts/{id}/audience",
  permission: "podcasts:GetPodcast",
  params: Type.Object({ id: wire.PodcastId }),
  answers: {
    200: Type.Object({
      by_regions: Type.Array(
        Type.Object({
          region: Type.String({ description: "As `/regions` names it.", examples: ["us"] }),
          ratio: Type.String({ description: "Its share in per cent.", examples: ["62.5%"] }),
        }),
      ),
    }),
  },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const { db, account, clock } = context;
    const podcast = await getPodcast(context, params.id);
    const interest = await listInterest(db, account, podcast.id);
    return {
      by_regions: audienceOf(podcast.country, interest, clock.nowMs(), INTEREST_HALF_LIFE_MS),
    };
  },
});
export const recommendationOperations = [forPodcast, forEpisode, audience];
