/** Plans: requests per month and per second for each key. */
import { beginOfDayMs } from "./calendar.ts";

export type Plan = { readonly monthlyMax: number; readonly perSecondMax: number };
/** For keys without a plan. */
export const DEFAULT_PLAN: Plan = { monthlyMax: 1_000_000_000, perSecondMax: 100_000 };
export const MONTHLY_MAX = 1_000_000_000_000;
export const PER_SECOND_MAX = 1_000_000;

/** Months are UTC and written `2026-11`. */
export function beginOfMonthMs(month: string): number {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return beginOfDayMs(year, number, 1);
}
export function nextMonthOf(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

/** Token bucket with the capacity of one second. */
export class Bucket {
  #tokens: number;
  #atMs: number;
  constructor(size: number, nowMs: number) {
    this.#tokens = size;
    this.#atMs = nowMs;
  }
  take(perSecondMax: number, nowMs: number): boolean {
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(perSecondMax, this.#tokens + (passedMs / 1000) * perSecondMax);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
