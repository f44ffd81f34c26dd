/** Calibrates scores into probabilities: a scale, a bias for each intent, and a threshold for "None". */

export type Calibration = {
  /** Scores are multiplied by it. */
  readonly sharpness: number;
  /** Added to each intent's scores, so that it is foretold about as often as it occurs. */
  readonly lean: Float32Array;
  /** Log odds of the best share at which an utterance is as likely meant for no intent at all. */
  readonly doubtAt: number;
};

/** Raw scores of an utterance that the model has not learned from, and the intent that it has. */
export type Judged = { readonly scores: Float32Array; readonly intent: number };

/** Of the utterances that were understood rightly, the part that may be taken for none. */
const DOUBTED_SHARE = 0.008;
/** The least number of doubted utterances from which the threshold can be estimated. */
const DOUBTED_MIN = 4;
const SHARPNESSES = Array.from({ length: 57 }, (_, at) => 0.2 * 1.08 ** at);
const LEAN_ROUNDS = 30;
const LEAN_STEP = 0.5;
/** Damping: an intent needs about this many utterances before its bias becomes large. */
const LEAN_CAUTION = 20;
const SHARE_MIN = 1e-6;

export function calibrate(judged: readonly Judged[], intentCount: number): Calibration {
  const lean = new Float32Array(intentCount);
  if (judged.length === 0) return { sharpness: 1, lean, doubtAt: Number.NEGATIVE_INFINITY };
  const sharpness = bestSharpness(judged);
  for (let round = 0; round < LEAN_ROUNDS; round += 1) leanFurther(lean, judged, sharpness);
  return { sharpness, lean, doubtAt: doubtOf(judged, { sharpness, lean }) };
}

/** The shares of the intents, which sum to one. */
export function sharesOf(
  scores: Float32Array,
  { sharpness, lean }: Pick<Calibration, "sharpness" | "lean">,
): Float32Array {
  const shares = new Float32Array(scores.length);
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at += 1) {
    const score = (scores[at] as number) * sharpness + (lean[at] as number);
    shares[at] = score;
    if (score > highest) highest = score;
  }
  let sum = 0;
  for (let at = 0; at < shares.length; at += 1) {
    const share = Math.exp((shares[at] as number) - highest);
    shares[at] = share;
    sum += share;
  }
  for (let at = 0; at < shares.length; at += 1) shares[at] = (shares[at] as number) / sum;
  return shares;
}

/** How sure it is, from 0 to 1, that any intent is meant. Where doubt begins, the best intent and none are equally likely. */
export function trustIn(shares: Float32Array, known: number, { doubtAt }: Calibration): number {
  const familiar = Math.min(1, known / KNOWN_NEEDED);
  if (!Number.isFinite(doubtAt)) return familiar;
  const atDoubt = Math.log1p(Math.exp(-doubtAt));
  return familiar / (1 + Math.exp(-TRUST_SLOPE * (logOdds(highestOf(shares)) - doubtAt) - atDoubt));
}
const TRUST_SLOPE = 4;
/** The part of an utterance's words that must be known; with less of it, trust falls in proportion. */
const KNOWN_NEEDED = 0.04;

export function highestOf(shares: Float32Array): number {
  let highest = 0;
  for (const share of shares) if (share > highest) highest = share;
  return highest;
}

const logOdds = (share: number): number => {
  const bounded = Math.min(1 - SHARE_MIN, Math.max(SHARE_MIN, share));
  return Math.log(bounded / (1 - bounded));
};

function bestSharpness(judged: readonly Judged[]): number {
  const lean = new Float32Array(judged[0]?.scores.length ?? 0);
  let best = 1;
  let bestLoss = Number.POSITIVE_INFINITY;
  for (const sharpness of SHARPNESSES) {
    let loss = 0;
    for (const { scores, intent } of judged)
      loss -= Math.log(Math.max(SHARE_MIN, sharesOf(scores, { sharpness, lean })[intent] ?? 0));
    if (loss >= bestLoss) continue;
    best = sharpness;
    bestLoss = loss;
  }
  return best;
}

function leanFurther(lean: Float32Array, judged: readonly Judged[], sharpness: number): void {
  const missing = new Float32Array(lean.length);
  const counts = new Float32Array(lean.length);
  for (const { scores, intent } of judged) {
    const shares = sharesOf(scores, { sharpness, lean });
    for (let at = 0; at < shares.length; at += 1)
      missing[at] = (missing[at] as number) - (shares[at] as number);
    missing[intent] = (missing[intent] as number) + 1;
    counts[intent] = (counts[intent] as number) + 1;
  }
  for (let at = 0; at < lean.length; at += 1) {
    const caution = LEAN_CAUTION * (lean[at] as number);
    lean[at] =
      (lean[at] as number) +
      (LEAN_STEP * ((missing[at] as number) - caution)) / ((counts[at] as number) + LEAN_CAUTION);
  }
}

/** The threshold below which only few correct predictions lie. */
function doubtOf(judged: readonly Judged[], calibration: Pick<Calibration, "sharpness" | "lean">): number {
  const odds: number[] = [];
  for (const { scores, intent } of judged) {
    const shares = sharesOf(scores, calibration);
    const highest = highestOf(shares);
    if (shares[intent] === highest) odds.push(logOdds(highest));
  }
  return odds.length === 0 ? Number.NEGATIVE_INFINITY : lowEndOf(odds);
}

/** With too few numbers, the result is below the minimum: the fewer numbers, the further. */
function lowEndOf(numbers: number[]): number {
  numbers.sort((one, other) => one - other);
  const place = numbers.length * DOUBTED_SHARE;
  const certainty = place / DOUBTED_MIN;
  if (certainty >= 1) return numbers[Math.floor(place)] ?? 0;
  const [low = 0] = numbers;
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const spread = Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length);
  return low - (1 - certainty) * spread;
}
