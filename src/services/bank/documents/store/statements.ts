/** The ledger as statements read it: spans of time, the oldest first. */

import { sql } from "kysely";
import { type Db, paymentDetails } from "../../book/index.ts";
import type { Span } from "../../cards/index.ts";

export type LedgerPoint = { readonly serial: number; readonly balance: number };
/** How an account stood just before an instant. */
export async function ledgerBefore(
  db: Db,
  account: string,
  ledgerId: number,
  beforeMs: number,
): Promise<LedgerPoint> {
  const row = await db
    .selectFrom("bank_entry")
    .select(["serial", "balance_after"])
    .where("account", "=", account)
    .where("ledger_id", "=", ledgerId)
    .where("created_at", "<", beforeMs)
    .orderBy("created_at", "desc")
    .orderBy("serial", "desc")
    .limit(1)
    .executeTakeFirst();
  return { serial: Number(row?.serial ?? 0), balance: Number(row?.balance_after ?? 0) };
}

export type EntryOnPaper = {
  readonly serial: number;
  readonly movementId: number;
  readonly paymentId: number;
  readonly minor: number;
  readonly balanceAfter: number;
  readonly atMs: number;
  /** JSON; empty where the entry is no payment. */
  readonly counterparty: string;
  readonly description: string;
  readonly reference: string;
};
/** A payment's ids follow the id of its movement closely: this is the largest distance. */
const PAYMENT_NUMBERS_MAX = 8;
/** Entries behind a serial number, up to another. */
export async function entriesAfter(
  db: Db,
  account: string,
  ledgerId: number,
  { afterSerial, untilSerial }: { readonly afterSerial: number; readonly untilSerial: number },
  limit: number,
): Promise<EntryOnPaper[]> {
  const entries = await db
    .selectFrom("bank_entry")
    .selectAll()
    .where("account", "=", account)
    .where("ledger_id", "=", ledgerId)
    .where("serial", ">", afterSerial)
    .where("serial", "<=", untilSerial)
    .orderBy("serial")
    .limit(limit)
    .execute();
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return [];
  const payments = await db
    .selectFrom("bank_payment")
    .select(["id", "movement_id", "counterparty", "description", "details"])
    .where("account", "=", account)
    .where("ledger_id", "=", ledgerId)
    .where("id", ">", Number(first.movement_id))
    .where("id", "<=", Number(last.movement_id) + PAYMENT_NUMBERS_MAX)
    .execute();
  const byMovement = new Map(payments.map((payment) => [Number(payment.movement_id), payment]));
  return entries.map((entry) => {
    const movementId = Number(entry.movement_id);
    const payment = byMovement.get(movementId);
    return {
      serial: Number(entry.serial),
      movementId,
      paymentId: Number(payment?.id ?? movementId),
      minor: Number(entry.amount),
      balanceAfter: Number(entry.balance_after),
      atMs: Number(entry.created_at),
      counterparty: payment?.counterparty ?? "",
      description: payment?.description ?? "",
      reference: payment ? (paymentDetails.read(payment.details).merchant_reference ?? "") : "",
    };
  });
}

/** The sums of incoming and outgoing amounts within a period. */
export async function turnoverOf(
  db: Db,
  account: string,
  ledgerId: number,
  { fromMs, untilMs }: Span,
): Promise<{ readonly inMinor: number; readonly outMinor: number; readonly count: number }> {
  const side = async (comparison: "<" | ">") => {
    const { sum, count } = await db
      .selectFrom("bank_entry")
      .select(({ fn }) => [fn.sum<number | null>("amount").as("sum"), fn.countAll<number>().as("count")])
      .where("account", "=", account)
      .where("ledger_id", "=", ledgerId)
      .where("created_at", ">=", fromMs)
      .where("created_at", "<", untilMs)
      .where("amount", comparison, 0)
      .executeTakeFirstOrThrow();
    return { sum: Number(sum ?? 0), count: Number(count) };
  };
  const [came, went] = [await side(">"), await side("<")];
  return { inMinor: came.sum, outMinor: went.sum, count: came.count + went.count };
}

export type PaymentPicture = { readonly paymentId: number; readonly attachmentId: number };
/**
 * Pictures of an account's payments in a range of ids, the newest first: those sent with the payment, and
 * those added to it.
 */
export async function listPaymentPictures(
  db: Db,
  account: string,
  { ledgerId, firstId, lastId }: { ledgerId: number; firstId: number; lastId: number },
  limit: number,
): Promise<PaymentPicture[]> {
  const payments = await db
    .selectFrom("bank_payment")
    .select(["id", "details"])
    .where("account", "=", account)
    .where("ledger_id", "=", ledgerId)
    .where("id", ">=", firstId)
    .where("id", "<=", lastId)
    .where(sql<boolean>`details like '%"attachments":%'`)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const notes = await db
    .selectFrom("bank_record")
    .innerJoin("bank_ledger", (join) =>
      join
        .onRef("bank_ledger.account", "=", "bank_record.account")
        .onRef("bank_ledger.user_id", "=", "bank_record.user_id"),
    )
    .select(["bank_record.owner_id as id", "bank_record.body"])
    .where("bank_record.account", "=", account)
    .where("bank_record.kind", "=", "note-attachment/payment")
    .where("bank_ledger.id", "=", ledgerId)
    .where("bank_record.owner_id", ">=", firstId)
    .where("bank_record.owner_id", "<=", lastId)
    .orderBy("bank_record.id", "desc")
    .limit(limit)
    .execute();
  return [
    ...payments.flatMap(({ id, details }) =>
      (paymentDetails.read(details).attachments ?? []).map((attachmentId) => ({
        paymentId: Number(id),
        attachmentId,
      })),
    ),
    ...notes.map(({ id, body }) => ({
      paymentId: Number(id),
      attachmentId: Number(JSON.parse(body).attachment_id),
    })),
  ].slice(0, limit);
}
