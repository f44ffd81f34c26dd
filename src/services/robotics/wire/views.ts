/** Converts rows to the public API. */
import type { Bracket } from "../domain/bracket-shape.ts";
import type { Alliance, Match } from "../domain/game.ts";
import type { AwardView } from "../store/index.ts";
import type { AwardKindRow, EventRow, TeamRow } from "../tables.ts";

export const eventViewOf = (row: EventRow, weekNumber: number | undefined) => ({
  address: row.address,
  website: row.website,
  webcasts: JSON.parse(row.webcasts),
  timezone: row.timezone,
  code: row.code,
  divisionCode: row.division,
  name: row.name,
  type: row.type,
  districtCode: row.district,
  venue: row.venue,
  city: row.city,
  stateprov: row.stateprov,
  country: row.country,
  dateStart: row.date_start,
  dateEnd: row.date_end,
  weekNumber: weekNumber ?? null,
});
export const teamViewOf = (row: TeamRow) => ({
  schoolName: row.school,
  website: row.website,
  homeCMP: row.home_championship,
  teamNumber: row.number,
  nameFull: row.name_full,
  nameShort: row.name_short,
  city: row.city,
  stateProv: row.stateprov,
  country: row.country,
  rookieYear: row.rookie_year,
  robotName: row.robot_name,
  districtCode: row.district,
});
/** Team ids differ by season. */
const teamIdOf = (season: number, team: number): number => season * 100_000 + team;
export const awardViewOf = (row: AwardView) => ({
  awardId: row.award,
  teamId: row.team === null ? null : teamIdOf(row.season, row.team),
  eventId: row.event_number,
  eventDivisionId: null,
  eventCode: row.event,
  name: row.name,
  series: row.series,
  teamNumber: row.team,
  schoolName: row.school,
  fullTeamName: row.name_full,
  person: row.person,
});
export const awardKindViewOf = (row: AwardKindRow) => ({
  awardId: row.award,
  eventType: row.event_type,
  description: row.description,
  forPerson: row.for_person === 1,
});
export const matchViewOf = (match: Match) => ({
  actualStartTime: match.actualStartTime,
  tournamentLevel: match.level,
  postResultTime: match.postResultTime,
  description: match.description,
  matchNumber: match.matchNumber,
  ...(match.videoLink !== null && { matchVideoLink: match.videoLink }),
  scoreRedFinal: match.red?.final,
  scoreRedFoul: match.red?.foul,
  scoreRedAuto: match.red?.auto,
  scoreBlueFinal: match.blue?.final,
  scoreBlueFoul: match.blue?.foul,
  scoreBlueAuto: match.blue?.auto,
  teams: match.teams.map(({ teamNumber, station, dq }) => ({ teamNumber, station, dq })),
});
export const scoresViewOf = (match: Match) => ({
  matchLevel: match.level,
  matchNumber: match.matchNumber,
  ...match.details,
  alliances: [
    { alliance: "Blue", ...match.blue?.details },
    { alliance: "Red", ...match.red?.details },
  ],
});
const scheduledOf = (match: Match) => ({
  field: "Primary",
  tournamentLevel: match.level,
  description: match.description,
  startTime: match.startTime,
  matchNumber: match.matchNumber,
});
export const scheduleViewOf = (match: Match) => ({
  ...scheduledOf(match),
  teams: match.teams.map(({ teamNumber, station, surrogate }) => ({ teamNumber, station, surrogate })),
});
export const allianceViewOf = (alliance: Alliance) => ({
  number: alliance.number,
  captain: alliance.captain,
  round1: alliance.round1,
  round2: alliance.round2,
  round3: alliance.round3,
  backup: alliance.backup,
  backupReplaced: alliance.backupReplaced,
  name: alliance.name,
});
export const bracketViewOf = (bracket: Bracket) => ({
  kind: bracket.kind,
  champion: bracket.champion,
  finalist: bracket.finalist,
  sets: bracket.sets.map((one) => ({
    name: one.label,
    round: one.round,
    set: one.set,
    red: one.red,
    blue: one.blue,
    redWins: one.redWins,
    blueWins: one.blueWins,
    winner: one.winner,
    loser: one.loser,
    matchNumbers: one.games.map(({ matchNumber }) => matchNumber),
  })),
  standings: bracket.standings,
  pending: bracket.pending.map(({ matchNumber, description, teams }) => ({
    tournamentLevel: "Playoff",
    matchNumber,
    description,
    teams: teams.map(({ teamNumber, station, surrogate }) => ({ teamNumber, station, surrogate })),
  })),
});
