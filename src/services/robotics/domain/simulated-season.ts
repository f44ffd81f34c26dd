/** Simulated demo season: four district events, a championship and a half-played off-season event. */
import { bracketOf } from "./bracket.ts";
import { two } from "./calendar.ts";
import {
  type AwardEntry,
  type EnteredTeam,
  type EventDocument,
  type MatchEntry,
  mergedMatch,
  type TeamEntry,
} from "./entries.ts";
import type { Alliance, Match, TournamentType } from "./game.ts";
import { rankingsOf } from "./rankings.ts";
import { type Random, randomOf, type Strength, shuffled, simulatedMatch } from "./simulation.ts";

export const SIMULATED_SEASON = 2024;
export const SIMULATED_DISTRICT = "MED";
const TEAM_COUNT = 48;
const TEAMS_AT_EVENT = 24;
const ROUNDS = 8;
const ALLIANCES = 8;
const PLAYOFFS_MAX = 40;
const SEED = 20_240_106;

const PLACES = [
  "Alder Falls",
  "Birch Harbor",
  "Cedar Point",
  "Dogwood",
  "Elm Ridge",
  "Fir Valley",
  "Gorse Bay",
  "Hazel Creek",
];
const NAMES = [
  "Gear Foxes",
  "Circuit Otters",
  "Torque Herons",
  "Copper Wolves",
  "Solder Swifts",
  "Lever Lynxes",
  "Bolt Badgers",
  "Servo Storks",
];

type Team = { readonly entry: TeamEntry; readonly strength: Strength };
function teamsWith(random: Random): Team[] {
  return Array.from({ length: TEAM_COUNT }, (_, at) => {
    const teamNumber = 101 + at * 97;
    const city = PLACES[at % PLACES.length] ?? "";
    const name = NAMES[Math.floor(at / PLACES.length) % NAMES.length] ?? "";
    const rookieYear = teamNumber > 4500 ? SIMULATED_SEASON : 1997 + Math.floor(at / 2);
    return {
      entry: {
        teamNumber,
        nameShort: `${name} of ${city}`,
        nameFull: `${city} Tool Works & ${city} High School`,
        schoolName: `${city} High School`,
        city,
        stateProv: at % 3 === 0 ? "Westland" : "Eastland",
        country: "USA",
        website: `https://example.org/team/${teamNumber}`,
        rookieYear,
        robotName: `${name.split(" ")[0]} ${SIMULATED_SEASON}`,
        districtCode: SIMULATED_DISTRICT,
        homeCMP: "CMPTX",
        adjustmentPoints: at === 5 ? 2 : 0,
      },
      strength: { scoring: 0.15 + random() * 0.7, climbing: random() },
    };
  });
}

type Plan = {
  readonly code: string;
  readonly name: string;
  readonly type: TournamentType;
  readonly city: string;
  readonly day: string;
  /** Share of qualification matches that are played. With 1, the playoffs are played too. */
  readonly played: number;
};
const PLANS: readonly Plan[] = [
  {
    code: "MEALD",
    name: "Alder Falls District Event",
    type: "DistrictEvent",
    city: "Alder Falls",
    day: "2024-03-01",
    played: 1,
  },
  {
    code: "MEBIR",
    name: "Birch Harbor District Event",
    type: "DistrictEvent",
    city: "Birch Harbor",
    day: "2024-03-08",
    played: 1,
  },
  {
    code: "MECED",
    name: "Cedar Point District Event",
    type: "DistrictEvent",
    city: "Cedar Point",
    day: "2024-03-15",
    played: 1,
  },
  {
    code: "MEDOG",
    name: "Dogwood District Event",
    type: "DistrictEvent",
    city: "Dogwood",
    day: "2024-03-22",
    played: 1,
  },
  {
    code: "MECMP",
    name: "Medley District Championship",
    type: "DistrictChampionship",
    city: "Elm Ridge",
    day: "2024-04-05",
    played: 1,
  },
  {
    code: "MEOFF",
    name: "Autumn Off-Season Cup",
    type: "OffSeason",
    city: "Fir Valley",
    day: "2024-10-12",
    played: 0.5,
  },
];
/** Every team plays two events before the championship. */
const groupFor = (at: number, teams: readonly Team[]): readonly Team[] =>
  at % 2 === 0 ? teams.slice(0, TEAMS_AT_EVENT) : teams.slice(TEAMS_AT_EVENT);

