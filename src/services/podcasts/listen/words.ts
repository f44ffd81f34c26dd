/** Formats numbers and dates as text. */
import { isoOf } from "#kernel/clock";

/** `1:02:03`, or `2:03` below one hour. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
export const lengthText = (seconds: number): string =>
  seconds <= 0 ? "" : seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
export const dayText = (ms: number): string => (ms > 0 ? isoOf(ms).slice(0, 10) : "");

const DAY_HOURS = 24;
/** Publishing frequency, such as "daily". */
export function rhythmText(hours: number): string {
  if (hours <= 0) return "";
  if (hours < 2 * DAY_HOURS) return hours <= 30 ? "daily" : "every other day";
  const days = Math.round(hours / DAY_HOURS);
  if (days >= 6 && days <= 8) return "weekly";
  return days < 60 ? `every ${days} days` : `every ${Math.round(days / 30)} months`;
}
