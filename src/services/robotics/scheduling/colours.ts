/** Assigns colours to alliances and stations to teams, balanced over all matches of a team. */
import type { Random } from "./random.ts";
import type { Seating } from "./seating.ts";

/** Seats by station. */
export type ColouredMatch = { red: number[]; blue: number[] };

const PASSES_MAX = 60;

export function balanceColours(seating: Seating, teams: number, random: Random): ColouredMatch[] {
  const { seats, seatsPerMatch, perAlliance } = seating;
  const matches = Array.from({ length: seats.length / seatsPerMatch }, (_, match): ColouredMatch => {
    const seat = (at: number) => match * seatsPerMatch + at;
    const side = (from: number) => Array.from({ length: perAlliance }, (_, at) => seat(from + at));
    return { red: side(0), blue: side(perAlliance) };
  });
  const teamAt = (seat: number) => seats[seat] as number;
  evenColours(matches, teams, teamAt, random);
  evenStations(matches, teams, perAlliance, teamAt);
  return matches;
}

const TURNS_PER_MATCH = 400;
const TEMPERATURE_FIRST = 8;
const TEMPERATURE_LAST = 0.5;

/** Swaps colours of matches by simulated annealing, to balance red and blue for every team. */
function evenColours(
  matches: ColouredMatch[],
  teams: number,
  teamAt: (seat: number) => number,
  random: Random,
): void {
  /** Number of red matches minus blue matches. */
  const balances = new Int16Array(teams);
  const add = (seats: readonly number[], by: number) => {
    for (const seat of seats) balances[teamAt(seat)] = (balances[teamAt(seat)] as number) + by;
  };
  const costOf = (seats: readonly number[], by: number) =>
    seats.reduce((sum, seat) => sum + 2 * by * (balances[teamAt(seat)] as number) + by * by, 0);
  for (const { red, blue } of matches) {
    add(red, 1);
    add(blue, -1);
  }
  const turns = TURNS_PER_MATCH * matches.length;
  const cooling = (TEMPERATURE_LAST / TEMPERATURE_FIRST) ** (1 / turns);
  let temperature = TEMPERATURE_FIRST;
  for (let turn = 0; turn < turns; turn += 1) {
    temperature *= cooling;
    const match = matches[random.below(matches.length)] as ColouredMatch;
    const worse = costOf(match.red, -2) + costOf(match.blue, 2);
    if (worse > 0 && random.fraction() >= Math.exp(-worse / temperature)) continue;
    add(match.red, -2);
    add(match.blue, 2);
    [match.red, match.blue] = [match.blue, match.red];
  }
}

/** Swaps two stations of an alliance while this balances the stations of its teams. */
function evenStations(
  matches: ColouredMatch[],
  teams: number,
  perAlliance: number,
  teamAt: (seat: number) => number,
): void {
  const counts = new Int16Array(teams * perAlliance);
  const at = (seat: number, station: number) => teamAt(seat) * perAlliance + station;
  const add = (side: readonly number[], by: number) =>
    side.forEach((seat, station) => {
      counts[at(seat, station)] = (counts[at(seat, station)] as number) + by;
    });
  const sides = matches.flatMap(({ red, blue }) => [red, blue]);
  for (const side of sides) add(side, 1);
  const often = (seat: number, station: number) => counts[at(seat, station)] as number;
  const exchange = (side: number[], a: number, b: number): boolean => {
    const [first, second] = [side[a] as number, side[b] as number];
    const gain = often(first, a) + often(second, b) - often(first, b) - often(second, a);
    if (gain <= 2) return false;
    add(side, -1);
    [side[a], side[b]] = [second, first];
    add(side, 1);
    return true;
  };
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    let isBetter = false;
    for (const side of sides)
      for (let a = 0; a < perAlliance; a += 1)
        for (let b = a + 1; b < perAlliance; b += 1) isBetter = exchange(side, a, b) || isBetter;
    if (!isBetter) return;
  }
}
