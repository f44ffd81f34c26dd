/** Schemas of PUT bodies and import lines. */
import { type TInteger, Type } from "@sinclair/typebox";
import { byKind, described, given, words } from "#kernel/shape";
import { LABELS_FROM } from "../domain/archive.ts";
import { PLAYOFF_ROUNDS, TOURNAMENT_LEVELS, TOURNAMENT_TYPES } from "../domain/game.ts";

const text = (description: string, example: string, maxLength = 500) =>
  given(Type.String({ maxLength, description, examples: [example] }));
const nullableText = (description: string, example: string, maxLength = 500) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description, examples: [example] }));
const localTime = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: 30, format: "date-time-local" }), Type.Null()], {
      description: `${description} Local, without a zone; null for not known.`,
      examples: ["2024-03-02T09:00:00"],
    }),
  );
const POINTS_MAX = 1_000_000;
const TEAM_MAX = 99_999;
const LABELS_MAX = 100;
const team = Type.Integer({ minimum: 1, maximum: TEAM_MAX });
/** In import lines, a number from `LABELS_FROM` on is a robot with a letter, by its index in `labels`. */
const teamOrLabel = Type.Integer({ minimum: 1, maximum: LABELS_FROM + LABELS_MAX });
const maybeTeam = (description: string, one: TInteger, example: number | null) =>
  Type.Optional(Type.Union([one, Type.Null()], { description, examples: [example] }));
const points = (description: string, example: number) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: -POINTS_MAX, maximum: POINTS_MAX }), Type.Null()], {
      description,
      examples: [example],
    }),
  );

export const SeasonBody = Type.Object({
  gameName: text("What the season's game is called.", "Crescendo", 200),
  kickoff: given(
    Type.String({
      format: "date-time",
      maxLength: 40,
      description: "When the game was made known.",
      examples: ["2024-01-06T17:00:00Z"],
    }),
  ),
  rookieStart: given(
    Type.Integer({
      minimum: 0,
      maximum: TEAM_MAX,
      description: "The lowest number of a new team; 0 to look for it among the season's teams.",
      examples: [9400],
    }),
  ),
  frcChampionships: given(
    Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 200 }),
        startDate: Type.String({ maxLength: 30, format: "date-time-local" }),
        location: Type.String({ maxLength: 200 }),
      }),
      {
        maxItems: 10,
        description: "The championships; without them, the season's events of that kind are told.",
        examples: [
          [{ name: "Championship", startDate: "2024-04-17T00:00:00", location: "Houston, TX, USA" }],
        ],
      },
    ),
  ),
});

const PLACES_MAX = 1000;
export const DistrictBody = Type.Object({
  name: text("What the district is called.", "Pacific Northwest", 200),
  districtChampionshipPlaces: given(
    Type.Integer({
      minimum: 0,
      maximum: PLACES_MAX,
      description: "How many of its teams go to its championship.",
      examples: [50],
    }),
  ),
  championshipPlaces: given(
    Type.Integer({
      minimum: 0,
      maximum: PLACES_MAX,
      description: "How many of its teams go on to the world championship.",
      examples: [20],
    }),
  ),
});

export const EventBody = Type.Object({
  name: text("What the event is called.", "Silicon Valley Regional", 200),
  type: given(described(words(TOURNAMENT_TYPES), "The kind of event.", "Regional")),
  districtCode: nullableText("The district it belongs to; null for none.", "PNW", 10),
  divisionCode: nullableText("The event that it is a division of; null for none.", "CMPTX", 20),
  venue: nullableText("Where it takes place.", "Event Center", 200),
  address: nullableText("Street and number.", "290 South 7th Street"),
  city: nullableText("The city.", "San Jose", 200),
  stateprov: nullableText("The state or province.", "CA", 100),
  country: nullableText("The country.", "USA", 100),
  timezone: nullableText("The time zone that its times are in.", "Pacific Standard Time", 100),
  website: nullableText("Its address on the web.", "https://example.org/casj"),
  webcasts: Type.Optional(
    Type.Union([Type.Array(Type.Unknown(), { maxItems: 20 }), Type.Null()], {
      description: "Where it can be watched.",
      examples: [["https://example.org/live"]],
    }),
  ),
  dateStart: localTime("When it begins."),
  dateEnd: localTime("When it ends."),
});

