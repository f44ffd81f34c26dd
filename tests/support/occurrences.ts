/** Tables of occurrences: what a recurrence leads to, row by row. All times are UTC. */
import { expect, it } from "vitest";
import { occurrences, type Recurrence } from "../../src/services/scheduler/domain/index.ts";

export const utc = (text: string) => Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);

export function firstOccurrences(recurrence: Recurrence, start: string, howMany: number): string[] {
  const found: string[] = [];
  for (const instant of occurrences(recurrence, utc(start))) {
    if (found.length === howMany) break;
    found.push(new Date(instant).toISOString().slice(0, 16));
  }
  return found;
}

type Row = readonly [
  what: string,
  recurrence: Pick<Recurrence, "frequency"> & Partial<Recurrence>,
  start: string,
  expected: readonly string[],
];

export function check(rows: readonly Row[]): void {
  it.each(rows)("%s", (_, recurrence, start, expected) => {
    expect(firstOccurrences({ interval: 1, ...recurrence }, start, expected.length)).toEqual(expected);
  });
}
