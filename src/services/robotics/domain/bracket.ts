/** Builds the playoff bracket: results, winners of sets, and matches to schedule. */
import { averageBracketOf } from "./bracket-averages.ts";
import { bestOfThreePlan, doubleEliminationPlan, type PlannedSet, type Source } from "./bracket-plans.ts";
import type { Bracket, BracketKind, BracketSet, PendingMatch } from "./bracket-shape.ts";
import type { Alliance, Match, PlayoffPlace } from "./game.ts";
import { colourOf, findWinner, isPlayed } from "./outcomes.ts";
import { type AllianceFinder, allianceFinder, pendingMatchOf } from "./pending-matches.ts";
import { DOUBLE_ELIMINATION_SEASON_MIN, playoffNumberOf } from "./playoff-numbers.ts";

/** In this season, alliances advanced by average score. */
const AVERAGE_SEASON = 2015;
/** More games than this in one set rule out best of three. */
const LONGEST_SET = 6;
const BEST_OF_THREE_SIZES = [2, 4, 8, 16];

export function bracketOf(
  season: number,
  alliances: readonly Alliance[],
  playoffs: readonly Match[],
): Bracket {
  const games = playoffs.filter(({ playoff }) => playoff !== null);
  const kind = kindOf(season, alliances.length, games);
  if (kind === "averageScore") return averageBracketOf(season, alliances, games);
  const bracket = bracketFrom(kind, planOf(kind, alliances.length), alliances, games);
  return { ...bracket, pending: pendingOf(numberingSeason(season, kind), bracket.sets, alliances) };
}

/** Played matches decide the format before the season does, because off-season events choose their own. */
function kindOf(season: number, count: number, games: readonly Match[]): BracketKind {
  const has = (test: (place: PlayoffPlace) => boolean) =>
    games.some(({ playoff }) => playoff !== null && test(playoff));
  if (season === AVERAGE_SEASON && has(({ round, game }) => round === "ef" && game > LONGEST_SET))
    return "averageScore";
  if (has(({ round }) => round === "ef")) return "bestOfThree";
  if (has(({ round, set }) => round === "sf" && set > 2)) return "doubleElimination";
  if (has(({ round, set }) => round === "qf" && set > 1)) return "bestOfThree";
  if (season === AVERAGE_SEASON) return count === 8 ? "averageScore" : "bestOfThree";
  return season >= DOUBLE_ELIMINATION_SEASON_MIN && count > 2 && count <= 8
    ? "doubleElimination"
    : "bestOfThree";
}

function planOf(kind: BracketKind, count: number): PlannedSet[] {
  if (kind === "doubleElimination") return doubleEliminationPlan(count > 4 ? 8 : 4);
  return bestOfThreePlan(BEST_OF_THREE_SIZES.find((size) => size >= count) ?? 16);
}

/** An empty side, so that the other side advances without a match. */
const NOBODY = 0;
/** An alliance number, NOBODY, or undefined while unknown. */
type Side = number | undefined;
type Settled = { winner: Side; loser: Side };

function bracketFrom(
  kind: BracketKind,
  plan: readonly PlannedSet[],
  alliances: readonly Alliance[],
  games: readonly Match[],
): Omit<Bracket, "pending"> {
  const allianceOf = allianceFinder(alliances);
  const count = alliances.length;
  const settled = new Map<string, Settled>();
  const sideFrom = (source: Source): Side => {
    if ("seed" in source) return source.seed <= count ? source.seed : NOBODY;
    if ("winnerOf" in source) return settled.get(source.winnerOf)?.winner;
    return settled.get(source.loserOf)?.loser;
  };
  const sets = plan.map((planned): BracketSet => {
    const played = gamesOf(planned, games);
    const [red, blue] = sidesOf(played, allianceOf, sideFrom(planned.red), sideFrom(planned.blue));
    const wins = (side: Side) =>
      played.filter((game) => side !== undefined && winnerIn(game, allianceOf) === side).length;
    const result = settle(red, blue, wins(red), wins(blue), planned.winsNeeded) ?? {
      winner: advancedUnseen(planned, plan, games, allianceOf, [red, blue]),
      loser: undefined,
    };
    const loser =
      result.loser ?? (result.winner === undefined ? undefined : result.winner === red ? blue : red);
    settled.set(planned.key, { winner: result.winner, loser });
    return {
      ...planned,
      red: red || null,
      blue: blue || null,
      redFrom: planned.red,
      blueFrom: planned.blue,
      redWins: wins(red),
      blueWins: wins(blue),
      winner: result.winner || null,
      loser: loser || null,
      games: played,
    };
  });
  const final = sets.at(-1);
  return {
    kind,
    sets,
    standings: [],
    champion: final?.winner ?? null,
    finalist: final?.loser ?? null,
  };
}

