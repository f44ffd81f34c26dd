/** Finds the known word closest to a mistyped one. */

/** Beyond this distance, a suggestion is not helpful. */
const CHANGES_MAX = 2;

/** Edit distance: insertions, deletions, replacements and swaps of neighbours. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (last[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? (before[j - 2] as number) + 1 : replaced;
      row.push(Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, replaced, swapped));
    }
    before = last;
    last = row;
  }
  return last[other.length] as number;
}

/** `; did you mean "serve"?`, or an empty text if no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const [closest] = known
    .map((one) => ({ one, changes: changesBetween(word, one) }))
    .filter(({ one, changes }) => changes <= CHANGES_MAX && changes < one.length)
    .sort((a, b) => a.changes - b.changes);
  return closest ? `; did you mean "${closest.one}"?` : "";
}
