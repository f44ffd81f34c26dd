/** The podcast directory (specification S5). Read domain/feeds/read-feed.ts and jobs/ingest.ts next. */
import { defineService, operationGroup, provide } from "#kernel/operation";
import { backupSources } from "#ports/backup-sources";
import { backupSourceOf } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersDialect } from "./dialect.ts";
import { MOUNT } from "./domain/mount.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations/index.ts";
import { bestOperations } from "./operations/best.ts";
import { curatedOperations } from "./operations/curated.ts";
import { EDITOR_PATH, editorOperations } from "./operations/editor.ts";
import { episodeOperations } from "./operations/episodes.ts";
import { exportOperations } from "./operations/export.ts";
import { listenOperations } from "./operations/listen.ts";
import { planOperations } from "./operations/plans.ts";
import { playlistOperations } from "./operations/playlists.ts";
import { podcastOperations } from "./operations/podcasts.ts";
import { recommendationOperations } from "./operations/recommendations.ts";
import { referenceOperations } from "./operations/reference.ts";
import { searchOperations } from "./operations/search.ts";
import { searchesOperations } from "./operations/searches.ts";
import { spellingOperations } from "./operations/spelling.ts";
import { submissionOperations } from "./operations/submissions.ts";
import { typeaheadOperations } from "./operations/typeahead.ts";
import { protocol } from "./protocol.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed/index.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "podcasts",
  title: "Podcasts",
  summary: "A directory of podcasts: reads their feeds, searches them, recommends, and keeps lists.",
  contract: "S5",
  mount: MOUNT,
  protocol,
  dialects: [makersDialect],
  sharedWords,
  // Browser apps on other origins call it with a credential in a header.
  operations: operationGroup({ crossOrigin: true }, [
    ...searchOperations,
    ...typeaheadOperations,
    ...spellingOperations,
    ...searchesOperations,
    ...podcastOperations,
    ...submissionOperations,
    ...episodeOperations,
    ...bestOperations,
    ...recommendationOperations,
    ...referenceOperations,
    ...curatedOperations,
    ...playlistOperations,
    ...planOperations,
    ...exportOperations,
    ...listenOperations,
    ...editorOperations,
  ]),
  jobs,
  migrations,
  tables,
  provides: [
    provide(backupSources, backupSourceOf("playlist")),
    provide(backupSources, backupSourceOf("curated")),
  ],
  resourceKinds,
  console: consoleViews,
  pages: [
    {
      path: EDITOR_PATH,
      isTool: true,
      title: "Curated lists",
      summary: "Make curated lists, find podcasts for them, and put them in order.",
    },
  ],
  seed,
  start,
  startsEarly: { setting: "podcastsFolder" },
  forget,
  stop,
});
