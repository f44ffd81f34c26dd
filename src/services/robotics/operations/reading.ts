/** How every list is read: season and event are looked up, dates compared, and finished answers used again. */
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
/** A list that callers read again and again: answered in JSON or XML, whole, in part or not at all, as its dates have it. */
export const conditionally = (shape: TSchema) => ({
  method: "GET" as const,
  headers: conditionalHeaders,
  answers: { 200: finishedJson(shape, XML), 304: noBody },
  inputError,
});
/** What is answered in JSON or XML whenever it is asked for. */
export const plainly = (shape: TSchema) => ({
  method: "GET" as const,
  headers: acceptHeader,
  answers: { 200: finishedJson(shape, XML) },
  inputError,
});
/** The parameters of one event, and what is refused of them. */
export const ofOneEvent = {
  params: atEvent,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
};

export type ConditionalHeaders = {
  readonly accept?: string;
  readonly "if-modified-since"?: string;
  readonly "fms-onlymodifiedsince"?: string;
};

/** Undefined of a season that can be asked for although nothing of it was put in yet. */
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
/** Some off-season events have had codes of two letters: what else is so short is none. */
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
/** Parameters that cannot be sent together. */
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
  /** The element around everything in XML. */
  readonly root: string;
  /** Tells one answer of the account from all others, whatever its version. */
  readonly key: string;
  /** The second in which anything it may tell changed last; 0 where there is nothing. */
  readonly second: number;
  /** The whole answer; of what has changed after `since`, where that is given. */
  build(since: number): Promise<Built> | Built;
};
export type Built = { readonly body: object; readonly isEmpty: boolean };

const EVERYTHING = -1;

function finished({ body, isEmpty }: Built, { root, second }: Listing, format: Format): FinishedAnswer {
  const text = format === "json" ? JSON.stringify(body) : xmlOf(root, body);
  return { second, bytes: Buffer.from(text), isEmpty };
}

/** Of what is there now: from memory where that very version was answered before. */
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

/** An answer without conditions. */
export async function answerList(
  context: RoboticsContext,
  headers: { readonly accept?: string },
  listing: Listing,
) {
  const format = formatOf(headers.accept);
  return sent(await wholeAnswer(context, listing, format), format, context.clock.nowMs());
}

/** An answer, what is new of it, or that nothing is. */
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

/** A bare value, such as a number of points. */
export function answerValue(
  headers: { readonly accept?: string },
  root: string,
  value: unknown,
): Answer<Buffer> {
  const format = formatOf(headers.accept);
  const text = format === "json" ? JSON.stringify(value) : xmlOf(root, value);
  return answer(200, Buffer.from(text), { "content-type": mediaTypeOf(format), vary: "accept" });
}
