/** Robotics: what follows from results, and a schedule, by processor time, so that a busy machine tells the same. */
import { districtRankingsOf } from "../../dist/services/robotics/domain/district-rankings.js";
import { rankingsOf } from "../../dist/services/robotics/domain/rankings.js";
import { generateSchedule } from "../../dist/services/robotics/scheduling/generator.js";

const TEAMS = 60;
const MATCHES_PER_TEAM = 12;
const DISTRICT_TEAMS = 200;
const DISTRICT_EVENTS = 12;

/** Of one run, after some that warm up. */
function processorMs(work, runs) {
  for (let run = 0; run < runs; run += 1) work();
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / runs;
}

const numbersTo = (count) => Array.from({ length: count }, (_, index) => index + 1);
const seat = (colour) => (team, index) => ({ ...team, station: `${colour}${index + 1}`, dq: false });

const playedMatches = (schedule) =>
  schedule.matches.map(({ matchNumber, red, blue }) => ({
    level: "Qualification",
    matchNumber,
    playoff: null,
    teams: [...red.map(seat("Red")), ...blue.map(seat("Blue"))],
    red: { final: (matchNumber * 37) % 300, foul: 0, auto: 10, details: { autoQuestRankingPoint: true } },
    blue: { final: (matchNumber * 53) % 300, foul: 0, auto: 10, details: { autoQuestRankingPoint: false } },
  }));

function districtEvents() {
  return numbersTo(DISTRICT_EVENTS).map((at) => {
    const own = numbersTo(DISTRICT_TEAMS).filter((number) => (number * 7 + at) % 5 === 0);
    const schedule = generateSchedule({ teamNumbers: own, matchesPerTeam: MATCHES_PER_TEAM, effort: 0.01 });
    const matches = playedMatches(schedule);
    return {
      code: `E${at}`,
      type: at === DISTRICT_EVENTS ? "DistrictChampionship" : "DistrictEvent",
      dateEnd: `2024-03-${10 + at}`,
      rankings: rankingsOf(2024, matches),
      alliances: numbersTo(8).map((number) => ({
        number,
        name: `Alliance ${number}`,
        captain: own[number * 3],
        round1: own[number * 3 + 1],
        round2: own[number * 3 + 2],
        round3: null,
        backup: null,
        backupReplaced: null,
      })),
      matches,
      awards: [{ name: "Judges' Award", teamNumber: own[0] }],
    };
  });
}

export function roboticsComputingLines() {
  const request = { teamNumbers: numbersTo(TEAMS), matchesPerTeam: MATCHES_PER_TEAM };

  const before = process.cpuUsage();
  const schedule = generateSchedule(request);
  const { user, system } = process.cpuUsage(before);
  const scheduleSeconds = (user + system) / 1_000_000;
  const { partners, opponents } = schedule.figures;
  const matches = playedMatches(schedule);
  const rankingMs = processorMs(() => rankingsOf(2018, matches), 100);
  const teams = numbersTo(DISTRICT_TEAMS).map((teamNumber) => ({
    teamNumber,
    rookieYear: 2010,
    adjustmentPoints: 0,
  }));
  const events = districtEvents();
  const places = { districtChampionship: 60, championship: 20 };
  const districtMs = processorMs(() => districtRankingsOf(2024, "MED", teams, events, places), 50);
  return [
    {
      line: "robotics: ranking of 60 teams with 12 matches each, computed anew",
      value: `${rankingMs.toFixed(2)} ms`,
      measured: rankingMs,
      atMost: 5,
    },
    {
      line: "robotics: district ranking of 200 teams at 12 events",
      value: `${districtMs.toFixed(1)} ms`,
      measured: districtMs,
      atMost: 20,
    },
    {
      line: "robotics: schedule of 60 teams with 12 matches each",
      value: `${scheduleSeconds.toFixed(1)} s`,
      measured: scheduleSeconds,
      atMost: 10,
    },
    {
      line: "robotics: pairs of that schedule that are partners again (published: 0)",
      value: `${partners.repeated}`,
      measured: partners.repeated,
      atMost: 0,
    },
    {
      line: "robotics: pairs of that schedule that are opponents again (published: 26)",
      value: `${opponents.repeated}`,
      measured: opponents.repeated,
      atMost: 26,
    },
  ];
}
