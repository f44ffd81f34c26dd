/**
 * Holds rankings that Medley computes from match results against those that the public archive publishes, per season.
 * `npm run build`, then `node tools/robotics-rankings.mjs <folder with the archive's events>`; `--events` lists each event.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { archivedEventOf, EVENT_FILES } from "../dist/services/robotics/domain/archive.js";
import { rankingsOf } from "../dist/services/robotics/domain/rankings.js";
import { seasonRuleOf } from "../dist/services/robotics/domain/season-rules.js";

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) throw new Error("Say which folder holds the events.");

const eventFolders = (root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d{4}[a-z0-9]+$/.test(entry.name))
    .map((entry) => ({ key: entry.name, path: join(entry.parentPath ?? entry.path, entry.name) }));

function readEvent({ key, path }) {
  const files = {};
  for (const kind of EVENT_FILES) {
    const name = join(path, `${key}_${kind}.csv`);
    if (existsSync(name)) files[kind] = { name, text: readFileSync(name, "utf8") };
  }
  return archivedEventOf(key, files).value;
}

const scoreOf = (final) =>
  final === undefined || final === null ? null : { final, foul: null, auto: null, details: null };
const matchOf = (entry) => ({
  ...entry,
  level: entry.tournamentLevel,
  red: scoreOf(entry.scoreRedFinal),
  blue: scoreOf(entry.scoreBlueFinal),
});

/** Bonus points are no part of results, so that where they count the first column cannot be held against them. */
const hasBonuses = (season) => seasonRuleOf(season).family === "rankingPoints" || season === 2012;

function compare({ season, matches, rankings: published }) {
  const computed = rankingsOf(season, matches.map(matchOf));
  const rowOf = new Map(computed.map((row) => [row.teamNumber, row]));
  const columns = ["wins", "losses", "ties", "matchesPlayed", ...(hasBonuses(season) ? [] : ["sortOrder1"])];
  const differing = published.filter((row) =>
    columns.some((column) => rowOf.get(row.teamNumber)?.[column] !== row[column]),
  );
  const sum = (rows, column) => rows.reduce((total, row) => total + row[column], 0);
  let pairs = 0;
  let pairsEqual = 0;
  published.forEach((row, index) => {
    for (const lower of published.slice(index + 1)) {
      const difference =
        (rowOf.get(row.teamNumber)?.sortOrder1 ?? 0) - (rowOf.get(lower.teamNumber)?.sortOrder1 ?? 0);
      if (difference !== 0) pairs += 1;
      if (difference > 0) pairsEqual += 1;
    }
  });
  return {
    teams: published.length,
    areNumbersEqual: differing.length === 0,
    isOrderEqualWithTies: isOrderEqualWithTies(published, rowOf),
    isOrderEqual: published.every(({ teamNumber }, index) => computed[index]?.teamNumber === teamNumber),
    pairs,
    pairsEqual,
    reason: reasonOf(differing, sum(published, "matchesPlayed"), sum(computed, "matchesPlayed")),
  };
}

/** The computed first column decides; where it is equal, the columns that the archive publishes beside it. */
function isOrderEqualWithTies(published, rowOf) {
  const keysOf = (row) => [
    rowOf.get(row.teamNumber)?.sortOrder1 ?? 0,
    ...[2, 3, 4, 5, 6].map((order) => row[`sortOrder${order}`]),
  ];
  return published.every((row, index) => {
    if (index === 0) return true;
    const [above, below] = [keysOf(published[index - 1]), keysOf(row)];
    const at = above.findIndex((key, order) => key !== below[order]);
    return at < 0 || above[at] > below[at];
  });
}

function reasonOf(differing, publishedPlayed, computedPlayed) {
  if (differing.length === 0) return "";
  if (publishedPlayed < computedPlayed) return "the ranking counts fewer matches than there are results";
  if (differing.every(({ dq }) => dq > 0)) return "disqualified teams, which results do not tell";
  return "other";
}

const seasons = new Map();
for (const place of eventFolders(folder)) {
  const event = readEvent(place);
  if (!event?.rankings?.length || !event.matches?.length) continue;
  const result = compare(event);
  if (flags.includes("--events")) console.log(place.key, JSON.stringify(result));
  seasons.set(event.season, [...(seasons.get(event.season) ?? []), result]);
}

console.log(
  "| Season | Events | Numbers equal | Order equal | Order equal with the published tie-breakers | Pairs in order | Others differ by |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const [season, results] of [...seasons].sort(([a], [b]) => a - b)) {
  const count = (test) => results.filter(test).length;
  const reasons = new Map();
  for (const { reason } of results) if (reason !== "") reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const total = (column) => results.reduce((sum, result) => sum + result[column], 0);
  const share = ((100 * total("pairsEqual")) / total("pairs")).toFixed(2);
  console.log(
    `| ${season} | ${results.length} | ${count(({ areNumbersEqual }) => areNumbersEqual)} | ` +
      `${count(({ isOrderEqual }) => isOrderEqual)} | ` +
      `${count(({ isOrderEqualWithTies: equal }) => equal)} | ` +
      `${share} % | ${[...reasons].map(([reason, events]) => `${events}: ${reason}`).join("; ")} |`,
  );
}
