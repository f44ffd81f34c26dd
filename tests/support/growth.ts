/** How work grows with its input, by processor time: a ratio, so that neither the machine nor its load matters. */
import { processorMs } from "./processor-time.ts";

const ENOUGH_MS = 4;
const TRIES = 4;
/** What disturbs a measurement does so once: growth that is real is seen in every one of these doublings. */
const DOUBLINGS = 3;
/** Twice the input takes twice the time; four times would be the square. */
export const LINEAR_RATIO_MAX = 3;
const CLEARLY_LINEAR = LINEAR_RATIO_MAX * 0.8;

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

/** The least of several measurements of each size, taken in turns: what disturbs one of them only adds to it. */
function doublingRatio(work: (size: number) => void, size: number): number {
  work(size);
  const repeats = enoughRepeats(() => work(size));
  let single = Number.POSITIVE_INFINITY;
  let double = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    single = Math.min(
      single,
      costOf(() => work(size), repeats),
    );
    double = Math.min(
      double,
      costOf(() => work(2 * size), repeats),
    );
    if (double / Math.max(single, 0.001) < CLEARLY_LINEAR) break;
  }
  return double / Math.max(single, 0.001);
}

/** The least growth that several doublings agree on; the first that is clearly linear decides. */
export function growthRatio(work: (size: number) => void, size: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let doubling = 0; doubling < DOUBLINGS && least > CLEARLY_LINEAR; doubling += 1)
    least = Math.min(least, doublingRatio(work, size * 2 ** doubling));
  return least;
}
