/** When something changed, in whole seconds, and what a caller who has seen it before is to be told. */
import { errors } from "../errors.ts";

/**
 * Every change of one thing gets a second of its own, later than the one before, so that a date tells versions apart
 * although HTTP counts in seconds. It may run ahead of the clock where changes come thick and fast; what is answered never does.
 */
export const nextSecond = (before: number, nowMs: number): number =>
  Math.max(Math.floor(nowMs / 1000), before + 1);

export const httpDateOf = (second: number, nowMs: number): string =>
  new Date(Math.min(second * 1000, Math.floor(nowMs / 1000) * 1000)).toUTCString();

export type Conditions = {
  /** Answer only if there is a change since. */
  readonly ifModifiedSince: number | undefined;
  /** Answer only what has changed since. */
  readonly onlyModifiedSince: number | undefined;
};

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const OTHER_DATE = /^(?:[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** What is no date of HTTP counts as not sent. */
function findSecond(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = HTTP_DATE.test(text)
    ? Date.parse(text)
    : OTHER_DATE.test(text)
      ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`)
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

export function conditionsOf(since: string | undefined, onlySince: string | undefined): Conditions {
  if (since === undefined && onlySince === undefined) return NO_CONDITIONS;
  const conditions = { ifModifiedSince: findSecond(since), onlyModifiedSince: findSecond(onlySince) };
  if (conditions.ifModifiedSince !== undefined && conditions.onlyModifiedSince !== undefined)
    throw errors.malformedParameter(
      "If-Modified-Since and FMS-OnlyModifiedSince cannot be sent together.",
    );
  return conditions;
}
const NO_CONDITIONS: Conditions = { ifModifiedSince: undefined, onlyModifiedSince: undefined };
