/** Parses rankings of the public archive, whose columns differ by season. */
import type { CsvLine } from "./csv.ts";
import type { RankingRow } from "./game.ts";

/** Parses team keys and collects findings while the lines of a file are read. */
export type RankingReader = {
  note(line: number, says: string): void;
  keepLines(part: string, lines: number[]): void;
  findTeam(key: string): { readonly teamNumber: number } | undefined;
};

const RECORD = /^\(?(\d{1,3})-(\d{1,3})(?:-(\d{1,3}))?\)?$/;
const isRecord = (title: string): boolean => /record|w-?l-?t|winlosstie/i.test(title);
const isPlayed = (title: string): boolean => /^played$/i.test(title);
const isDisqualified = (title: string): boolean => /^dq'?s?$/i.test(title);
/** Some seasons split the record into three columns. */
const isWins = (title: string): boolean => /^wins?$/i.test(title);
const isLosses = (title: string): boolean => /^loss(?:es)?$/i.test(title);
const isTies = (title: string): boolean => /^ties?$/i.test(title);
const NO_SORT_ORDERS = [isRecord, isPlayed, isDisqualified, isWins, isLosses, isTies];

/** All columns except record, DQ and played are sort orders of the season. Each team is ranked once. */
export function rankingsIn(reader: RankingReader, lines: readonly CsvLine[]): RankingRow[] {
  const [head, ...rows] = lines;
  if (!head) return [];
  const titles = head.fields;
  if (!/^rank$/i.test(titles[0] ?? "") || !/^team$/i.test(titles[1] ?? "")) {
    reader.note(head.number, "a ranking begins with the columns Rank and Team");
    return [];
  }
  const ranked = new Map<number, { row: RankingRow; line: number }>();
  for (const line of rows) {
    const row = rankingIn(reader, titles, line);
    if (!row) continue;
    if (ranked.has(row.teamNumber))
      reader.note(line.number, `"${line.fields[1]}" is ranked before: this row is left out`);
    else ranked.set(row.teamNumber, { row, line: line.number });
  }
  const taken = [...ranked.values()];
  reader.keepLines(
    "rankings",
    taken.map(({ line }) => line),
  );
  return taken.map(({ row }) => row);
}

function rankingIn(
  reader: RankingReader,
  titles: readonly string[],
  { number: line, fields }: CsvLine,
): RankingRow | undefined {
  const [rank = "", teamKey = ""] = fields;
  const team = reader.findTeam(teamKey);
  if (!/^\d{1,4}$/.test(rank) || !team) {
    reader.note(line, "no rank of a team");
    return undefined;
  }
  const cellsOf = (isWanted: (title: string) => boolean): string[] =>
    titles.flatMap((title, at) => (at > 1 && isWanted(title) ? [fields[at] ?? ""] : []));
  const countIn = (isWanted: (title: string) => boolean): number =>
    Math.round(numberIn(cellsOf(isWanted)[0] ?? ""));
  const numbers = cellsOf((title) => !NO_SORT_ORDERS.some((isOther) => isOther(title))).map(numberIn);
  const [, wins, losses, ties = "0"] = RECORD.exec(cellsOf(isRecord)[0] ?? "") ?? [];
  const [sortOrder1 = 0, sortOrder2 = 0, sortOrder3 = 0, sortOrder4 = 0, sortOrder5 = 0, sortOrder6 = 0] =
    numbers;
  return {
    rank: Number(rank),
    teamNumber: team.teamNumber,
    sortOrder1,
    sortOrder2,
    sortOrder3,
    sortOrder4,
    sortOrder5,
    sortOrder6,
    wins: wins === undefined ? countIn(isWins) : Number(wins),
    losses: losses === undefined ? countIn(isLosses) : Number(losses),
    ties: wins === undefined ? countIn(isTies) : Number(ties),
    qualAverage: 0,
    dq: countIn(isDisqualified),
    matchesPlayed: countIn(isPlayed),
  };
}
function numberIn(text: string): number {
  const value = Number(text);
  return text === "" || Number.isNaN(value) ? 0 : value;
}
