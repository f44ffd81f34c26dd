/** Parses the duration formats that occur in feeds. */

const SECONDS_MAX = 10 * 86_400;
const within = (seconds: number): number =>
  Number.isFinite(seconds) && seconds > 0 && seconds <= SECONDS_MAX ? Math.round(seconds) : 0;

/** Whole seconds; 0 if the text is not a duration. */
export function parseDuration(raw: string): number {
  const text = raw.trim().toLowerCase();
  if (/^\d{1,9}(?:[.,]\d{1,6})?$/.test(text)) return within(Number(text.replace(",", ".")));
  const clock = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:[.,]\d{1,6})?$/.exec(text);
  if (clock) return within(Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]));
  const words =
    /^(?:pt)?\s{0,3}(?:(\d{1,4})\s{0,3}h[a-z]{0,6})?[\s,]{0,3}(?:(\d{1,5})\s{0,3}m[a-z]{0,6})?[\s,]{0,3}(?:(\d{1,6})(?:\.\d{1,6})?\s{0,3}s[a-z]{0,6})?$/.exec(
      text,
    );
  if (!words) return 0;
  return within(Number(words[1] ?? 0) * 3600 + Number(words[2] ?? 0) * 60 + Number(words[3] ?? 0));
}

/** `1:02:03.500` or `62.5` in seconds; undefined if the text is not a time. */
export function parseOffset(raw: string): number | undefined {
  const found = /^(?:(?:(\d{1,4}):)?(\d{1,2}):)?(\d{1,6}(?:[.,]\d{1,6})?)$/.exec(raw.trim());
  if (!found) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}