/** An image of 40 by 40 pixels has about two kilobytes. */
const AVATAR_LENGTH_MAX = 100_000;
const told = {
  nameShort: nullableText("What the team is called.", "The Cheesy Poofs", 200),
  nameFull: nullableText("Its name with all sponsors.", "NASA Ames & Bellarmine College Preparatory", 5000),
  schoolName: nullableText("Its school.", "Bellarmine College Preparatory", 1000),
  city: nullableText("The city it is from.", "San Jose", 200),
  stateProv: nullableText("The state or province it is from.", "California", 100),
  country: nullableText("The country it is from.", "USA", 100),
  website: nullableText("Its address on the web.", "https://example.org/254"),
  rookieYear: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 9999 }), Type.Null()], {
      description: "Its first season.",
      examples: [1999],
    }),
  ),
  robotName: nullableText("What its robot is called.", "Vortex", 200),
  districtCode: nullableText("The district it belongs to; null for none.", "PNW", 10),
  homeCMP: nullableText("The championship that it goes to.", "CMPTX", 20),
  adjustmentPoints: given(
    Type.Integer({
      minimum: -1000,
      maximum: 1000,
      description: "Points added to its district total by hand.",
      examples: [0],
    }),
  ),
  encodedAvatar: Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: AVATAR_LENGTH_MAX, pattern: "^iVBORw0KGgo[A-Za-z0-9+/]*={0,2}$" }),
        Type.Null(),
      ],
      { description: "Its picture, a PNG in base64; null for none.", examples: ["iVBORw0KGgo="] },
    ),
  ),
};
export const TeamBody = Type.Object(told);
const TeamLine = Type.Object({ teamNumber: team, ...told });

const TEAMS_MAX = 500;
export const EventTeamsBody = Type.Object({
  teams: Type.Array(team, {
    maxItems: TEAMS_MAX,
    description: "The numbers of all teams that come.",
    examples: [[254, 971, 1678]],
  }),
});

const teamsOf = (one: TInteger) =>
  given(
    Type.Array(
      Type.Object({
        teamNumber: one,
        station: Type.String({ pattern: "^(?:Red|Blue)[1-4]$" }),
        surrogate: Type.Optional(Type.Boolean()),
        dq: Type.Optional(Type.Boolean()),
      }),
      {
        maxItems: 8,
        description: "Who plays where: `Red1` to `Blue4`.",
        examples: [[{ teamNumber: 254, station: "Red1", surrogate: false }]],
      },
    ),
  );
const playoff = given(
  Type.Object(
    {
      round: Type.Union(
        PLAYOFF_ROUNDS.map((round) => Type.Literal(round)),
        { description: "Eighth-, quarter-, semi-finals or the final.", examples: ["qf"] },
      ),
      set: Type.Integer({
        minimum: 1,
        maximum: 99,
        description: "Which pair of alliances of the round.",
        examples: [1],
      }),
      game: Type.Integer({
        minimum: 1,
        maximum: 99,
        description: "Which match of the pair.",
        examples: [1],
      }),
    },
    {
      description: "Where in the bracket; without it, the number tells.",
      examples: [{ round: "qf", set: 1, game: 1 }],
    },
  ),
);
const plannedWith = (one: TInteger) => ({
  description: text("What the match is called.", "Qualification 12", 100),
  playoff,
  startTime: localTime("When it is to begin."),
  teams: teamsOf(one),
});
const planned = plannedWith(team);
/** Score details of the season, with limits on depth and length. */
const ScoreDetails = Type.Object(
  {
    alliances: Type.Optional(
      Type.Array(Type.Object({ alliance: words(["Red", "Blue"]) }, { additionalProperties: true }), {
        maxItems: 2,
      }),
    ),
  },
  { maxProperties: 200, additionalProperties: true },
);
const result = {
  actualStartTime: localTime("When it began."),
  postResultTime: localTime("When its result was made known."),
  matchVideoLink: nullableText("Where it can be seen.", "https://example.org/watch/12"),
  scoreRedFinal: points("The red alliance's score; null takes a result back.", 120),
  scoreRedFoul: points("Of that, for fouls of the other side.", 5),
  scoreRedAuto: points("Of that, from the autonomous period.", 32),
  scoreBlueFinal: points("The blue alliance's score; null takes a result back.", 87),
  scoreBlueFoul: points("Of that, for fouls of the other side.", 0),
  scoreBlueAuto: points("Of that, from the autonomous period.", 21),
  scoreDetails: Type.Optional(
    Type.Union([ScoreDetails, Type.Null()], {
      description:
        "The season's own score entry: what it says of the match, and `alliances` with what it says of Red and of Blue.",
      examples: [{ alliances: [{ alliance: "Red", rp: 4, totalPoints: 120 }] }],
    }),
  ),
};
export const MatchBody = Type.Object({ ...planned, ...result });

