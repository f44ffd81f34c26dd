/** Schemas of answers, with the mixed spelling of the public API. */
import { type TSchema, Type } from "@sinclair/typebox";

const text = Type.String();
const integer = Type.Integer();
const number = Type.Number();
const flag = Type.Boolean();
const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const list = <T extends TSchema>(member: T) => Type.Array(member);
const counters = <Prefix extends "team" | "ranking" | "removal">(prefix: Prefix) =>
  Type.Object({
    [`${prefix}CountTotal`]: integer,
    [`${prefix}CountPage`]: integer,
    pageCurrent: integer,
    pageTotal: integer,
  });

export const ApiIndex = Type.Object({
  currentSeason: integer,
  maxSeason: integer,
  name: text,
  apiVersion: text,
  status: text,
});
export const ChampionshipShape = Type.Object({ name: text, startDate: maybe(text), location: text });
export const SeasonSummary = Type.Object({
  eventCount: integer,
  gameName: text,
  kickoff: text,
  rookieStart: integer,
  teamCount: integer,
  frcChampionships: list(ChampionshipShape),
});
export const EventView = Type.Object({
  address: text,
  website: text,
  webcasts: list(Type.Unknown()),
  timezone: text,
  code: text,
  divisionCode: maybe(text),
  name: text,
  type: text,
  districtCode: maybe(text),
  venue: text,
  city: text,
  stateprov: text,
  country: text,
  dateStart: maybe(text),
  dateEnd: maybe(text),
  weekNumber: maybe(integer),
});
export const EventList = Type.Object({ Events: list(EventView), eventCount: integer });
export const DistrictList = Type.Object({
  districts: list(Type.Object({ code: text, name: text })),
  districtCount: integer,
});
export const TeamView = Type.Object({
  schoolName: text,
  website: text,
  homeCMP: maybe(text),
  teamNumber: integer,
  nameFull: text,
  nameShort: text,
  city: text,
  stateProv: text,
  country: text,
  rookieYear: integer,
  robotName: text,
  districtCode: maybe(text),
});
export const TeamList = Type.Composite([Type.Object({ teams: list(TeamView) }), counters("team")]);
export const AvatarList = Type.Composite([
  Type.Object({ teams: list(Type.Object({ teamNumber: integer, encodedAvatar: maybe(text) })) }),
  counters("team"),
]);
export const AwardViewShape = Type.Object({
  awardId: integer,
  teamId: maybe(integer),
  eventId: integer,
  eventDivisionId: Type.Null(),
  eventCode: text,
  name: text,
  series: integer,
  teamNumber: maybe(integer),
  schoolName: maybe(text),
  fullTeamName: maybe(text),
  person: maybe(text),
});
export const AwardsView = Type.Object({ Awards: list(AwardViewShape) });
export const AwardList = Type.Object({
  awards: list(Type.Object({ awardId: integer, eventType: text, description: text, forPerson: flag })),
});
/** Each season has further members. */
export const MatchScores = Type.Object({
  MatchScores: list(
    Type.Object(
      {
        matchLevel: text,
        matchNumber: integer,
        alliances: list(Type.Object({ alliance: text }, { additionalProperties: true })),
      },
      { additionalProperties: true },
    ),
  ),
});
const playedTeam = Type.Object({ teamNumber: integer, station: text, dq: flag });
const MatchView = Type.Object({
  actualStartTime: maybe(text),
  tournamentLevel: text,
  postResultTime: maybe(text),
  description: text,
  matchNumber: integer,
  matchVideoLink: Type.Optional(text),
  scoreRedFinal: integer,
  scoreRedFoul: maybe(integer),
  scoreRedAuto: maybe(integer),
  scoreBlueFinal: integer,
  scoreBlueFoul: maybe(integer),
  scoreBlueAuto: maybe(integer),
  teams: list(playedTeam),
});
export const MatchResults = Type.Object({ Matches: list(MatchView) });
export const RankingView = Type.Object({
  rank: integer,
  teamNumber: integer,
  sortOrder1: number,
  sortOrder2: number,
  sortOrder3: number,
  sortOrder4: number,
  sortOrder5: number,
  sortOrder6: number,
  wins: integer,
  losses: integer,
  ties: integer,
  qualAverage: number,
  dq: integer,
  matchesPlayed: integer,
});
export const EventRankings = Type.Object({
  Rankings: list(RankingView),
  rankingSource: Type.Union([Type.Literal("published"), Type.Literal("computed")], {
    description: "published as an import brought it, or computed from the results.",
    examples: ["computed"],
  }),
});
export const RemovalList = Type.Composite([
  Type.Object({
    removals: list(Type.Object({ removed: text, name: text, removedBy: text, removedAt: text })),
  }),
  counters("removal"),
]);
export const DistrictRankings = Type.Composite([
  Type.Object({
    districtRanks: list(
      Type.Object({
        districtCode: text,
        teamNumber: integer,
        rank: integer,
        totalPoints: integer,
        event1Code: maybe(text),
        event1Points: maybe(integer),
        event2Code: maybe(text),
        event2Points: maybe(integer),
        districtCmpCode: maybe(text),
        districtCmpPoints: maybe(integer),
        teamAgePoints: integer,
        adjustmentPoints: integer,
        qualifiedDistrictCmp: flag,
        qualifiedFirstCmp: flag,
      }),
    ),
  }),
  counters("ranking"),
]);
const scheduledTeam = Type.Object({ teamNumber: integer, station: text, surrogate: flag });
const scheduled = {
  field: text,
  tournamentLevel: text,
  description: text,
  startTime: maybe(text),
  matchNumber: integer,
};
export const ScheduleList = Type.Object({
  Schedule: list(Type.Object({ ...scheduled, teams: list(scheduledTeam) })),
});
export const HybridSchedule = Type.Object({
  Schedule: list(
    Type.Object({
      description: text,
      tournamentLevel: text,
      matchNumber: integer,
      startTime: maybe(text),
      actualStartTime: maybe(text),
      postResultTime: maybe(text),
      matchVideoLink: maybe(text),
      scoreRedFinal: maybe(integer),
      scoreRedFoul: maybe(integer),
      scoreRedAuto: maybe(integer),
      scoreBlueFinal: maybe(integer),
      scoreBlueFoul: maybe(integer),
      scoreBlueAuto: maybe(integer),
      teams: list(Type.Object({ teamNumber: integer, station: text, surrogate: flag, dq: flag })),
    }),
  ),
});
export const AllianceView = Type.Object({
  number: integer,
  captain: integer,
  round1: maybe(integer),
  round2: maybe(integer),
  round3: maybe(integer),
  backup: maybe(integer),
  backupReplaced: maybe(integer),
  name: text,
});
export const AllianceList = Type.Object({ Alliances: list(AllianceView), count: integer });
export const Statistics = Type.Object({
  statistics: list(
    Type.Object({
      teamNumber: integer,
      matchesPlayed: integer,
      wins: integer,
      losses: integer,
      ties: integer,
      dq: integer,
      averageScore: number,
      highestScore: integer,
    }),
  ),
});
export const Points = Type.Integer({ minimum: 0 });
const placeholder = maybe(integer);
export const BracketView = Type.Object({
  kind: text,
  champion: placeholder,
  finalist: placeholder,
  sets: list(
    Type.Object({
      name: text,
      round: text,
      set: integer,
      red: placeholder,
      blue: placeholder,
      redWins: integer,
      blueWins: integer,
      winner: placeholder,
      loser: placeholder,
      matchNumbers: list(integer),
    }),
  ),
  standings: list(
    Type.Object({
      name: text,
      rows: list(
        Type.Object({
          alliance: Type.Integer({ description: "The alliance's number.", examples: [1] }),
          played: integer,
          average: number,
        }),
      ),
    }),
  ),
  pending: list(
    Type.Object({
      tournamentLevel: text,
      matchNumber: integer,
      description: text,
      teams: list(scheduledTeam),
    }),
  ),
});
