/** The console views. */
import { isoOf } from "#kernel/clock";
import { escapeHtml } from "#kernel/html";
import type { ConsoleView } from "#kernel/operation";
import { middleOf } from "./domain/globe.ts";
import { STATES } from "./domain/moderation.ts";
import { createdAtMsOf } from "./domain/order.ts";
import { drawWorld } from "./domain/world-map.ts";
import { pageOfAssignments } from "./store/assignments.ts";
import { pageOfChanges } from "./store/changes.ts";
import { countByState } from "./store/contributions.ts";
import { pageOfContributions } from "./store/search.ts";

const PLACES_SHOWN_MAX = 500;
/** About a kilometre: exact positions are for owners and moderators. */
const GEOHASH_SHOWN_LENGTH = 6;
const countryNames = new Intl.DisplayNames("en", { type: "region" });
const titleOf = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const everything = { everything: true, goneAssignments: [] } as const;

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Assignments",
    madeBy: "contributions.assignments.create",
    columns: ["Id", "Name", "Address", "Moderation", "Ends"],
    async rows({ db, account, clock }, limit) {
      const caller = { kind: "account", userId: account } as const;
      const wanted = { filter: {}, caller, nowMs: clock.nowMs() };
      const { rows } = await pageOfAssignments(db, account, wanted, { page: 1, pageSize: limit });
      return rows.map((row) => [
        row.id,
        row.name,
        row.url_words,
        row.moderation,
        row.ends_at === null ? "" : isoOf(Number(row.ends_at)),
      ]);
    },
  },
  {
    title: "Contributions",
    madeBy: "contributions.contributions.create",
    columns: ["Id", "Headline", "State", "Country", "Likes", "Flags", "Came in"],
    async rows({ db, account }, limit) {
      const rows = await pageOfContributions(db, account, { filter: {}, sight: everything }, { limit });
      return rows.map((row) => [
        row.id,
        row.headline,
        row.state,
        row.country === null ? "" : countryNames.of(row.country),
        row.likes,
        row.flags,
        isoOf(createdAtMsOf(row.place)),
      ]);
    },
    async drawings({ db, account }) {
      const rows = await pageOfContributions(
        db,
        account,
        { filter: {}, sight: everything },
        { limit: PLACES_SHOWN_MAX },
      );
      const places = rows.flatMap(({ geohash, headline }) =>
        geohash === null
          ? []
          : [{ position: middleOf(geohash.slice(0, GEOHASH_SHOWN_LENGTH)), text: headline }],
      );
      if (places.length === 0) return [];
      return [{ title: "Where they come from", svg: drawWorld(places, escapeHtml) }];
    },
    async widgets({ db, account }) {
      const counts = await countByState(db, account);
      const points = STATES.map((name) => ({ name: titleOf(name), value: counts.get(name) ?? 0 }));
      return [
        { kind: "chart", title: "Contributions by state", form: "bars", unit: "contributions", points },
      ];
    },
  },
  {
    title: "Changes",
    columns: ["When", "What", "About", "By"],
    async rows({ db, account }, limit) {
      const caller = { kind: "account", userId: account } as const;
      const wanted = { caller, assignment: undefined };
      const { rows } = await pageOfChanges(db, account, wanted, { page: 1, pageSize: limit });
      return rows.map((row) => [
        isoOf(Number(row.changed_at)),
        row.title,
        row.description,
        row.user_id ?? "",
      ]);
    },
  },
];
