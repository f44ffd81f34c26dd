/** Waiting for a condition. A busy machine may take its time: the limit only ends what would never come about. */
const LIMIT_MS = 90_000;
/** Once a wait was in vain the run has failed. Further waits give up sooner, so that it ends. */
const LIMIT_AFTER_FAILURE_MS = 20_000;
const PAUSE_MS = 20;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let limitMs = LIMIT_MS;

/** Looks again and again until something is found (neither `undefined` nor `false`), and gives it. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  what = "what the test waits for",
): Promise<Exclude<T, undefined | false>> {
  for (const startMs = performance.now(); ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() - startMs > limitMs) {
      const message = `${what} did not come about within ${limitMs} ms`;
      limitMs = LIMIT_AFTER_FAILURE_MS;
      throw new Error(message);
    }
    await pause(PAUSE_MS);
  }
}

/** Like `eventually`, of what may take any time as long as it comes closer: `left` tells how much is missing. */
export async function progressing(
  left: () => Promise<number>,
  what = "what the test waits for",
): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  while (least > 0)
    least = await eventually(async () => {
      const now = await left();
      return now < least && now;
    }, `progress of ${what}`);
}
