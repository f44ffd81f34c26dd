/** Parts that all kinds of documents share: their place, how to start a job, and how to read the result. */
import { type TProperties, Type } from "@sinclair/typebox";
import { Answer, media } from "#kernel/operation";
import {
  type BankContext,
  errors,
  findRecordById,
  getLedger,
  operation,
  type Params,
  type RecordPlace,
  type RecordRow,
  requireUser,
} from "../../book/index.ts";
import { getCard } from "../../cards/index.ts";
import { dayText, documentWork, type Made, nextDay, readTime } from "../../money/index.ts";
import type { RegionalFormat } from "../domain/statement.ts";
import { forgetContent } from "../makers.ts";
import type { StatementBody } from "../statements.ts";

export const DOCUMENTS_MAX = 1000;

export const contentAnswerOf = ({ bytes, type }: Made): Answer<Uint8Array> =>
  new Answer(200, bytes, { "content-type": type, "x-content-type-options": "nosniff" });
/** The document itself. */
export const contentOperation = ({
  id,
  path,
  params,
  types,
  read,
}: {
  readonly id: string;
  readonly path: string;
  readonly params: TProperties;
  readonly types: readonly [string, ...string[]];
  read(context: BankContext, params: Params): Promise<Answer<Uint8Array>>;
}) =>
  operation({
    id,
    summary: "Reads the bytes of a document",
    description:
      "A job makes the document after its request; read its record until the status shows that it is done.",
    method: "GET",
    path,
    permission: "bank:ReadDocument",
    params: Type.Object(params),
    answers: { 200: media(...types) },
    handle: (input, context) => read(context, input.params as Params),
  });

/** Starts the job that makes a requested document. */
export async function begin<Kept extends object>(context: BankContext, kind: string, id: number, body: Kept) {
  await context.enqueue(documentWork, { kind, id });
  return { status: "PENDING", body: body as Record<string, unknown> };
}
export async function getDocument(context: BankContext, place: RecordPlace, id: number): Promise<RecordRow> {
  const record = await findRecordById(context.db, context.account, place.kind, id);
  if (record?.user_id !== place.userId || record.owner_id !== place.ownerId)
    throw errors.notFound(`There is no document ${id}.`);
  return record;
}

export const span = { date_start: Type.String({ maxLength: 30 }), date_end: Type.String({ maxLength: 30 }) };
/** Both days are in it. */
export function spanOf({ date_start, date_end }: { date_start: string; date_end: string }) {
  const [fromMs, lastMs] = [readTime(date_start), readTime(date_end)];
  if (fromMs === undefined || lastMs === undefined)
    throw errors.badRequest("date_start and date_end must be days, such as 2026-01-31.");
  if (lastMs < fromMs) throw errors.badRequest("date_end must not be before date_start.");
  return { fromMs, untilMs: nextDay(lastMs) };
}
export function regionalOf(text = "EUROPEAN"): RegionalFormat {
  if (text !== "UK_US" && text !== "EUROPEAN")
    throw errors.badRequest("regional_format must be UK_US or EUROPEAN.");
  return text;
}
export const placeOfLedger = async (context: BankContext, { userID = 0, monetaryAccountID = 0 }: Params) => {
  await getLedger(context, userID, monetaryAccountID);
  return { userId: userID, ownerId: monetaryAccountID };
};
export const placeOfCard = async (context: BankContext, { userID = 0, cardID = 0 }: Params) => {
  await getCard(context, requireUser(context, userID), cardID);
  return { userId: userID, ownerId: cardID };
};
export const placeOfUser = async (context: BankContext, { userID = 0 }: Params) => ({
  userId: requireUser(context, userID),
  ownerId: 0,
});
export const remove = (context: BankContext, record: RecordRow) => forgetContent(context, record);
export const shownSpan = ({ fromMs, untilMs }: StatementBody) => ({
  date_start: dayText(fromMs),
  date_end: dayText(untilMs - 1),
});
