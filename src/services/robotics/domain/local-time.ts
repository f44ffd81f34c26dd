/** Local times of an event, without a zone. */
import { dayOf, daysOf, two } from "./calendar.ts";

const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/;
const DAY_MINUTES = 1440;

/** Undefined if the text is not a local time. */
export function findLocalTimeAfter(text: string, minutes: number): string | undefined {
  const found = LOCAL_TIME.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map(Number);
  const total = daysOf({ year, month, day }) * DAY_MINUTES + hour * 60 + minute + minutes;
  const days = Math.floor(total / DAY_MINUTES);
  const date = dayOf(days);
  const rest = total - days * DAY_MINUTES;
  return `${date.year}-${two(date.month)}-${two(date.day)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}:00`;
}
