/** When something changed, in whole seconds, and what a caller who has seen it before is to be told. */
import { errors } from "../errors.ts";
import { findHttpSecond, httpDateOf } from "./calendar.ts";

/**
 * Every change of one thing gets a second of its own, later than the one before, so that a date tells versions apart
 * although HTTP counts in seconds. It may run ahead of the clock where changes come thick and fast; what is answered never does.
 */
export const nextSecond = (before: number, nowMs: number): number =>
  Math.max(Math.floor(nowMs / 1000), before + 1);

/** What is answered is never ahead of the clock. */
export const lastModifiedOf = (second: number, nowMs: number): string =>
  httpDateOf(Math.min(second, Math.floor(nowMs / 1000)));

export type Conditions = {
  /** Answer only if there is a change since. */
  readonly ifModifiedSince: number | undefined;
  /** Answer only what has changed since. */
  readonly onlyModifiedSince: number | undefined;
};

/** What is no date of HTTP counts as not sent. */
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
