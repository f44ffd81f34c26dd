/** Parsers of SSML attribute values: times, rate, volume and pitch. Invalid values return undefined. */

export const PAUSE_MS_MAX = 10_000;

const BREAK_STRENGTHS_MS: ReadonlyMap<string, number> = new Map([
  ["none", 0],
  ["x-weak", 0],
  ["weak", 200],
  ["medium", 200],
  ["strong", 400],
  ["x-strong", 700],
]);

const RATES: ReadonlyMap<string, number> = new Map([
  ["x-slow", 0.5],
  ["slow", 0.75],
  ["medium", 1],
  ["default", 1],
  ["fast", 1.25],
  ["x-fast", 1.6],
]);

const VOLUMES_DB: ReadonlyMap<string, number> = new Map([
  ["silent", Number.NEGATIVE_INFINITY],
  ["x-soft", -12],
  ["soft", -6],
  ["medium", 0],
  ["default", 0],
  ["loud", 4],
  ["x-loud", 8],
]);

const PITCHES: ReadonlyMap<string, number> = new Map([
  ["x-low", 0.75],
  ["low", 0.87],
  ["medium", 1],
  ["default", 1],
  ["high", 1.15],
  ["x-high", 1.33],
]);

export const BREAK_DEFAULT_MS = 200;

/** "250ms" or "1.5s", at most ten seconds. */
export function findTimeMs(value: string): number | undefined {
  const match = /^\+?(\d{1,6}(?:\.\d{1,3})?|\.\d{1,3})(ms|s)$/.exec(value.trim());
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * (match[2] === "s" ? 1000 : 1));
  return ms <= PAUSE_MS_MAX ? ms : undefined;
}

export function findStrengthMs(value: string): number | undefined {
  return BREAK_STRENGTHS_MS.get(value.trim());
}

/** A named rate, or 20% to 200% of the surrounding rate. */
export function findRate(value: string): number | undefined {
  const named = RATES.get(value.trim());
  if (named !== undefined) return named;
  const match = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(value.trim());
  const rate = match === null ? Number.NaN : Number(match[1]) / 100;
  return rate >= 0.2 && rate <= 2 ? rate : undefined;
}

/** A named volume, or a change such as "+4dB" or "-6dB". */
export function findVolumeDb(value: string): number | undefined {
  const named = VOLUMES_DB.get(value.trim());
  if (named !== undefined) return named;
  const match = /^([+-]\d{1,2}(?:\.\d{1,3})?)dB$/.exec(value.trim());
  return match === null ? undefined : Number(match[1]);
}

/** A named pitch, or a change such as "+10%" or "-2st". */
export function findPitch(value: string): number | undefined {
  const named = PITCHES.get(value.trim());
  if (named !== undefined) return named;
  const match = /^([+-]\d{1,2}(?:\.\d{1,3})?)(%|st)$/.exec(value.trim());
  if (match === null) return undefined;
  const change = Number(match[1]);
  return match[2] === "%" ? 1 + change / 100 : 2 ** (change / 12);
}
