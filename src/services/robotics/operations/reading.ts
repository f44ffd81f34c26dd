/** Shared steps of read operations: find season and event, evaluate conditions, reuse cached answers. */
import type { TSchema } from "@sinclair/typebox";
import { type Answer, answer, finishedJson, noBody } from "#kernel/operation";
import { conditionsOf, lastModifiedOf } from "../domain/conditions.ts";
import { isPublicSeason, teamNumberMaxOf, yearsAt } from "../domain/seasons.ts";
import { errors, inputError } from "../errors.ts";
import type { FinishedAnswer, RoboticsContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { SeasonRow } from "../tables.ts";
import { type Format, formatOf, mediaTypeOf } from "../wire/format.ts";
import { acceptHeader, atEvent, conditionalHeaders } from "../wire/parameters.ts";
import { xmlOf } from "../wire/xml.ts";

const XML = "application/xml";
/** A list with conditional requests: JSON or XML; complete, only changes, or 304. */
export const conditionally = (shape: TSchema) => ({
  method: "GET" as const,
  headers: conditionalHeaders,
  answers: { 200: finishedJson(shape, XML), 304: noBody },
  inputError,
});
/** An unconditional answer in JSON or XML. */
export const plainly = (shape: TSchema) => ({
  method: "GET" as const,
  headers: acceptHeader,
  answers: { 200: finishedJson(shape, XML) },
  inputError,
});
/** Parameters of an event, with their errors. */
export const ofOneEvent = {
  params: atEvent,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
};

export type ConditionalHeaders = {
  readonly accept?: string;
  readonly "if-modified-since"?: string;
  readonly "fms-onlymodifiedsince"?: string;
};

/** Undefined for a valid season without data. */
export async function findSeason(context: RoboticsContext, season: number): Promise<SeasonRow | undefined> {
  const { db, account, clock } = context;
  const found = await store.findSeason(db, account, season);
  if (!found && !isPublicSeason(season, yearsAt(clock.nowMs())))
    throw errors.invalidSeason(`There is no season ${season} here.`);
  return found;
}
export async function getEvent(
  context: RoboticsContext,
  season: number,
  code: string,
): Promise<store.EventVersions> {
  const { db, account } = context;
  const found = await store.findEventVersions(db, account, season, code.toUpperCase());
  if (found) return found;
  await findSeason(context, season);
  refuseShort(code);
  throw errors.invalidEvent(`There is no event ${code.toUpperCase()} in the season ${season}.`);
}
/** Some off-season events have two-letter codes. Other codes of that length are malformed. */
const CODE_LENGTH_MIN = 3;
function refuseShort(code: string): void {
  if (code.length < CODE_LENGTH_MIN)
    throw errors.malformedParameter(`eventCode has ${CODE_LENGTH_MIN} letters or digits at least.`);
}
async function checkEventCode(
  { db, account }: RoboticsContext,
  season: number,
  code: string | undefined,
): Promise<void> {
  if (code === undefined || code.length >= CODE_LENGTH_MIN) return;
  if (!(await store.findEvent(db, account, season, code.toUpperCase()))) refuseShort(code);
}
export function checkTeamNumber(season: number, teamNumber: number | undefined): void {
  if (teamNumber === undefined || teamNumber <= teamNumberMaxOf(season)) return;
  throw errors.malformedParameter(`Team numbers of the season ${season} have four digits at the most.`);
}
/** The season of a list. Refuses team numbers and event codes that cannot exist in it. */
export async function findSeasonFor(
  context: RoboticsContext,
  season: number,
  { teamNumber, eventCode }: { readonly teamNumber?: number; readonly eventCode?: string },
): Promise<SeasonRow | undefined> {
  checkTeamNumber(season, teamNumber);
  const row = await findSeason(context, season);
  await checkEventCode(context, season, eventCode);
  return row;
}
/** Rejects parameters that exclude each other. */
export function refuseTogether(
  query: Readonly<Record<string, unknown>>,
  one: string,
  ...others: readonly string[]
): void {
  if (query[one] === undefined) return;
  const other = others.find((name) => query[name] !== undefined);
  if (other !== undefined) throw errors.forbiddenCombination(`${one} cannot be sent together with ${other}.`);
}

export type Listing = {
  /** Name of the root element in XML. */
  readonly root: string;
  /** Identifies the answer within the account, independent of its version. */
  readonly key: string;
  /** Second of the last change of its content; 0 without content. */
  readonly second: number;
  /** Builds the answer, limited to entries that changed after `since`. */
  build(since: number): Promise<Built> | Built;
};
export type Built = { readonly body: object; readonly isEmpty: boolean };

const EVERYTHING = -1;

function finished({ body, isEmpty }: Built, { root, second }: Listing, format: Format): FinishedAnswer {
  const text = format === "json" ? JSON.stringify(body) : xmlOf(root, body);
  return { second, bytes: Buffer.from(text), isEmpty };
}

/** The current answer, from the cache if it has this version. */
async function wholeAnswer(
  context: RoboticsContext,
  listing: Listing,
  format: Format,
): Promise<FinishedAnswer> {
  const { answers } = context.state;
  const key = `${context.account}/${format}/${listing.key}`;
  const kept = answers.find(key, listing.second);
  if (kept) return kept;
  const made = finished(await listing.build(EVERYTHING), listing, format);
  answers.keep(key, made);
  return made;
}

function sent(made: FinishedAnswer, format: Format, nowMs: number): Answer<Buffer> {
  if (made.headers) return answer(200, made.bytes, made.headers);
  const { bytes, second, isEmpty } = made;
  const headers: Record<string, string> = { "content-type": mediaTypeOf(format), vary: "accept" };
  if (!isEmpty && second > 0) headers["last-modified"] = lastModifiedOf(second, nowMs);
  if (second * 1000 <= nowMs) made.headers = headers;
  return answer(200, bytes, headers);
}

/** Ignores conditions. */
export async function answerList(
  context: RoboticsContext,
  headers: { readonly accept?: string },
  listing: Listing,
) {
  const format = formatOf(headers.accept);
  return sent(await wholeAnswer(context, listing, format), format, context.clock.nowMs());
}

/** The complete answer, only the changes, or 304. */
export async function answerChanges(
  context: RoboticsContext,
  headers: ConditionalHeaders,
  listing: Listing,
): Promise<Answer<Buffer | undefined>> {
  const { ifModifiedSince, onlyModifiedSince } = conditionsOf(
    headers["if-modified-since"],
    headers["fms-onlymodifiedsince"],
  );
  const since = ifModifiedSince ?? onlyModifiedSince;
  if (since !== undefined && listing.second > 0 && listing.second <= since) return answer(304);
  if (onlyModifiedSince === undefined) return answerList(context, headers, listing);
  const built = await listing.build(onlyModifiedSince);
  if (built.isEmpty) return answer(304);
  const format = formatOf(headers.accept);
  return sent(finished(built, listing, format), format, context.clock.nowMs());
}

/** A scalar value, such as a number of points. */
export function answerValue(
  headers: { readonly accept?: string },
  root: string,
  value: unknown,
): Answer<Buffer> {
  const format = formatOf(headers.accept);
  const text = format === "json" ? JSON.stringify(value) : xmlOf(root, value);
  return answer(200, Buffer.from(text), { "content-type": mediaTypeOf(format), vary: "accept" });
}
