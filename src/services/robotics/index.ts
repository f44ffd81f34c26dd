/** Robotics event statistics (specification S6). Read domain/game.ts and operations/reading.ts next. */
import { defineService, operationGroup } from "#kernel/operation";
import { consoleViews } from "./console.ts";
import { migrations } from "./migrations.ts";
import { awardOperations } from "./operations/awards.ts";
import { enteringOperations } from "./operations/entering.ts";
import { generatedScheduleOperations } from "./operations/generated-schedule.ts";
import { importLines } from "./operations/import.ts";
import { liveOperations } from "./operations/live.ts";
import { matchOperations } from "./operations/matches.ts";
import { pointOperations } from "./operations/points.ts";
import { rankingOperations } from "./operations/rankings.ts";
import { removingOperations } from "./operations/removing.ts";
import { seasonOperations } from "./operations/seasons.ts";
import { teamOperations } from "./operations/teams.ts";
import { protocol } from "./protocol.ts";
import { seed } from "./seed.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "robotics",
  title: "Robotics",
  summary:
    "Seasons of robot competitions: events, teams, matches and awards, with rankings that follow from results.",
  contract: "S6",
  mount: "/robotics",
  protocol,
  sharedWords,
  // Browser apps on other origins call it with a credential in a header.
  operations: operationGroup({ crossOrigin: true }, [
    ...seasonOperations,
    ...teamOperations,
    ...awardOperations,
    ...matchOperations,
    ...pointOperations,
    ...rankingOperations,
    ...enteringOperations,
    ...removingOperations,
    importLines,
    ...generatedScheduleOperations,
    ...liveOperations,
  ]),
  migrations,
  tables,
  console: consoleViews,
  seed,
  start,
  forget,
  stop,
});
