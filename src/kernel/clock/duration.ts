/** Durations as people type them (`36h`, `90s`, `1d12h`) and as ISO 8601 spells them (`PT36H`). */
const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const SHORT = /^(?:\d{1,12}(?:\.\d{1,3})?(?:ms|s|m|h|d|w))+$/;
const ISO =
  /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$/;
const DURATION_MS_MAX = 100 * 365 * 86_400_000;

export function parseDurationMs(text: string): number | undefined {
  const ms = SHORT.test(text) ? shortMs(text) : isoMs(text);
  return ms !== undefined && ms <= DURATION_MS_MAX ? ms : undefined;
}
function shortMs(text: string): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d|w)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  }
  return Math.round(total);
}
function isoMs(text: string): number | undefined {
  const parts = ISO.exec(text);
  if (!parts || text === "P" || text.endsWith("T")) return undefined;
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return Math.round(
    (weeks ?? 0) * 604_800_000 +
      (days ?? 0) * 86_400_000 +
      (hours ?? 0) * 3_600_000 +
      (minutes ?? 0) * 60_000 +
      (seconds ?? 0) * 1000,
  );
}
