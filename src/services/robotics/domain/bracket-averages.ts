/** Playoffs of 2015: alliances advanced by average score up to the final, which was best of three. */
import type { Bracket, BracketSet, PendingMatch, Standing } from "./bracket-shape.ts";
import type { Alliance, Match, PlayoffPlace } from "./game.ts";
import { colourOf, findWinner, isPlayed } from "./outcomes.ts";
import { type AllianceFinder, allianceFinder, pendingMatchOf } from "./pending-matches.ts";
import { playoffNumberOf } from "./playoff-numbers.ts";
import { averageOf } from "./rankings.ts";

type Pair = readonly [red: number, blue: number];

/** Seeds in the order of play. */
const QUARTERFINALS: readonly Pair[] = [
  [4, 5],
  [3, 6],
  [2, 7],
  [1, 8],
  [4, 6],
  [3, 5],
  [2, 8],
  [1, 7],
];
/** Places after the quarterfinals. */
const SEMIFINALS: readonly Pair[] = [
  [2, 3],
  [1, 4],
  [2, 4],
  [1, 3],
  [3, 4],
  [1, 2],
];
const FINAL: Pair = [1, 2];
const ADVANCING_FROM_QUARTERFINALS = 4;

export function averageBracketOf(
  season: number,
  alliances: readonly Alliance[],
  games: readonly Match[],
): Bracket {
  const eighthfinals = eighthfinalsOf(alliances, games);
  const seeds = eighthfinals.advancing;
  const quarterfinals = roundOf("qf", QUARTERFINALS, seeds, alliances, games);
  const semifinalists = quarterfinals.isOver
    ? quarterfinals.standings.slice(0, ADVANCING_FROM_QUARTERFINALS).map(({ alliance }) => alliance)
    : [];
  const semifinals = roundOf("sf", SEMIFINALS, semifinalists, alliances, games);
  const finalists = semifinals.isOver ? semifinals.standings.map(({ alliance }) => alliance) : [];
  const final = finalOf(finalists, alliances, games);
  const upcoming = [...quarterfinals.upcoming, ...semifinals.upcoming, ...final.upcoming];
  return {
    kind: "averageScore",
    sets: [...eighthfinals.sets, ...quarterfinals.sets, ...semifinals.sets, final.set],
    standings: [
      ...(eighthfinals.sets.length > 0 ? [{ name: "Eighthfinals", rows: eighthfinals.standings }] : []),
      { name: "Quarterfinals", rows: quarterfinals.standings },
      { name: "Semifinals", rows: semifinals.standings },
    ],
    champion: final.set.winner,
    finalist: final.set.loser,
    pending: upcoming.map(({ place, sides, label }): PendingMatch => {
      const planned = { label, column: "Average", winsNeeded: 1 };
      return pendingMatchOf(place, playoffNumberOf(season, place), planned, sides, alliances);
    }),
  };
}

const ADVANCING_FROM_EIGHTHFINALS = 8;
/**
 * Events with more than eight alliances started with eighth-finals in varying pairs. The played matches
 * define them.
 */
function eighthfinalsOf(
  alliances: readonly Alliance[],
  games: readonly Match[],
): { sets: BracketSet[]; standings: Standing[]; advancing: readonly number[] } {
  const seeds = alliances.map(({ number }) => number);
  const own = games.filter(({ playoff }) => playoff?.round === "ef");
  if (own.length === 0) return { sets: [], standings: [], advancing: seeds };
  const allianceOf = allianceFinder(alliances);
  const standings = standingsOf(seeds, own, allianceOf);
  const sideIn = (game: Match, colour: "Red" | "Blue"): number | undefined => {
    const team = game.teams.find((one) => colourOf(one) === colour);
    return team && allianceOf(team.teamNumber);
  };
  const byNumber = own.toSorted((a, b) => (a.playoff?.game ?? 0) - (b.playoff?.game ?? 0));
  const sets = byNumber.map((game) => {
    const place: PlayoffPlace = { round: "ef", set: 1, game: game.playoff?.game ?? 1 };
    const sides = [sideIn(game, "Red"), sideIn(game, "Blue")] as const;
    const pair: Pair = [sides[0] ?? 0, sides[1] ?? 0];
    return setOf(place, `Eighthfinal ${place.game}`, "Eighthfinals", [game], sides, pair, allianceOf);
  });
  const best = standings.slice(0, ADVANCING_FROM_EIGHTHFINALS).map(({ alliance }) => alliance);
  return { sets, standings, advancing: own.every(isPlayed) ? best : [] };
}

type Upcoming = { place: PlayoffPlace; sides: Pair; label: string };

