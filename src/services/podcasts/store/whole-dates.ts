/** Pages that continue after a date. */

/**
 * Ends a page before a date that is only partly on it: the next page continues after the last date of this one, so the
 * rest of that date would be lost. `rows` has one row more than a page, if there are more. A date that alone fills the
 * page is cut.
 */
export function withWholeDates<Row>(
  rows: readonly Row[],
  limit: number,
  dateOf: (row: Row) => number,
): readonly Row[] {
  const [next] = rows.slice(limit);
  const page = rows.slice(0, limit);
  if (next === undefined) return page;
  const whole = page.filter((row) => dateOf(row) !== dateOf(next));
  return whole.length > 0 ? whole : page;
}