const STATIONS = ["Red1", "Red2", "Red3", "Blue1", "Blue2", "Blue3"];
const MATCH_MINUTES = 7;
const timeOf = (day: string, hour: number, minutes: number): string => {
  const total = hour * 60 + minutes;
  return `${day}T${two(Math.floor(total / 60))}:${two(total % 60)}:00`;
};

class SimulatedEvent {
  readonly #plan: Plan;
  readonly #teams: ReadonlyMap<number, Strength>;
  readonly #random: Random;
  readonly entries: MatchEntry[] = [];

  constructor(plan: Plan, teams: readonly Team[], random: Random) {
    this.#plan = plan;
    this.#teams = new Map(teams.map(({ entry, strength }) => [entry.teamNumber, strength]));
    this.#random = random;
  }
  get numbers(): number[] {
    return [...this.#teams.keys()];
  }
  get matches(): Match[] {
    return this.entries.map((entry) => mergedMatch(SIMULATED_SEASON, undefined, entry));
  }
  #strengthsOf(teams: readonly EnteredTeam[], colour: string): Strength[] {
    return teams
      .filter(({ station }) => station.startsWith(colour))
      .flatMap(({ teamNumber }) => this.#teams.get(teamNumber) ?? []);
  }
  #played(entry: MatchEntry): MatchEntry {
    const teams = entry.teams ?? [];
    const score = simulatedMatch(
      this.#strengthsOf(teams, "Red"),
      this.#strengthsOf(teams, "Blue"),
      entry.tournamentLevel === "Qualification",
      this.#random,
    );
    const startTime = entry.startTime ?? null;
    return {
      ...entry,
      actualStartTime: startTime,
      postResultTime: startTime?.replace(":00", ":04") ?? null,
      ...score,
    };
  }
  playQualification(): void {
    const { day, played } = this.#plan;
    const seats = STATIONS.length;
    const total = (ROUNDS * this.#teams.size) / seats;
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = shuffled(this.numbers, this.#random);
      for (let at = 0; at < order.length; at += seats) {
        const matchNumber = this.entries.length + 1;
        const entry: MatchEntry = {
          tournamentLevel: "Qualification",
          matchNumber,
          startTime: timeOf(day, 9, (matchNumber - 1) * MATCH_MINUTES),
          teams: order.slice(at, at + seats).map((teamNumber, seat) => ({
            teamNumber,
            station: STATIONS[seat] ?? "",
            surrogate: false,
            dq: false,
          })),
        };
        this.entries.push(matchNumber <= total * played ? this.#played(entry) : entry);
      }
    }
  }
  /** Captains pick the best remaining team. The second round is in reverse order. */
  selection(): Alliance[] {
    const ranked = rankingsOf(SIMULATED_SEASON, this.matches).map(({ teamNumber }) => teamNumber);
    const captains = ranked.splice(0, ALLIANCES * 2);
    const first = captains.filter((_, at) => at % 2 === 1);
    const leaders = captains.filter((_, at) => at % 2 === 0);
    const second = ranked.splice(0, ALLIANCES).reverse();
    return leaders.map((captain, at) => ({
      number: at + 1,
      name: `Alliance ${at + 1}`,
      captain,
      round1: first[at] ?? null,
      round2: second[at] ?? null,
      round3: null,
      backup: null,
      backupReplaced: null,
    }));
  }
  /** Plays pending matches until there is a champion. */
  playPlayoffs(alliances: readonly Alliance[]): {
    readonly champion: number | null;
    readonly finalist: number | null;
  } {
    const playoffs: MatchEntry[] = [];
    for (let at = 0; at < PLAYOFFS_MAX; at += 1) {
      const known = playoffs.map((entry) => mergedMatch(SIMULATED_SEASON, undefined, entry));
      const { pending, champion, finalist } = bracketOf(SIMULATED_SEASON, alliances, known);
      const [next] = pending;
      if (champion !== null || !next) {
        this.entries.push(...playoffs);
        return { champion, finalist };
      }
      playoffs.push(
        this.#played({
          tournamentLevel: "Playoff",
          ...next,
          startTime: timeOf(this.#plan.day, 14, playoffs.length * MATCH_MINUTES),
        }),
      );
    }
    throw new Error("a simulated bracket has no end");
  }
}

const membersOf = (alliance: Alliance | undefined): number[] =>
  alliance ? [alliance.captain, alliance.round1, alliance.round2].flatMap((team) => team ?? []) : [];

function awardsOf(
  { type }: Plan,
  alliances: readonly Alliance[],
  { champion, finalist }: { champion: number | null; finalist: number | null },
  others: readonly number[],
): AwardEntry[] {
  const kind = type === "DistrictChampionship" ? "District Championship" : "District Event";
  const of = (number: number | null) => membersOf(alliances.find((one) => one.number === number));
  const each = (awardId: number, name: string, teams: readonly number[]): AwardEntry[] =>
    teams.map((teamNumber, at) => ({ awardId, series: at + 1, name, teamNumber, person: null }));
  return [
    ...each(1, `${kind} Winner`, of(champion)),
    ...each(2, `${kind} Finalist`, of(finalist)),
    ...each(0, `${kind} FIRST Impact Award`, others.slice(0, 1)),
    ...each(9, `${kind} Engineering Inspiration Award`, others.slice(1, 2)),
    ...each(10, "Rookie All Star Award", others.slice(2, 3)),
    ...each(17, "Quality Award", others.slice(3, 4)),
    ...each(20, "Creativity Award", others.slice(4, 5)),
    { awardId: 5, series: 1, name: "Volunteer of the Year", teamNumber: null, person: "Ann Example" },
  ];
}

function documentOf(plan: Plan, teams: readonly Team[], random: Random): EventDocument {
  const event = new SimulatedEvent(plan, teams, random);
  event.playQualification();
  const alliances = plan.played === 1 ? event.selection() : undefined;
  const outcome = alliances && event.playPlayoffs(alliances);
  return {
    eventCode: plan.code,
    event: {
      name: plan.name,
      type: plan.type,
      districtCode: plan.type === "OffSeason" ? null : SIMULATED_DISTRICT,
      venue: `${plan.city} Arena`,
      address: "1 Main Street",
      city: plan.city,
      stateprov: "Eastland",
      country: "USA",
      timezone: "Eastern Standard Time",
      website: `https://example.org/events/${plan.code.toLowerCase()}`,
      webcasts: [`https://example.org/live/${plan.code.toLowerCase()}`],
      dateStart: `${plan.day}T00:00:00`,
      dateEnd: `${plan.day}T23:59:59`,
    },
    teams: event.numbers,
    matches: event.entries,
    ...(alliances &&
      outcome && { alliances, awards: awardsOf(plan, alliances, outcome, shuffled(event.numbers, random)) }),
  };
}

export type SimulatedSeason = {
  readonly teams: readonly TeamEntry[];
  readonly events: readonly EventDocument[];
};

/** The best teams of the district events, by wins, play its championship. */
export function simulatedSeason(): SimulatedSeason {
  const random = randomOf(SEED);
  const teams = teamsWith(random);
  const events: EventDocument[] = [];
  for (const [at, plan] of PLANS.entries()) {
    const present =
      plan.type === "DistrictEvent"
        ? groupFor(at, teams)
        : [...teams].sort(byStrength).slice(0, TEAMS_AT_EVENT);
    events.push(documentOf(plan, present, random));
  }
  return { teams: teams.map(({ entry }) => entry), events };
}
const byStrength = (a: Team, b: Team): number =>
  b.strength.scoring + b.strength.climbing - (a.strength.scoring + a.strength.climbing);