function roundOf(
  round: "qf" | "sf",
  pairs: readonly Pair[],
  seeds: readonly number[],
  alliances: readonly Alliance[],
  games: readonly Match[],
): { sets: BracketSet[]; standings: Standing[]; isOver: boolean; upcoming: Upcoming[] } {
  const name = round === "qf" ? "Quarterfinal" : "Semifinal";
  const allianceOf = allianceFinder(alliances);
  const entries = pairs.map(([redSeed, blueSeed], index) => {
    const place: PlayoffPlace = { round, set: 1, game: index + 1 };
    const played = games.filter(({ playoff }) => playoff?.round === round && playoff.game === index + 1);
    const sides = [seeds[redSeed - 1], seeds[blueSeed - 1]] as const;
    return { place, played, sides, label: `${name} ${index + 1}`, pair: [redSeed, blueSeed] as Pair };
  });
  const upcoming = entries.flatMap(({ played, place, sides: [red, blue], label }): Upcoming[] =>
    played.length > 0 || red === undefined || blue === undefined
      ? []
      : [{ place, sides: [red, blue], label }],
  );
  return {
    sets: entries.map(({ played, sides, label, pair, place }) =>
      setOf(place, label, `${name}s`, played, sides, pair, allianceOf),
    ),
    standings: standingsOf(
      seeds,
      games.filter(({ playoff }) => playoff?.round === round),
      allianceOf,
    ),
    isOver:
      upcoming.length === 0 && entries.every(({ played }) => played.length > 0 && played.every(isPlayed)),
    upcoming,
  };
}

function setOf(
  { round, game }: PlayoffPlace,
  label: string,
  column: string,
  games: readonly Match[],
  [red, blue]: readonly [number | undefined, number | undefined],
  [redSeed, blueSeed]: Pair,
  allianceOf: AllianceFinder,
): BracketSet {
  const wins = (side: number | undefined) =>
    games.filter((game) => side !== undefined && winnerIn(game, allianceOf) === side).length;
  return {
    key: `${round}${game}`,
    round,
    set: 1,
    label,
    column,
    isLower: false,
    winsNeeded: round === "f" ? 2 : 1,
    red: red ?? null,
    blue: blue ?? null,
    redFrom: { seed: redSeed },
    blueFrom: { seed: blueSeed },
    redWins: wins(red),
    blueWins: wins(blue),
    winner: null,
    loser: null,
    games,
  };
}

function winnerIn(game: Match, allianceOf: AllianceFinder): number | undefined {
  const colour = findWinner(game);
  const winner = game.teams.find((team) => colourOf(team) === colour);
  return winner && allianceOf(winner.teamNumber);
}

/** Best average first. The higher seed breaks ties. */
function standingsOf(
  seeds: readonly number[],
  games: readonly Match[],
  allianceOf: AllianceFinder,
): Standing[] {
  const scores = new Map<number, number[]>(seeds.map((number) => [number, []]));
  for (const game of games.filter(isPlayed))
    for (const colour of ["Red", "Blue"] as const) {
      const team = game.teams.find((one) => colourOf(one) === colour);
      const alliance = team && allianceOf(team.teamNumber);
      if (alliance === undefined) continue;
      scores.set(alliance, [
        ...(scores.get(alliance) ?? []),
        (colour === "Red" ? game.red : game.blue).final,
      ]);
    }
  return [...scores]
    .map(([alliance, own]) => ({
      alliance,
      played: own.length,
      average: averageOf(
        own.reduce((sum, score) => sum + score, 0),
        own.length,
      ),
    }))
    .sort((a, b) => b.average - a.average || seeds.indexOf(a.alliance) - seeds.indexOf(b.alliance));
}

function finalOf(
  finalists: readonly number[],
  alliances: readonly Alliance[],
  games: readonly Match[],
): { set: BracketSet; upcoming: Upcoming[] } {
  const played = games
    .filter(({ playoff }) => playoff?.round === "f")
    .sort((a, b) => (a.playoff?.game ?? 0) - (b.playoff?.game ?? 0));
  const [red, blue] = finalists;
  const open = setOf(
    { round: "f", set: 1, game: 1 },
    "Final",
    "Final",
    played,
    [red, blue],
    FINAL,
    allianceFinder(alliances),
  );
  const winner = open.redWins >= 2 ? open.red : open.blueWins >= 2 ? open.blue : null;
  const isWaiting = played.some((game) => !isPlayed(game));
  return {
    set: { ...open, winner, loser: winner === null ? null : winner === open.red ? open.blue : open.red },
    upcoming:
      winner !== null || isWaiting || red === undefined || blue === undefined
        ? []
        : [
            {
              place: { round: "f", set: 1, game: (played.at(-1)?.playoff?.game ?? 0) + 1 },
              sides: [red, blue],
              label: "Final",
            },
          ],
  };
}
