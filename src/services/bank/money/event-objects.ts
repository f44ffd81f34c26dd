/** The object of an event, as it was at the time of the event. */
import type { BankContext, EventRow } from "../book/index.ts";
import { findPayment } from "./store/payments.ts";
import { paymentView } from "./views/payments.ts";

/** Payments never change, so they are read from their table instead of being copied into the event. */
export async function objectOf(
  { db, account }: BankContext,
  { ledger_id, object_kind, object_id, body }: EventRow,
): Promise<Record<string, unknown>> {
  if (body !== "") return { [object_kind]: JSON.parse(body) };
  const payment = await findPayment(db, account, ledger_id, object_id);
  return { [object_kind]: payment ? paymentView(payment) : { id: object_id } };
}
