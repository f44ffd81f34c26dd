/** Last-Modified dates and conditional requests, in whole seconds. */
import { errors } from "../errors.ts";
import { findHttpSecond, httpDateOf } from "./calendar.ts";

/**
 * Each change of a record gets its own second, so that Last-Modified identifies a version although HTTP
 * dates have whole seconds. After frequent changes it can be ahead of the clock. Answers never show such a
 * date.
 */
export const nextSecond = (before: number, nowMs: number): number =>
  Math.max(Math.floor(nowMs / 1000), before + 1);

/** Limited to the current time. */
export const lastModifiedOf = (second: number, nowMs: number): string =>
  httpDateOf(Math.min(second, Math.floor(nowMs / 1000)));

export type Conditions = {
  /** Answer only if it changed after this time. */
  readonly ifModifiedSince: number | undefined;
  /** Answer only entries that changed after this time. */
  readonly onlyModifiedSince: number | undefined;
};

/** An invalid HTTP date is ignored. */
const secondIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : findHttpSecond(text);

export function conditionsOf(since: string | undefined, onlySince: string | undefined): Conditions {
  if (since === undefined && onlySince === undefined) return NO_CONDITIONS;
  const conditions = { ifModifiedSince: secondIn(since), onlyModifiedSince: secondIn(onlySince) };
  if (conditions.ifModifiedSince !== undefined && conditions.onlyModifiedSince !== undefined)
    throw errors.malformedParameter("If-Modified-Since and FMS-OnlyModifiedSince cannot be sent together.");
  return conditions;
}
const NO_CONDITIONS: Conditions = { ifModifiedSince: undefined, onlyModifiedSince: undefined };
