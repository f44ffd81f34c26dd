/** Figures and times as people read them. */
import { timeZone } from "./parts/kernel-time.ts";

const SIZES = ["B", "KB", "MB", "GB", "TB"];

export function bytesText(bytes: number): string {
  let size = bytes;
  let at = 0;
  while (size >= 1000 && at < SIZES.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${at === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${SIZES[at]}`;
}

export const countText = (count: number): string => count.toLocaleString("en");
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${countText(count)} ${count === 1 ? noun : nouns}`;

/** "1 episode", "3 episodes", "15 EUR": a unit in small letters that ends with s is a plural. */
export const withUnit = (count: number, unit: string): string =>
  `${countText(count)} ${count === 1 && /^[a-z]+s$/.test(unit) ? unit.slice(0, -1) : unit}`;

export function msText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms >= 10_000 || ms % 1000 === 0 ? 0 : 1)} s`;
  return `${ms >= 100 || Number.isInteger(ms) ? Math.round(ms) : ms.toFixed(1)} ms`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** In the zone that the reader chose; UTC unless they chose otherwise. */
const partsOf = (iso: string) => {
  const at = new Date(iso);
  return timeZone.value === "UTC"
    ? { day: iso.slice(0, 10), parts: [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()] }
    : {
        day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
        parts: [at.getHours(), at.getMinutes(), at.getSeconds()],
      };
};
export const clockText = (iso: string): string => partsOf(iso).parts.map(two).join(":");
export const dayText = (iso: string): string => partsOf(iso).day;
export const momentText = (iso: string): string => `${dayText(iso)} ${clockText(iso)}`;

const SPANS: readonly (readonly [ms: number, name: string])[] = [
  [31_536_000_000, "y"],
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];
/** "in 3 h 20 min", "2 d ago": the two largest parts of it, rounded. */
export function distanceText(fromIso: string, toIso: string): string {
  const ms = Date.parse(toIso) - Date.parse(fromIso);
  const largest = SPANS.findIndex(([span]) => Math.abs(ms) >= span);
  if (largest === -1) return "now";
  const [smallestMs] = SPANS[Math.min(largest + 1, SPANS.length - 1)] as (typeof SPANS)[number];
  let rest = Math.round(Math.abs(ms) / smallestMs) * smallestMs;
  const words: string[] = [];
  for (const [span, name] of SPANS) {
    const count = Math.floor(rest / span);
    rest -= count * span;
    if (count > 0) words.push(`${count} ${name}`);
  }
  return ms >= 0 ? `in ${words.join(" ")}` : `${words.join(" ")} ago`;
}
