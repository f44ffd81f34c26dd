/** Enters event data. Rankings and standings are updated in the same transaction. */
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
  /** `matches` is the complete list of this level. */
  readonly wholeLevel?: TournamentLevel;
  /** `teams` is the complete list. */
  readonly wholeTeams?: boolean;
  /** For imports: matches do not replace a published ranking. */
  readonly keepsPublished?: boolean;
};

/** Runs `work` and then writes the changed seconds of seasons and events. */
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

/** Teams with a match are added to the event. */
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
/** A published ranking stays until a result is entered manually. From then on, the ranking is computed. */
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