const MATCHES_MAX = 1000;
const number = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: "The match's number within its level.",
  examples: [12],
});
export const ScheduleBody = Type.Object({
  matches: Type.Array(Type.Object({ matchNumber: number, ...planned }), {
    maxItems: MATCHES_MAX,
    description: "All matches of this level; others of it that have no result are taken away.",
    examples: [
      [{ matchNumber: 1, startTime: "2024-03-02T09:00:00", teams: [{ teamNumber: 254, station: "Red1" }] }],
    ],
  }),
});

const allianceWith = (one: TInteger) => ({
  name: text("What the alliance is called.", "Alliance 1", 100),
  captain: described(one, "The team that leads it.", 254),
  round1: maybeTeam("Its first pick.", one, 1678),
  round2: maybeTeam("Its second pick.", one, 971),
  round3: maybeTeam("Its third pick.", one, null),
  backup: maybeTeam("The team that came in for another.", one, 2073),
  backupReplaced: maybeTeam("The team that it came in for.", one, 971),
});
export const AllianceBody = Type.Object(allianceWith(team));
const AllianceLine = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 64 }),
  ...allianceWith(teamOrLabel),
});

const awardWith = (one: TInteger) => ({
  name: Type.String({
    minLength: 1,
    maxLength: 300,
    description: "What the award is called.",
    examples: ["Quality Award"],
  }),
  teamNumber: maybeTeam("The team that won it; null for a person without a team.", one, 254),
  person: nullableText("The person who won it; null for a team's award.", "Ann Example", 300),
});
export const AwardBody = Type.Object(awardWith(team));
const AwardLine = Type.Object({
  awardId: Type.Integer({ minimum: 0, maximum: 100_000 }),
  series: Type.Integer({ minimum: 1, maximum: 1000 }),
  ...awardWith(teamOrLabel),
});

const figure = Type.Number({ minimum: -1e9, maximum: 1e9 });
const count = Type.Integer({ minimum: 0, maximum: 10_000 });
const RankingLine = Type.Object({
  rank: count,
  teamNumber: teamOrLabel,
  sortOrder1: figure,
  sortOrder2: figure,
  sortOrder3: figure,
  sortOrder4: figure,
  sortOrder5: figure,
  sortOrder6: figure,
  wins: count,
  losses: count,
  ties: count,
  qualAverage: figure,
  dq: count,
  matchesPlayed: count,
});

const season = Type.Integer({ minimum: 0, maximum: 9999 });
const MatchLine = Type.Object({
  tournamentLevel: Type.Union(TOURNAMENT_LEVELS.map((level) => Type.Literal(level))),
  matchNumber: number,
  ...plannedWith(teamOrLabel),
  ...result,
});
/** One import line. */
export const ImportLine = byKind("kind", [
  Type.Object({ kind: Type.Literal("season"), season, entry: SeasonBody }),
  Type.Object({
    kind: Type.Literal("districts"),
    season,
    districts: Type.Array(
      Type.Object({ code: Type.String({ minLength: 2, maxLength: 10 }), ...DistrictBody.properties }),
      { maxItems: 100 },
    ),
  }),
  Type.Object({ kind: Type.Literal("teams"), season, teams: Type.Array(TeamLine, { maxItems: 20_000 }) }),
  Type.Object({
    kind: Type.Literal("awardKinds"),
    season,
    kinds: Type.Array(
      Type.Object({
        awardId: Type.Integer({ minimum: 0, maximum: 100_000 }),
        eventType: Type.String({ maxLength: 100 }),
        description: Type.String({ maxLength: 300 }),
        forPerson: Type.Boolean(),
      }),
      { maxItems: 2000 },
    ),
  }),
  Type.Object({
    kind: Type.Literal("event"),
    season,
    eventCode: Type.String({ minLength: 2, maxLength: 20, pattern: "^[A-Za-z0-9]+$" }),
    event: Type.Optional(EventBody),
    teams: Type.Optional(Type.Array(teamOrLabel, { maxItems: 5000 })),
    /** Robots with a letter. In this line, the first has the number 1,000,000, the second 1,000,001. */
    labels: Type.Optional(
      Type.Array(Type.String({ pattern: "^[0-9]{1,5}[A-Z]$" }), { maxItems: LABELS_MAX }),
    ),
    matches: Type.Optional(Type.Array(MatchLine, { maxItems: MATCHES_MAX })),
    alliances: Type.Optional(Type.Array(AllianceLine, { maxItems: 64 })),
    awards: Type.Optional(Type.Array(AwardLine, { maxItems: 2000 })),
    rankings: Type.Optional(Type.Array(RankingLine, { maxItems: 2000 })),
  }),
]);
