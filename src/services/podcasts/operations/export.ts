/** Exports for podcast apps: all podcasts as OPML, and a search as an RSS feed. */
import { Type } from "@sinclair/typebox";
import { answer, anyone, media, operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import { type PodcastsContext, STRANGERS_SEARCHES_PER_SECOND, type State } from "../state.ts";
import { listPodcastsAfter } from "../store/podcasts.ts";
import type { PodcastRow, Tables } from "../tables.ts";
import { opmlOf, rssOf } from "../wire/documents.ts";
import * as wire from "../wire/index.ts";
import { meteredOperation } from "./metered.ts";
import { searchEpisodes } from "./search.ts";

const operation = operationsFor<Tables, State>();
const PODCASTS_TOGETHER = 200;

async function* allPodcasts({ db, account }: PodcastsContext): AsyncGenerator<PodcastRow[]> {
  for (let after = ""; ; ) {
    const rows = await listPodcastsAfter(db, account, after, PODCASTS_TOGETHER);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.id ?? "";
  }
}

const exportOpml = meteredOperation({
  id: "podcasts.export.opml",
  summary: "Exports all podcasts as OPML",
  description: "Streams the whole directory; podcast applications can import it.",
  method: "GET",
  path: "/podcasts.opml",
  permission: "podcasts:GetPodcast",
  answers: { 200: media("text/x-opml") },
  tags: ["addition"],
  handle: (_input, context) =>
    answer(200, opmlOf(allPodcasts(context), context.clock.nowMs()), {
      "content-disposition": 'attachment; filename="podcasts.opml"',
    }),
});

const searchFeed = operation({
  id: "podcasts.listen.search",
  summary: "Returns a search as an RSS feed",
  description:
    "Takes the parameters of `podcasts.search` for episodes, newest first. Needs no key, because podcast applications have none; searches without a key share one limit per second. May be cached for 5 minutes.",
  method: "GET",
  path: "/listen/{account}/search.rss",
  permission: anyone,
  params: Type.Object({
    account: Type.String({
      pattern: "^\\d{12}$",
      description: "The account whose podcasts are searched.",
      examples: ["123456789012"],
    }),
  }),
  query: wire.SearchQuery,
  answers: { 200: media("application/rss+xml") },
  errors: [errors.badRequest, errors.quotaExceeded],
  tags: ["addition"],
  async handle({ params: { account }, query }, context) {
    const { clock, request, db, state } = context;
    if (!state.strangersSearches.take(STRANGERS_SEARCHES_PER_SECOND, clock.machineNowMs()))
      throw errors.quotaExceeded("Too many searches without a key at this moment.", {
        headers: { "retry-after": "1" },
      });
    const asViewer = { account, clock, request, db, state } as PodcastsContext;
    const { episodes } = await searchEpisodes(asViewer, { ...query, sort_by_date: 1 });
    const links = wire.linksOf(asViewer);
    const self = `${new URL(request.mountUrl).origin}${request.rawUrl}`;
    return answer(200, rssOf(episodes, { title: `Search: ${query.q}`, self, nowMs: clock.nowMs() }, links), {
      "cache-control": "max-age=300",
    });
  },
});

export const exportOperations = [exportOpml, searchFeed];
