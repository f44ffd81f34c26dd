/** Ranking rules of all seasons since 1992, with sources. */
import type { AllianceScore } from "./game.ts";

export type RuleFamily = "winLossTie" | "qualifyingPoints" | "averageScore" | "rankingPoints";
export type Outcome = "win" | "loss" | "tie";
/** A played match from the view of one alliance. */
export type Side = { own: AllianceScore; other: AllianceScore; outcome: Outcome };

/** One column of the ranking. Averages are truncated to two decimals, as published. */
export type SortOrder = {
  name: string;
  gathers: "total" | "average" | "highest";
  of: (side: Side) => number;
};

export type SeasonRule = {
  /** Valid from this season until the next row. */
  since: number;
  family: RuleFamily;
  sortOrders: readonly SortOrder[];
  source: string;
};

const total = (name: string, of: SortOrder["of"]): SortOrder => ({ name, gathers: "total", of });
const average = (name: string, of: SortOrder["of"]): SortOrder => ({ name, gathers: "average", of });
const highest = (name: string, of: SortOrder["of"]): SortOrder => ({ name, gathers: "highest", of });

/** A member of the score details; `a.b` is a nested member. A boolean counts as 1 or 0. */
function detail(details: AllianceScore["details"], path: string): number | undefined {
  if (details === null) return undefined;
  let value: unknown = details;
  for (const name of path.includes(".") ? path.split(".") : [path]) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const details =
  (...paths: readonly string[]): SortOrder["of"] =>
  ({ own }) =>
    paths.reduce((sum, path) => sum + (detail(own.details, path) ?? 0), 0);

const ownScore: SortOrder["of"] = ({ own }) => own.final;
const ownAuto: SortOrder["of"] = ({ own }) => detail(own.details, "autoPoints") ?? own.auto ?? 0;
/** Fouls give points to the other alliance, so an alliance's own score excludes them. */
const ownScoreWithoutFouls: SortOrder["of"] = ({ own }) =>
  own.final - (detail(own.details, "foulPoints") ?? own.foul ?? 0);
const lowerScore: SortOrder["of"] = ({ own, other }) => Math.min(own.final, other.final);

/** Points for the outcome, plus one for each achieved bonus in the details. */
function outcomePoints(win: number, tie: number, ...bonuses: readonly string[]): SortOrder["of"] {
  return ({ own, outcome }) => {
    const points = outcome === "win" ? win : outcome === "tie" ? tie : 0;
    const achieved = bonuses.map((bonus) => detail(own.details, bonus));
    if (achieved.every((value) => value === undefined)) return detail(own.details, "rp") ?? points;
    return achieved.reduce<number>((sum, value) => sum + (value ?? 0), points);
  };
}

const winner =
  (points: (own: number, other: number) => number, loser: (own: number, other: number) => number) =>
  ({ own, other, outcome }: Side) =>
    (outcome === "loss" ? loser : points)(own.final, other.final);

const qualificationScore = total("Qualification Score", outcomePoints(2, 1));

const byThriceTheOther = [
  average(
    "Qualifying Points",
    winner(
      (_own, other) => 3 * other,
      (own) => own,
    ),
  ),
  highest("Highest Score", ownScore),
];
const byLowerScore = [
  qualificationScore,
  average("Ranking Score", lowerScore),
  highest("Highest Score", ownScore),
];

const MANUAL_THEN = "the season's game manual, as public descriptions of that game tell it";
const MANUAL = "the season's game manual, section Tournaments";

/** Sorted by season. */
export const seasonRules: readonly SeasonRule[] = [
  {
    since: 1992,
    family: "winLossTie",
    sortOrders: [total("Wins", outcomePoints(2, 1)), average("Average Score", ownScore)],
    source: "single robots against each other; ranked by matches won",
  },
  {
    since: 1999,
    family: "qualifyingPoints",
    sortOrders: byThriceTheOther,
    source: MANUAL_THEN,
  },
  {
    since: 2001,
    family: "averageScore",
    sortOrders: [average("Average Score", ownScore), highest("Highest Score", ownScore)],
    source: `${MANUAL_THEN}: four robots played together for one score`,
  },
  {
    since: 2002,
    family: "qualifyingPoints",
    sortOrders: byThriceTheOther,
    source: MANUAL_THEN,
  },
  {
    since: 2003,
    family: "qualifyingPoints",
    sortOrders: [
      average(
        "Qualifying Points",
        winner(
          (own, other) => own + 2 * other,
          (own) => own,
        ),
      ),
      highest("Highest Score", ownScore),
    ],
    source: MANUAL_THEN,
  },
  {
    since: 2004,
    family: "winLossTie",
    sortOrders: byLowerScore,
    source: `${MANUAL}: the loser's score breaks ties`,
  },
  {
    since: 2010,
    family: "qualifyingPoints",
    sortOrders: [
      total(
        "Seeding Score",
        winner(
          (own, other) => own + 2 * other + (own > other ? 5 : 0),
          (_own, other) => other,
        ),
      ),
      total(
        "Coopertition Bonus",
        winner(
          (_own, other) => 2 * other,
          () => 0,
        ),
      ),
      total("Hanging Points", details("hangingPoints")),
    ],
    source: `${MANUAL}, with the five points for a win that a team update added`,
  },
  {
    since: 2011,
    family: "winLossTie",
    sortOrders: byLowerScore,
    source: `${MANUAL}: the loser's score breaks ties`,
  },
  {
    since: 2012,
    family: "qualifyingPoints",
    sortOrders: [
      total("Qualification Score", (side) => outcomePoints(2, 1)(side) + details("coopertitionPoints")(side)),
      total("Hybrid", details("hybridPoints")),
      total("Bridge", details("bridgePoints")),
      total("Teleop", details("teleopPoints")),
    ],
    source: `${MANUAL} 5.3.6`,
  },
  {
    since: 2013,
    family: "qualifyingPoints",
    sortOrders: [
      qualificationScore,
      total("Auto", ownAuto),
      total("Climb", details("climbPoints")),
      total("Teleop", details("teleopPoints")),
    ],
    source: `${MANUAL}; columns of the public archive`,
  },
  {
    since: 2014,
    family: "qualifyingPoints",
    sortOrders: [
      qualificationScore,
      total("Assist", details("assistPoints")),
      total("Auto", ownAuto),
      total("Truss & Catch", details("trussCatchPoints")),
      total("Teleop", details("teleopPoints")),
    ],
    source: `${MANUAL}; columns of the public archive`,
  },
  {
    since: 2015,
    family: "averageScore",
    sortOrders: [
      average("Qualification Average", ownScore),
      total("Coopertition", details("coopertitionPoints")),
      total("Auto", ownAuto),
      total("Container", details("containerPoints")),
      total("Tote", details("totePoints")),
      total("Litter", details("litterPoints")),
    ],
    source: `${MANUAL}; columns of the public archive`,
  },
  {
    since: 2016,
    family: "rankingPoints",
    sortOrders: [
      total("Ranking Score", outcomePoints(2, 1, "teleopDefensesBreached", "teleopTowerCaptured")),
      total("Auto", ownAuto),
      total("Scale/Challenge", details("teleopChallengePoints", "teleopScalePoints")),
      total("Goals", details("autoBoulderPoints", "teleopBoulderPoints")),
      total("Defense", details("autoCrossingPoints", "teleopCrossingPoints")),
    ],
    source: `${MANUAL}; columns of the public archive`,
  },
  {
    since: 2017,
    family: "rankingPoints",
    sortOrders: [
      average("Ranking Score", outcomePoints(2, 1, "kPaRankingPointAchieved", "rotorRankingPointAchieved")),
      total("Match Points", ownScore),
      total("Auto", ownAuto),
      total("Rotor", details("autoRotorPoints", "teleopRotorPoints")),
      total("Touchpad", details("teleopTakeoffPoints")),
      total("Pressure", details("autoFuelPoints", "teleopFuelPoints")),
    ],
    source: `${MANUAL}; columns of the public archive`,
  },
  {
    since: 2018,
    family: "rankingPoints",
    sortOrders: [
      average("Ranking Score", outcomePoints(2, 1, "autoQuestRankingPoint", "faceTheBossRankingPoint")),
      total("Park/Climb", details("endgamePoints")),
      total("Auto", ownAuto),
      total("Ownership", details("autoOwnershipPoints", "teleopOwnershipPoints")),
      total("Vault", details("vaultPoints")),
    ],
    source: `${MANUAL} 10; columns of the public archive`,
  },
  {
    since: 2019,
    family: "rankingPoints",
    sortOrders: [
      average("Ranking Score", outcomePoints(2, 1, "completeRocketRankingPoint", "habDockingRankingPoint")),
      total("Cargo", details("cargoPoints")),
      total("Hatch Panel", details("hatchPanelPoints")),
      total("HAB Climb", details("habClimbPoints")),
      total("Sandstorm Bonus", details("sandStormBonusPoints")),
    ],
    source: `${MANUAL}; columns of the public archive`,
  },
  {
    since: 2020,
    family: "rankingPoints",
    sortOrders: [
      average(
        "Ranking Score",
        outcomePoints(2, 1, "shieldEnergizedRankingPoint", "shieldOperationalRankingPoint"),
      ),
      total("Auto", ownAuto),
      total("End Game", details("endgamePoints")),
      total("Teleop Cell + Control Panel", details("teleopCellPoints", "controlPanelPoints")),
    ],
    source: `${MANUAL}; 2021 had no matches of its own`,
  },
  {
    since: 2022,
    family: "rankingPoints",
    sortOrders: [
      average("Ranking Score", outcomePoints(2, 1, "cargoBonusRankingPoint", "hangarBonusRankingPoint")),
      average("Match Points", ownScoreWithoutFouls),
      average("Hangar", details("endgamePoints")),
      average("Taxi + Auto Cargo", ownAuto),
    ],
    source: MANUAL,
  },
  {
    since: 2023,
    family: "rankingPoints",
    sortOrders: [
      average("Ranking Score", outcomePoints(2, 1, "sustainabilityBonusAchieved", "activationBonusAchieved")),
      average("Match Points", ownScoreWithoutFouls),
      average("Charge Station", details("totalChargeStationPoints")),
      average("Auto", ownAuto),
    ],
    source: MANUAL,
  },
  {
    since: 2024,
    family: "rankingPoints",
    sortOrders: [
      average("Ranking Score", outcomePoints(2, 1, "melodyBonusAchieved", "ensembleBonusAchieved")),
      average("Coopertition", details("coopNotePlayed")),
      average("Match Points", ownScoreWithoutFouls),
      average("Auto", ownAuto),
      average("Stage", details("endGameTotalStagePoints")),
    ],
    source: MANUAL,
  },
  {
    since: 2025,
    family: "rankingPoints",
    sortOrders: [
      average(
        "Ranking Score",
        outcomePoints(3, 1, "autoBonusAchieved", "coralBonusAchieved", "bargeBonusAchieved"),
      ),
      average("Coopertition", details("coopertitionCriteriaMet")),
      average("Match Points", ownScoreWithoutFouls),
      average("Auto", ownAuto),
      average("Barge", details("endGameBargePoints")),
    ],
    source: MANUAL,
  },
  {
    since: 2026,
    family: "rankingPoints",
    sortOrders: [
      average(
        "Ranking Score",
        outcomePoints(3, 1, "energizedAchieved", "superchargedAchieved", "traversalAchieved"),
      ),
      average("Match Points", ownScoreWithoutFouls),
      average("Auto Fuel", details("hubScore.autoPoints")),
      average("Tower", details("totalTowerPoints")),
    ],
    source: `${MANUAL} 10.5`,
  },
];

/** Seasons after the last row use its rule. */
export function seasonRuleOf(season: number): SeasonRule {
  const rule = seasonRules.findLast(({ since }) => since <= season) ?? seasonRules[0];
  if (rule === undefined) throw new Error("The table of seasons is empty.");
  return rule;
}
