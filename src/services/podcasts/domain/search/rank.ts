/**
 * Ranks documents by weighted fields, then by freshness and listen score. It uses integers, so that every
 * database gives the same order.
 */
import { type Clause, isClauseAt, type Query } from "./query.ts";

export type Candidate = {
  /** Words as indexed. */
  readonly title: readonly string[];
  /** For an episode: title and publisher of its podcast. */
  readonly author: readonly string[];
  readonly pubDateMs: number;
  readonly listenScore: number;
};

const DAY_MS = 86_400_000;
const TITLE_WORD = 400;
const TITLE_WHOLE = 500;
const TITLE_ROW = 150;
const TITLE_BEGIN = 60;
const TITLE_SHARE = 160;
const AUTHOR_WORD = 200;
const AUTHOR_BEGIN = 120;
const FRESHNESS = 150;
const FRESH_DAYS = 60;
const LISTEN_SCORE = 3;

const placeOf = (words: readonly string[], clause: Clause): number =>
  words.findIndex((_, at) => isClauseAt(words, at, clause));
/** The whole query as one phrase. */
const rowOf = (clauses: readonly Clause[]): Clause => ({
  words: clauses.flatMap(({ words }) => words),
  isPrefix: clauses.at(-1)?.isPrefix ?? false,
});

function titlePoints(title: readonly string[], wanted: readonly Clause[], row: Clause): number {
  const found = wanted.filter((clause) => placeOf(title, clause) >= 0).length;
  const at = found === wanted.length ? placeOf(title, row) : -1;
  let points = Math.floor((TITLE_WORD * found) / wanted.length);
  if (at >= 0) points += TITLE_ROW;
  if (at === 0) points += TITLE_BEGIN;
  if (at === 0 && row.words.length === title.length) points += TITLE_WHOLE;
  if (found > 0)
    points += Math.floor(
      (TITLE_SHARE * Math.min(row.words.length, title.length)) / Math.max(1, title.length),
    );
  return points;
}

function authorPoints(author: readonly string[], wanted: readonly Clause[], row: Clause): number {
  const found = wanted.filter((clause) => placeOf(author, clause) >= 0).length;
  const points = Math.floor((AUTHOR_WORD * found) / wanted.length);
  return isClauseAt(author, 0, row) ? points + AUTHOR_BEGIN : points;
}

/** The scoring function for one search. */
export function pointsFor({ wanted }: Query, nowMs: number): (candidate: Candidate) => number {
  const row = rowOf(wanted);
  const textPoints = ({ title, author }: Candidate): number =>
    wanted.length === 0 ? 0 : titlePoints(title, wanted, row) + authorPoints(author, wanted, row);
  return (candidate) => {
    const ageDays = Math.max(0, (nowMs - candidate.pubDateMs) / DAY_MS);
    return (
      textPoints(candidate) +
      Math.floor((FRESHNESS * FRESH_DAYS) / (FRESH_DAYS + ageDays)) +
      LISTEN_SCORE * candidate.listenScore
    );
  };
}
