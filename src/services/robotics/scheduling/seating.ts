/** Seats of teams in matches during the search, and their cost. */

/**
 * Each round has every team once. Surrogates play twice in the third round, so that their extra match is
 * their third.
 */
const SURROGATE_ROUND = 2;

export type Seating = {
  /** Team index of each seat. Seats of a match are adjacent, red before blue. */
  readonly seats: Int16Array;
  /** Start of each round, plus the end of the last round. */
  readonly rounds: readonly number[];
  readonly seatsPerMatch: number;
  readonly perAlliance: number;
  readonly surrogates: readonly number[];
};

/** Seats that do not count: a surrogate's first seat in the round where it plays twice. */
export function surrogateSeats({ seats, rounds, surrogates }: Seating): Set<number> {
  const round = Math.min(SURROGATE_ROUND, rounds.length - 2);
  const [from, to] = [rounds[round] ?? 0, rounds[round + 1] ?? 0];
  return new Set(surrogates.map((team) => from + seats.subarray(from, to).indexOf(team)));
}

/** The same order in every round gives each team the largest possible gaps. */
export function firstSeating(order: readonly number[], matchesPerTeam: number, perAlliance: number): Seating {
  const seatsPerMatch = 2 * perAlliance;
  const beyond = (order.length * matchesPerTeam) % seatsPerMatch;
  const extra = beyond === 0 ? 0 : seatsPerMatch - beyond;
  const seatingWith = (first: number, place: number): Seating => {
    const surrogates = order.slice(first, first + extra);
    const longer = [...order.slice(0, place), ...surrogates, ...order.slice(place)];
    const rounds = [0];
    const all: number[] = [];
    for (let round = 0; round < matchesPerTeam; round += 1) {
      all.push(...(round === Math.min(SURROGATE_ROUND, matchesPerTeam - 1) ? longer : order));
      rounds.push(all.length);
    }
    return { seats: Int16Array.from(all), rounds, seatsPerMatch, perAlliance, surrogates };
  };
  // An offset of half a round gives surrogates the largest gap.
  const usual = seatingWith(0, Math.floor((order.length + extra) / 2));
  if (leastGap(usual) > 0) return usual;
  for (let first = 0; first + extra <= order.length; first += 1)
    for (let place = 0; place <= order.length; place += 1) {
      const seating = seatingWith(first, place);
      if (leastGap(seating) > 0) return seating;
    }
  throw new RangeError("So few teams cannot play so many matches without meeting themselves.");
}

/** Smallest gap between matches of a team; 0 if a team has two seats in one match. */
export function leastGap({ seats, seatsPerMatch }: Seating): number {
  const last = new Map<number, number>();
  let least = Number.POSITIVE_INFINITY;
  seats.forEach((team, seat) => {
    const match = Math.floor(seat / seatsPerMatch);
    least = Math.min(least, match - (last.get(team) ?? Number.NEGATIVE_INFINITY));
    last.set(team, match);
  });
  return least;
}

/** A pair that meets n times costs n(n-1)/2 units: 0, 1, 3, 6 … */
export class Meetings {
  readonly #teams: number;
  readonly #partners: Uint8Array;
  readonly #opponents: Uint8Array;
  readonly #partnerWeight: number;
  readonly #opponentWeight: number;
  readonly #seating: Seating;
  cost = 0;

  constructor(teams: number, seating: Seating, weights: { partner: number; opponent: number }) {
    this.#teams = teams;
    this.#seating = seating;
    this.#partners = new Uint8Array(teams * teams);
    this.#opponents = new Uint8Array(teams * teams);
    this.#partnerWeight = weights.partner;
    this.#opponentWeight = weights.opponent;
    const { seats } = seating;
    const order = Int16Array.from(seats);
    seats.fill(-1);
    for (let seat = 0; seat < order.length; seat += 1) this.#sit(seat, order[seat] as number);
  }

  swap(seat: number, other: number): void {
    const { seats } = this.#seating;
    const team = seats[seat] as number;
    const otherTeam = seats[other] as number;
    this.#rise(seat);
    this.#rise(other);
    this.#sit(seat, otherTeam);
    this.#sit(other, team);
  }

  #rise(seat: number): void {
    const { seats } = this.#seating;
    const team = seats[seat] as number;
    seats[seat] = -1;
    this.#change(seat, team, -1);
  }
  #sit(seat: number, team: number): void {
    this.#change(seat, team, 1);
    this.#seating.seats[seat] = team;
  }

  #change(seat: number, team: number, by: 1 | -1): void {
    const { seats, seatsPerMatch, perAlliance } = this.#seating;
    const first = seat - (seat % seatsPerMatch);
    const isRed = seat - first < perAlliance;
    for (let at = 0; at < seatsPerMatch; at += 1) {
      const present = seats[first + at] as number;
      if (present < 0 || first + at === seat) continue;
      const isPartner = at < perAlliance === isRed;
      const counts = isPartner ? this.#partners : this.#opponents;
      const pair = team < present ? team * this.#teams + present : present * this.#teams + team;
      const count = counts[pair] as number;
      counts[pair] = count + by;
      const repetitions = by === 1 ? count : count - 1;
      this.cost += by * repetitions * (isPartner ? this.#partnerWeight : this.#opponentWeight);
    }
  }
}