function settle(
  red: Side,
  blue: Side,
  redWins: number,
  blueWins: number,
  needed: number,
): Settled | undefined {
  if (red === NOBODY && blue === NOBODY) return { winner: NOBODY, loser: NOBODY };
  if (red === NOBODY || blue === NOBODY) return { winner: red === NOBODY ? blue : red, loser: NOBODY };
  if (redWins >= needed) return { winner: red, loser: blue };
  if (blueWins >= needed) return { winner: blue, loser: red };
  return undefined;
}

/** A tie can be decided by criteria that are not in the scores. The next set then shows the winner. */
function advancedUnseen(
  { key }: PlannedSet,
  plan: readonly PlannedSet[],
  games: readonly Match[],
  allianceOf: AllianceFinder,
  sides: readonly Side[],
): Side {
  const next = plan.find(({ red, blue }) =>
    [red, blue].some((source) => "winnerOf" in source && source.winnerOf === key),
  );
  if (next === undefined) return undefined;
  const seen = new Set(
    gamesOf(next, games).flatMap(({ teams }) => teams.map(({ teamNumber }) => allianceOf(teamNumber))),
  );
  return sides.find((side) => side !== undefined && side !== NOBODY && seen.has(side));
}

const gamesOf = ({ round, set }: PlannedSet, games: readonly Match[]): Match[] =>
  games
    .filter(({ playoff }) => playoff?.round === round && playoff.set === set)
    .sort((a, b) => (a.playoff?.game ?? 0) - (b.playoff?.game ?? 0));

/** Teams that played take precedence over the planned alliances. */
function sidesOf(games: readonly Match[], allianceOf: AllianceFinder, red: Side, blue: Side): [Side, Side] {
  const first = games[0];
  if (first === undefined) return [red, blue];
  const seated = (colour: "Red" | "Blue") =>
    first.teams
      .filter((team) => colourOf(team) === colour)
      .map(({ teamNumber }) => allianceOf(teamNumber))
      .find((number) => number !== undefined);
  return [seated("Red") ?? red, seated("Blue") ?? blue];
}

function winnerIn(game: Match, allianceOf: AllianceFinder): Side {
  const colour = findWinner(game);
  return game.teams
    .filter((team) => colourOf(team) === colour)
    .map(({ teamNumber }) => allianceOf(teamNumber))
    .find((number) => number !== undefined);
}

function pendingOf(
  season: number,
  sets: readonly BracketSet[],
  alliances: readonly Alliance[],
): PendingMatch[] {
  return sets.flatMap((set) => {
    const { winner, red, blue, games } = set;
    if (winner !== null || red === null || blue === null || games.some((game) => !isPlayed(game))) return [];
    const place = { round: set.round, set: set.set, game: (games.at(-1)?.playoff?.game ?? 0) + 1 };
    return [pendingMatchOf(place, playoffNumberOf(season, place), set, [red, blue], alliances)];
  });
}

/** An event with the format of another season also uses its match numbers. */
const numberingSeason = (season: number, kind: BracketKind): number =>
  kind === "doubleElimination"
    ? Math.max(season, DOUBLE_ELIMINATION_SEASON_MIN)
    : Math.min(season, DOUBLE_ELIMINATION_SEASON_MIN - 1);
