/** How work grows with its input, by processor time: a ratio, so that neither the machine nor its load matters. */
import { processorMs } from "./processor-time.ts";

const ENOUGH_MS = 4;
const TRIES = 4;
/** Twice the input takes twice the time; four times would be the square. */
export const LINEAR_RATIO_MAX = 3;

/** Repeats short work until there is something to measure. */
function costOf(work: () => void, repeats: number): number {
  return processorMs(() => {
    for (let time = 0; time < repeats; time += 1) work();
  });
}
function enoughRepeats(work: () => void): number {
  let repeats = 1;
  while (costOf(work, repeats) < ENOUGH_MS) repeats *= 2;
  return repeats;
}

/** The least of several measurements: what disturbs one of them only adds to it. */
export function growthRatio(work: (size: number) => void, size: number): number {
  work(size);
  const repeats = enoughRepeats(() => work(size));
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > LINEAR_RATIO_MAX * 0.8; attempt += 1) {
    const single = costOf(() => work(size), repeats);
    const double = costOf(() => work(2 * size), repeats);
    least = Math.min(least, double / Math.max(single, 0.001));
  }
  return least;
}
