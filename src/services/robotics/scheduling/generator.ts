/** Generates a balanced qualification schedule by simulated annealing. The result is deterministic. */
import { balanceColours } from "./colours.ts";
import { type ScheduleFigures, scheduleFigures } from "./figures.ts";
import { createRandom, type Random, shuffled } from "./random.ts";
import { firstSeating, leastGap, Meetings, type Seating, surrogateSeats } from "./seating.ts";

export type ScheduleRequest = {
  readonly teamNumbers: readonly number[];
  readonly matchesPerTeam: number;
  /** Robots per alliance; default three. */
  readonly perAlliance?: number;
  /**
   * Minimum distance between matches of a team; 1 allows consecutive matches. The default depends on the
   * team count.
   */
  readonly minimumGap?: number;
  readonly seed?: number;
  /** Search effort, in thousands of tries per seat. */
  readonly effort?: number;
};

export type ScheduledTeam = { readonly teamNumber: number; readonly surrogate: boolean };
export type ScheduledMatch = {
  readonly matchNumber: number;
  readonly red: readonly ScheduledTeam[];
  readonly blue: readonly ScheduledTeam[];
};
export type GeneratedSchedule = {
  readonly matches: readonly ScheduledMatch[];
  readonly figures: ScheduleFigures;
};

const EFFORT_DEFAULT = 3;
const TRIES_PER_EFFORT_AND_SEAT = 1000;
/** Repeated partners cost more than repeated opponents. */
const WEIGHTS = { partner: 3, opponent: 1 };
const TEMPERATURE_FIRST = 1.5;
const TEMPERATURE_LAST = 0.12;

export function generateSchedule(request: ScheduleRequest): GeneratedSchedule {
  const { teamNumbers, matchesPerTeam, perAlliance = 3, seed = 1, effort = EFFORT_DEFAULT } = request;
  const random = createRandom(seed);
  const teams = teamNumbers.length;
  const seating = firstSeating(
    shuffled(
      teamNumbers.map((_, index) => index),
      random,
    ),
    matchesPerTeam,
    perAlliance,
  );
  const gap = Math.min(request.minimumGap ?? usualGap(teams, perAlliance), leastGap(seating));
  anneal(seating, teams, gap, effort, random);
  const matches = matchesFrom(seating, teamNumbers, random);
  return { matches, figures: scheduleFigures(matches) };
}

/** Half a round between matches of a team, which leaves room for swaps within a round. */
export const usualGap = (teams: number, perAlliance: number): number =>
  Math.max(1, Math.floor(teams / (4 * perAlliance)));

function anneal(seating: Seating, teams: number, gap: number, effort: number, random: Random): void {
  const meetings = new Meetings(teams, seating, WEIGHTS);
  const gaps = new Gaps(seating, teams, gap);
  const { rounds, seats } = seating;
  const tries = Math.round(effort * TRIES_PER_EFFORT_AND_SEAT * seats.length);
  const cooling = (TEMPERATURE_LAST / TEMPERATURE_FIRST) ** (1 / tries);
  let temperature = TEMPERATURE_FIRST;
  for (let attempt = 0; attempt < tries && meetings.cost > 0; attempt += 1) {
    temperature *= cooling;
    const seat = random.below(seats.length);
    const round = roundAt(rounds, seat);
    const from = rounds[round] as number;
    const other = from + random.below((rounds[round + 1] as number) - from);
    if (seats[seat] === seats[other] || !gaps.allowSwap(seat, other)) continue;
    const before = meetings.cost;
    meetings.swap(seat, other);
    const worse = meetings.cost - before;
    if (worse <= 0 || random.fraction() < Math.exp(-worse / temperature)) gaps.swapped(seat, other);
    else meetings.swap(seat, other);
  }
}

function roundAt(rounds: readonly number[], seat: number): number {
  let round = 0;
  while ((rounds[round + 1] as number) <= seat) round += 1;
  return round;
}

/** Tracks each team's matches, to check that a swap keeps the minimum gap. */
class Gaps {
  readonly #seatsPerMatch: number;
  readonly #gap: number;
  readonly #seats: Int16Array;
  /** Seats of each team. */
  readonly #places: number[][];

  constructor({ seats, seatsPerMatch }: Seating, teams: number, gap: number) {
    this.#seatsPerMatch = seatsPerMatch;
    this.#gap = gap;
    this.#seats = seats;
    this.#places = Array.from({ length: teams }, () => []);
    seats.forEach((team, seat) => {
      this.#places[team]?.push(seat);
    });
  }

  /** Call it before the swap. */
  allowSwap(seat: number, other: number): boolean {
    const team = this.#seats[seat] as number;
    const otherTeam = this.#seats[other] as number;
    return this.#allow(team, seat, other) && this.#allow(otherTeam, other, seat);
  }
  /** Call it after the swap. */
  swapped(seat: number, other: number): void {
    this.#move(this.#seats[other] as number, seat, other);
    this.#move(this.#seats[seat] as number, other, seat);
  }

  #allow(team: number, from: number, to: number): boolean {
    const match = Math.floor(to / this.#seatsPerMatch);
    for (const place of this.#places[team] as number[])
      if (place !== from && Math.abs(Math.floor(place / this.#seatsPerMatch) - match) < this.#gap)
        return false;
    return true;
  }
  #move(team: number, from: number, to: number): void {
    const places = this.#places[team] as number[];
    places[places.indexOf(from)] = to;
  }
}

function matchesFrom(seating: Seating, teamNumbers: readonly number[], random: Random): ScheduledMatch[] {
  const surrogates = surrogateSeats(seating);
  const teamsAt = (seats: readonly number[]) =>
    seats.map((seat) => ({
      teamNumber: teamNumbers[seating.seats[seat] as number] as number,
      surrogate: surrogates.has(seat),
    }));
  return balanceColours(seating, teamNumbers.length, random).map(({ red, blue }, index) => ({
    matchNumber: index + 1,
    red: teamsAt(red),
    blue: teamsAt(blue),
  }));
}
