/** Public pages at URLs that cannot be guessed. Access needs only the URL. */
import { Type } from "@sinclair/typebox";
import { CONTENT_HEADERS, contentAnswers, seekableAnswer } from "#kernel/blobs";
import type { Page } from "#kernel/html";
import { answer, anyone, media, operationsFor } from "#kernel/operation";
import { findGenre } from "../domain/genres.ts";
import { TUNE_PREFIX, TUNE_TYPE, tuneBytes, tuneChunks } from "../domain/tune.ts";
import { errors } from "../errors.ts";
import { drawCover } from "../listen/cover.ts";
import {
  type ListedThing,
  renderEpisodePage,
  renderListPage,
  renderNothingPage,
  renderPodcastPage,
} from "../listen/page.ts";
import type { PodcastsContext, State } from "../state.ts";
import { findCurated, listCuratedIds } from "../store/curated.ts";
import { findEpisode, findTranscript, listByDate, listEpisodes } from "../store/episodes.ts";
import { findPlaylist, listItems } from "../store/playlists.ts";
import { findPodcast, listOfGenre, listPodcasts } from "../store/podcasts.ts";
import type { PodcastRow, Tables } from "../tables.ts";
import * as wire from "../wire/index.ts";

const operation = operationsFor<Tables, State>();
const EPISODES_SHOWN = 100;
const THINGS_SHOWN = 200;

const Account = Type.String({
  pattern: "^\\d{12}$",
  description: "The account that lists it.",
  examples: ["123456789012"],
});
const Named = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The id of what is shown.",
  examples: ["4d3fe717742d4963a85562e9f84d8c79"],
});

type Show = (
  context: PodcastsContext,
  account: string,
  id: string,
  links: wire.Links,
) => Promise<Page | undefined>;

const pageOperation = (name: string, summary: string, description: string, show: Show) =>
  operation({
    id: `podcasts.listen.${name}`,
    summary,
    description,
    method: "GET",
    path: `/listen/{account}/${name}/{id}`,
    permission: anyone,
    params: Type.Object({ account: Account, id: Named }),
    answers: { 200: media("text/html"), 404: media("text/html") },
    tags: ["addition"],
    async handle({ params: { account, id } }, context) {
      const links = wire.linksOf({ request: context.request, account });
      const page = (await show(context, account, id, links)) ?? renderNothingPage();
      return answer(page.status, page.html, page.headers);
    },
  });

const showPodcast = pageOperation(
  "podcasts",
  "Shows the page of a podcast",
  "Shows its latest episodes, or the first ones of a serial.",
  async ({ db }, account, id, links) => {
    const podcast = await findPodcast(db, account, id);
    if (!podcast) return undefined;
    const sort = podcast.type === "serial" ? "oldest_first" : "recent_first";
    const episodes = await listByDate(db, account, id, { sort, limit: EPISODES_SHOWN });
    return renderPodcastPage(podcast, episodes, links);
  },
);

const showEpisode = pageOperation(
  "episodes",
  "Shows the page of an episode",
  "With player, chapters and transcript.",
  async ({ db }, account, id, links) => {
    const episode = await findEpisode(db, account, id);
    const podcast = episode && (await findPodcast(db, account, episode.podcast_id));
    if (!episode || !podcast) return undefined;
    return renderEpisodePage(episode, podcast, await findTranscript(db, account, id), links);
  },
);

const listed = (podcasts: readonly PodcastRow[], links: wire.Links): ListedThing[] =>
  podcasts.map(({ id, title, publisher }) => ({ address: links.podcast(id), name: title, told: publisher }));

const showCurated = pageOperation(
  "curated",
  "Shows the page of a curated list",
  "With links to its podcasts.",
  async ({ db }, account, id, links) => {
    const list = await findCurated(db, account, id);
    if (!list) return undefined;
    const podcasts = await listPodcasts(db, account, await listCuratedIds(db, account, id));
    return renderListPage(list.title, list.description, listed(podcasts, links));
  },
);

const showGenre = pageOperation(
  "genres",
  "Shows the podcasts of a genre",
  "The best known podcasts come first.",
  async ({ db }, account, id, links) => {
    const genre = /^\d{1,6}$/.test(id) ? findGenre(Number(id)) : undefined;
    if (!genre) return undefined;
    const podcasts = await listOfGenre(db, account, genre.id, THINGS_SHOWN);
    return renderListPage(
      genre.name,
      "Podcasts of this genre, the best known first.",
      listed(podcasts, links),
    );
  },
);

/** Private playlists have no page. */
const showPlaylist = pageOperation(
  "playlists",
  "Shows the page of a playlist",
  "A private playlist gives 404.",
  async ({ db }, account, id, links) => {
    const playlist = await findPlaylist(db, account, id);
    if (!playlist || playlist.visibility === "private") return undefined;
    const slice = { sort: "recent_added_first", after: 0, limit: THINGS_SHOWN } as const;
    const played = await listItems(db, account, id, { ...slice, type: "episode_list" });
    const shown = await listItems(db, account, id, { ...slice, type: "podcast_list" });
    const episodes = await listEpisodes(
      db,
      account,
      played.filter(({ type }) => type === "episode").map(({ target_id }) => target_id),
    );
    const podcasts = await listPodcasts(
      db,
      account,
      shown.map(({ target_id }) => target_id),
    );
    const things = episodes.map(({ id: one, title }) => ({
      address: links.episode(one),
      name: title,
      told: "episode",
    }));
    return renderListPage(playlist.name, playlist.description, [...things, ...listed(podcasts, links)]);
  },
);

const drawnCover = operation({
  id: "podcasts.listen.covers",
  summary: "Returns a generated cover for a podcast without a picture",
  description: "An SVG picture that depends on the title. May be cached for a day.",
  method: "GET",
  path: "/listen/{account}/covers/{id}",
  permission: anyone,
  crossOrigin: true,
  params: Type.Object({ account: Account, id: Named }),
  answers: { 200: media("image/svg+xml") },
  errors: [errors.notFound],
  tags: ["addition"],
  async handle({ params: { account, id } }, { db }) {
    const podcast = await findPodcast(db, account, id);
    if (!podcast) throw errors.notFound("There is no such podcast.");
    return answer(200, drawCover(podcast), { "cache-control": "public, max-age=86400" });
  },
});

const tune = operation({
  id: "podcasts.listen.tunes",
  summary: "Returns the generated audio of a demo episode",
  description: "Only for episodes of the demo data. Supports ranges.",
  method: "GET",
  path: "/listen/{account}/tunes/{id}",
  permission: anyone,
  crossOrigin: true,
  params: Type.Object({ account: Account, id: Named }),
  headers: Type.Object(CONTENT_HEADERS),
  answers: contentAnswers(TUNE_TYPE),
  errors: [errors.notFound],
  tags: ["addition"],
  async handle({ params: { account, id }, headers }, { db }) {
    const episode = await findEpisode(db, account, id);
    if (!episode?.audio.startsWith(TUNE_PREFIX)) throw errors.notFound("There is no such tune.");
    const seconds = Number(episode.audio_length_sec);
    return seekableAnswer(
      {
        size: tuneBytes(seconds),
        type: TUNE_TYPE,
        tag: `tune-${seconds}`,
        chunks: (range) => tuneChunks(seconds, range),
      },
      headers,
    );
  },
});

export const listenOperations = [
  drawnCover,
  tune,
  showPodcast,
  showEpisode,
  showCurated,
  showGenre,
  showPlaylist,
];
