/** Views of this service in the console. */
import { type ConsoleView, importsView } from "#kernel/operation";
import type { State } from "./state.ts";
import { countEventTeams, listLatestEvents } from "./store/index.ts";

export const consoleViews: readonly ConsoleView[] = [
  importsView(async ({ account, state }) => (state as State).imports.rowsOf(account)),
  {
    title: "Events",
    madeBy: "robotics.events.put",
    columns: ["Season", "Code", "Name", "Type", "District", "Begins", "Teams", "Live page"],
    links: { "Live page": "page" },
    async rows({ db, account }, limit) {
      const events = await listLatestEvents(db, account, limit);
      const seasons = [...new Set(events.map(({ season }) => season))];
      const counts = new Map<number, Map<string, number>>();
      for (const season of seasons) counts.set(season, await countEventTeams(db, account, season));
      return events.map((event) => [
        event.season,
        event.code,
        event.name,
        event.type,
        event.district ?? "",
        event.date_start?.slice(0, 10) ?? "",
        counts.get(event.season)?.get(event.code) ?? 0,
        `/robotics/live/${account}/${event.season}/${encodeURIComponent(event.code)}`,
      ]);
    },
  },
];
