/** Entering what is told of an event: results bring rankings and standings with them, in the same transaction. */
import type { EventDocument } from "../domain/entries.ts";
import type { Match, TournamentLevel } from "../domain/game.ts";
import { canRank, rankingsOf } from "../domain/rankings.ts";
import { enterEvent } from "./events.ts";
import { enterAlliances, enterAwards, enterRankings } from "./honours.ts";
import { Ledger } from "./ledger.ts";
import { enterMatches } from "./matches.ts";
import type { Db } from "./rows.ts";
import { enterEventTeams } from "./team-entries.ts";
import { listEventTeams } from "./teams.ts";

export type DocumentOptions = {
  /** The matches are all that there are of this level. */
  readonly wholeLevel?: TournamentLevel;
  /** The teams are all that come. */
  readonly wholeTeams?: boolean;
};

/** One transaction's entries: what changed of seasons and events is written when `work` is done. */
export async function entering<T>(
  db: Db,
  account: string,
  nowMs: number,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger = new Ledger(db, account, nowMs);
  const done = await work(ledger);
  await ledger.close();
  return done;
}

const teamsIn = (matches: readonly Match[]): number[] => [
  ...new Set(matches.flatMap(({ teams }) => teams.map(({ teamNumber }) => teamNumber))),
];

export async function enterDocument(
  db: Db,
  account: string,
  ledger: Ledger,
  season: number,
  document: EventDocument,
  { wholeLevel, wholeTeams = false }: DocumentOptions = {},
): Promise<void> {
  const event = document.eventCode.toUpperCase();
  await enterEvent(db, account, ledger, season, event, document.event ?? {});
  if (document.teams)
    await enterEventTeams(db, account, ledger, { season, event, teams: document.teams, whole: wholeTeams });
  const isPlayOther = document.matches
    ? await enterPlay(db, account, ledger, { season, event, document, wholeLevel })
    : await enterPublished(db, account, ledger, { season, event, document });
  const isSelectionOther =
    document.alliances !== undefined &&
    (await enterAlliances(db, account, ledger, { season, event, alliances: document.alliances }));
  const isHonourOther =
    document.awards !== undefined &&
    (await enterAwards(db, account, ledger, { season, event, awards: document.awards }));
  if (isPlayOther || isSelectionOther || isHonourOther)
    await ledger.touchSeason(season, "standings_modified");
}

type AtEvent = { readonly season: number; readonly event: string; readonly document: EventDocument };

/** Matches, and the ranking that follows from them. Who plays has come. */
async function enterPlay(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, document, wholeLevel }: AtEvent & { readonly wholeLevel: TournamentLevel | undefined },
): Promise<boolean> {
  const { matches, isChanged, isRankingAffected } = await enterMatches(db, account, ledger, {
    season,
    event,
    entries: document.matches ?? [],
    ...(wholeLevel && { wholeLevel }),
  });
  await enterEventTeams(db, account, ledger, { season, event, teams: teamsIn(matches), whole: false });
  if (!isRankingAffected && !document.rankings) return isChanged;
  const teams = await listEventTeams(db, account, season, event);
  const rankings =
    document.rankings && !canRank(season, matches) ? document.rankings : rankingsOf(season, teams, matches);
  return (await enterRankings(db, account, ledger, { season, event, rankings })) || isChanged;
}

/** Published rankings without results: they count where there is nothing to compute them from. */
async function enterPublished(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, document }: AtEvent,
): Promise<boolean> {
  if (!document.rankings) return false;
  const { matches } = await enterMatches(db, account, ledger, { season, event, entries: [] });
  if (canRank(season, matches)) return false;
  return enterRankings(db, account, ledger, { season, event, rankings: document.rankings });
}
