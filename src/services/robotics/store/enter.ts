/** Entering what is told of an event: results bring rankings and standings with them, in the same transaction. */
import type { EventDocument } from "../domain/entries.ts";
import type { Match, RankingRow, TournamentLevel } from "../domain/game.ts";
import { rankingsOf } from "../domain/rankings.ts";
import { enterEvent } from "./events.ts";
import { enterAlliances, enterAwards, enterRankings } from "./honours.ts";
import { Ledger } from "./ledger.ts";
import { type EnteredMatches, enterMatches } from "./matches.ts";
import type { Db } from "./rows.ts";
import { enterEventTeams } from "./team-entries.ts";

export type DocumentOptions = {
  /** The matches are all that there are of this level. */
  readonly wholeLevel?: TournamentLevel;
  /** The teams are all that come. */
  readonly wholeTeams?: boolean;
  /** A ranking that was published stays as it is, whatever the matches say: of an import. */
  readonly keepsPublished?: boolean;
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
  { wholeLevel, wholeTeams = false, keepsPublished = false }: DocumentOptions = {},
): Promise<void> {
  const event = document.eventCode.toUpperCase();
  await enterEvent(db, account, ledger, season, event, document.event ?? {});
  if (document.teams)
    await enterEventTeams(db, account, ledger, { season, event, teams: document.teams, whole: wholeTeams });
  const play = document.matches
    ? await enterPlay(db, account, ledger, { season, event, document, wholeLevel })
    : undefined;
  const isRankingOther = await enterRanking(db, account, ledger, {
    season,
    event,
    published: document.rankings ?? [],
    play,
    keepsPublished,
  });
  const isSelectionOther =
    document.alliances !== undefined &&
    (await enterAlliances(db, account, ledger, { season, event, alliances: document.alliances }));
  const isHonourOther =
    document.awards !== undefined &&
    (await enterAwards(db, account, ledger, { season, event, awards: document.awards }));
  if (play?.isChanged || isRankingOther || isSelectionOther || isHonourOther)
    await ledger.touchSeason(season, "standings_modified");
}

type AtEvent = { readonly season: number; readonly event: string; readonly document: EventDocument };

/** Who plays has come. */
async function enterPlay(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, document, wholeLevel }: AtEvent & { readonly wholeLevel: TournamentLevel | undefined },
): Promise<EnteredMatches> {
  const play = await enterMatches(db, account, ledger, {
    season,
    event,
    entries: document.matches ?? [],
    ...(wholeLevel && { wholeLevel }),
  });
  await enterEventTeams(db, account, ledger, { season, event, teams: teamsIn(play.matches), whole: false });
  return play;
}

type RankingOf = {
  readonly season: number;
  readonly event: string;
  readonly published?: readonly RankingRow[];
  readonly play: EnteredMatches | undefined;
  readonly keepsPublished: boolean;
};
/** What was published stays until a result is entered by hand; from then on the ranking is computed. */
export async function enterRanking(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, published = [], play, keepsPublished }: RankingOf,
): Promise<boolean> {
  if (published.length > 0) {
    await tellSource(ledger, season, event, 1);
    return enterRankings(db, account, ledger, { season, event, rankings: published });
  }
  const { rankings_published } = await ledger.event(season, event);
  if (!play?.isRankingAffected || (keepsPublished && rankings_published === 1)) return false;
  await tellSource(ledger, season, event, 0);
  const rankings = rankingsOf(season, play.matches);
  return enterRankings(db, account, ledger, { season, event, rankings });
}
async function tellSource(ledger: Ledger, season: number, event: string, published: 0 | 1): Promise<void> {
  if ((await ledger.event(season, event)).rankings_published === published) return;
  await ledger.changeEvent(season, event, { rankings_published: published });
  await ledger.touchEvent(season, event, "rankings_modified");
}
