/** Views of this service in the console. */
import { isoOf } from "#kernel/clock";
import { type ConsoleView, type Context, importRow, importsView, type Widget } from "#kernel/operation";
import { audienceOf } from "./domain/audience.ts";
import { MOUNT } from "./domain/mount.ts";
import { countByWeek } from "./domain/rhythm.ts";
import type { State } from "./state.ts";
import { countCurated, listCuratedIds, pageOfCurated } from "./store/curated.ts";
import { listByDate } from "./store/episodes.ts";
import { findReview, listFeeds, listSubmissions } from "./store/feeds.ts";
import { INTEREST_HALF_LIFE_MS, listInterest } from "./store/interest.ts";
import { getItemFigures, pageOfPlaylists } from "./store/playlists.ts";
import { findPodcast, listNewestPodcasts, listRemovals } from "./store/podcasts.ts";
import { listPlans, listUsage } from "./store/quota.ts";
import type { PodcastRow } from "./tables.ts";

const dayOf = (ms: number | string): string => (Number(ms) > 0 ? isoOf(Number(ms)).slice(0, 10) : "");
const timeOf = (ms: number | string | null): string => (Number(ms ?? 0) > 0 ? isoOf(Number(ms)) : "");

const regionNames = new Intl.DisplayNames("en", { type: "region" });
const WEEKS_SHOWN = 26;
const EPISODES_COUNTED_MAX = 1000;
/** Episodes per week, and the audience by region as in `/podcasts/{id}/audience`. */
async function chartsOf({ db, account, clock }: Context, { id, country }: PodcastRow): Promise<Widget[]> {
  const nowMs = clock.nowMs();
  const latest = await listByDate(db, account, id, { sort: "recent_first", limit: EPISODES_COUNTED_MAX });
  const weeks = countByWeek(
    latest.map(({ pub_date_ms }) => Number(pub_date_ms)),
    nowMs,
    WEEKS_SHOWN,
  );
  const interest = await listInterest(db, account, id);
  const regions = audienceOf(country, interest, nowMs, INTEREST_HALF_LIFE_MS);
  const audience = regions.map(({ region, ratio }) => ({
    name: regionNames.of(region.toUpperCase()) ?? region,
    value: Number.parseFloat(ratio),
  }));
  return [
    {
      kind: "chart",
      title: `Episodes by week, the last ${WEEKS_SHOWN} weeks`,
      form: "columns",
      unit: "episodes",
      points: weeks.map(({ mondayMs, count }) => ({ name: dayOf(mondayMs), value: count })),
    },
    ...(audience.length === 0
      ? []
      : [
          {
            kind: "chart",
            title: "Audience by region",
            form: "bars",
            unit: "%",
            points: audience,
          } as const,
        ]),
  ];
}

/** Submissions of the same hour form one batch. */
const TOGETHER_MS = 3_600_000;
async function importsOf({ db, account, state }: Context) {
  const review = await findReview(db, account, TOGETHER_MS);
  const submitted = review && importRow("Submitted addresses", review.fromMs, review);
  return [...(submitted ? [submitted] : []), ...(state as State).imports.rowsOf(account)];
}

export const consoleViews: readonly ConsoleView[] = [
  importsView(importsOf),
  {
    title: "Podcasts",
    madeBy: "podcasts.podcasts.submit",
    columns: ["Id", "Title", "Publisher", "Language", "Episodes", "Latest", "Score", "Page"],
    links: { Page: "page" },
    async rows({ db, account }, limit) {
      const rows = await listNewestPodcasts(db, account, limit);
      return rows.map((row) => [
        row.id,
        row.title,
        row.publisher,
        row.language,
        Number(row.total_episodes),
        dayOf(row.latest_pub_date_ms),
        Number(row.listen_score),
        `${MOUNT}/listen/${account}/podcasts/${row.id}`,
      ]);
    },
    async detail(context, id) {
      const podcast = await findPodcast(context.db, context.account, id);
      if (!podcast) return undefined;
      const { title, publisher, language, website, rss } = podcast;
      return {
        value: { id, title, publisher, language, website, rss },
        widgets: await chartsOf(context, podcast),
      };
    },
  },
  {
    title: "Feeds",
    madeBy: "podcasts.podcasts.submit",
    columns: ["Podcast", "Title", "Address", "Status", "Failures", "Last problem", "Checked", "Next"],
    async rows({ db, account }, limit) {
      const rows = await listFeeds(db, account, limit);
      return rows.map((row) => [
        row.podcast_id,
        row.title ?? "",
        row.url,
        row.status,
        Number(row.failures),
        row.last_problem,
        timeOf(row.checked_at),
        row.kind === "local" ? "when its file changes" : timeOf(row.next_at),
      ]);
    },
  },
  {
    title: "Submissions",
    madeBy: "podcasts.podcasts.submit",
    columns: ["Address", "Status", "Reason", "Submitted", "Decided"],
    async rows({ db, account }, limit) {
      const rows = await listSubmissions(db, account, limit);
      return rows.map((row) => [
        row.url,
        row.status,
        row.reason,
        timeOf(row.submitted_at),
        timeOf(row.decided_at),
      ]);
    },
  },
  {
    title: "Curated lists",
    madeBy: "podcasts.curated.create",
    columns: ["Id", "Title", "Podcasts", "Published"],
    async rows({ db, account }, limit) {
      if ((await countCurated(db, account)) === 0) return [];
      const lists = await pageOfCurated(db, account, { offset: 0, limit });
      const rows: unknown[][] = [];
      for (const { id, title, pub_date_ms } of lists)
        rows.push([id, title, (await listCuratedIds(db, account, id)).length, dayOf(pub_date_ms)]);
      return rows;
    },
  },
  {
    title: "Playlists",
    madeBy: "podcasts.playlists.create",
    columns: ["Id", "Name", "Visibility", "Episodes", "Podcasts", "Changed"],
    async rows({ db, account }, limit) {
      const rows: unknown[][] = [];
      for (const row of await pageOfPlaylists(db, account, {
        sort: "recent_added_first",
        offset: 0,
        limit,
      })) {
        const { episodes, podcasts } = await getItemFigures(db, account, row.id);
        rows.push([row.id, row.name, row.visibility, episodes, podcasts, timeOf(row.changed_at)]);
      }
      return rows;
    },
  },
  {
    title: "Removed podcasts",
    madeBy: "podcasts.podcasts.delete",
    columns: ["Id", "Title", "Reason", "Removed"],
    async rows({ db, account }, limit) {
      const rows = await listRemovals(db, account, limit);
      return rows.map((row) => [row.podcast_id, row.title, row.reason, timeOf(row.removed_at)]);
    },
  },
  {
    title: "Keys",
    madeBy: "podcasts.search",
    columns: ["Key", "Month", "Requests", "Plan"],
    async rows({ db, account }, limit) {
      const plans = new Map((await listPlans(db, account)).map((plan) => [plan.key_name, plan]));
      const usage = await listUsage(db, account, limit);
      return usage.map(({ key_name, month, requests }) => {
        const plan = plans.get(key_name) ?? plans.get("*");
        return [key_name, month, Number(requests), plan ? `${plan.monthly_max} a month` : "the usual one"];
      });
    },
  },
];
