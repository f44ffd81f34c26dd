/** Which lines two texts share: the longest common run of lines, the usual way. */

export type DifferenceLine = { readonly kind: "same" | "left" | "right"; readonly text: string };

const LINES_MAX = 1500;

/** For every pair of places, how many lines the rests behind them share. */
function sharedLengths(a: readonly string[], b: readonly string[]): (row: number, column: number) => number {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = a.length - 1; row >= 0; row -= 1)
    for (let column = b.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        a[row] === b[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  return at;
}

export function differenceOf(left: string, right: string): readonly DifferenceLine[] {
  const a = left.split("\n").slice(0, LINES_MAX);
  const b = right.split("\n").slice(0, LINES_MAX);
  const sharedFrom = sharedLengths(a, b);
  const lines: DifferenceLine[] = [];
  let row = 0;
  let column = 0;
  const take = (kind: DifferenceLine["kind"], text: string | undefined) =>
    lines.push({ kind, text: text ?? "" });
  while (row < a.length || column < b.length) {
    const isRightDone = column === b.length;
    if (row < a.length && a[row] === b[column] && !isRightDone) {
      take("same", a[row]);
      row += 1;
      column += 1;
    } else if (
      row < a.length &&
      (isRightDone || sharedFrom(row + 1, column) >= sharedFrom(row, column + 1))
    ) {
      take("left", a[row]);
      row += 1;
    } else {
      take("right", b[column]);
      column += 1;
    }
  }
  return lines;
}
