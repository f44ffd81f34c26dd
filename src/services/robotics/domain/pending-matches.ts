/** The next playoff matches, with teams, stations and description. */
import type { PlannedSet } from "./bracket-plans.ts";
import type { PendingMatch } from "./bracket-shape.ts";
import type { Alliance, MatchTeam, PlayoffPlace } from "./game.ts";

/** Alliance number of a team. */
export type AllianceFinder = (teamNumber: number) => number | undefined;

export function allianceFinder(alliances: readonly Alliance[]): AllianceFinder {
  const byTeam = new Map<number, number>();
  for (const { number, captain, round1, round2, round3, backup } of alliances)
    for (const teamNumber of [captain, round1, round2, round3, backup])
      if (teamNumber !== null) byTeam.set(teamNumber, number);
  return (teamNumber) => byTeam.get(teamNumber);
}

export function pendingMatchOf(
  playoff: PlayoffPlace,
  matchNumber: number,
  planned: Pick<PlannedSet, "label" | "column" | "winsNeeded">,
  sides: readonly [red: number, blue: number],
  alliances: readonly Alliance[],
): PendingMatch {
  return {
    matchNumber,
    description: descriptionOf(playoff, planned),
    playoff,
    teams: [...seatsOf("Red", sides[0], alliances), ...seatsOf("Blue", sides[1], alliances)],
  };
}

function descriptionOf(
  { round, game }: PlayoffPlace,
  { label, column, winsNeeded }: Pick<PlannedSet, "label" | "column" | "winsNeeded">,
): string {
  if (round === "f") return `Final ${game}`;
  if (winsNeeded > 1) return `${label} Match ${game}`;
  const name = `${label} (${column})`;
  return game === 1 ? name : `${name} Replay ${game - 1}`;
}

/** The captain has the middle station. A backup takes the station of the team that it replaced. */
function seatsOf(colour: string, number: number, alliances: readonly Alliance[]): MatchTeam[] {
  const alliance = alliances.find((one) => one.number === number);
  if (alliance === undefined) return [];
  const { captain, round1, round2, backup, backupReplaced } = alliance;
  return [round1, captain, round2]
    .map((teamNumber) => (backup !== null && teamNumber === backupReplaced ? backup : teamNumber))
    .flatMap((teamNumber, index) =>
      teamNumber === null
        ? []
        : [{ teamNumber, station: `${colour}${index + 1}`, surrogate: false, dq: false }],
    );
}
