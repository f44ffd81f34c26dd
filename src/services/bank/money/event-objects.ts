/** The thing that an event happened to, as it was then. */
import type { BankContext, EventRow } from "../book/index.ts";
import { findPayment } from "./store/payments.ts";
import { paymentView } from "./views/payments.ts";

/** Payments never change, so that they are read where they lie. */
export async function objectOf(
  { db, account }: BankContext,
  { ledger_id, object_kind, object_id, body }: EventRow,
): Promise<Record<string, unknown>> {
  if (body !== "") return { [object_kind]: JSON.parse(body) };
  const payment = await findPayment(db, account, ledger_id, object_id);
  return { [object_kind]: payment ? paymentView(payment) : { id: object_id } };
}
