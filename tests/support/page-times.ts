import { expect } from "vitest";

const ROUNDS_MIN = 5;
const ROUNDS_MAX = 100;

type Page = { readonly tookMs: number; readonly more: boolean };
type Pages = Readonly<Record<"first" | "middle" | "last", () => Promise<Page>>>;

/** Pages in the middle and at the end of a long list take about as long as the first. */
export async function expectPagesAlike(pages: Pages): Promise<void> {
  const took = { first: [] as number[], middle: [] as number[], last: [] as number[] };
  // The quickest of each: the rest of the machine's work can only add to it, so more rounds tell it better.
  const best = (numbers: readonly number[]) => Math.min(...numbers);
  const isAlike = (numbers: readonly number[]) => best(numbers) < 4 * best(took.first) + 10;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (round >= ROUNDS_MIN && isAlike(took.middle) && isAlike(took.last)) break;
    // In turns, so that whatever else the machine does slows all of them alike.
    took.first.push((await pages.first()).tookMs);
    took.middle.push((await pages.middle()).tookMs);
    const last = await pages.last();
    took.last.push(last.tookMs);
    expect(last.more).toBe(false);
  }
  expect(best(took.middle)).toBeLessThan(4 * best(took.first) + 10);
  expect(best(took.last)).toBeLessThan(4 * best(took.first) + 10);
}
