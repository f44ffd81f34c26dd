/** Card transactions as their holders see them. */

import {
  type BankContext,
  findRecordById,
  type LedgerRow,
  type RecordRow,
  timeText,
} from "../../book/index.ts";
import { amountOf, dayText, labelled } from "../../money/index.ts";
import { bodyOf, CARD } from "../cards.ts";
import { actionBodyOf } from "../domain/card-actions.ts";

const CLEARING: Readonly<Record<string, string>> = {
  AUTHORISED: "PENDING",
  SETTLED: "FIRST_PRESENTMENT_COMPLETE",
  REFUNDED: "FIRST_PRESENTMENT_COMPLETE",
};
const PAYMENT_STATUS: Readonly<Record<string, string>> = {
  AUTHORISED: "PAYMENT_SUCCESSFUL",
  SETTLED: "PAYMENT_SUCCESSFUL",
  REFUNDED: "PAYMENT_SUCCESSFUL",
  REFUSED: "PAYMENT_FAILED",
};

export async function actionView(context: BankContext, action: RecordRow, ledger: LedgerRow) {
  const body = actionBodyOf(action);
  const { merchant, billing, local, settledMinor } = body;
  const card = await findRecordById(context.db, context.account, CARD, body.cardId);
  if (!card) throw new Error(`the card ${body.cardId} is gone`);
  const cardBody = bodyOf(card);
  const alias = await labelled(context, ledger);
  if (!alias.label_user) throw new Error(`the account ${ledger.id} is nobody's`);
  const isOpen = action.status === "AUTHORISED";
  const charged = isOpen || action.status === "REFUSED" ? billing : { ...billing, minor: settledMinor };
  return {
    id: action.id,
    created: timeText(action.created_at),
    updated: timeText(action.updated_at),
    monetary_account_id: ledger.id,
    card_id: card.id,
    amount_local: amountOf(local),
    amount_billing: amountOf(charged),
    amount_converted: amountOf(charged),
    amount_original_local: amountOf(local),
    amount_original_billing: amountOf(billing),
    card_authorisation_id_response: body.authorisationId,
    decision: body.decision,
    payment_status: PAYMENT_STATUS[action.status] ?? "PAYMENT_REVERSED",
    decision_description: body.reason,
    decision_description_translated: body.reason,
    description: `${merchant.name} ${merchant.city}`,
    authorisation_status: action.status,
    authorisation_type: body.entry === "ATM" ? "ATM" : "NORMAL_AUTHORISATION",
    pan_entry_mode_user: body.entry,
    settlement_status: settledMinor > 0 ? "SETTLED" : "NONE",
    clearing_status: CLEARING[action.status] ?? "NONE",
    city: merchant.city,
    alias,
    counterparty_alias: {
      display_name: merchant.name,
      country: merchant.country,
      is_light: false,
      merchant_category_code: merchant.categoryCode,
    },
    label_card: {
      uuid: cardBody.uuid,
      type: cardBody.type,
      second_line: cardBody.secondLine,
      expiry_date: dayText(cardBody.expiresAt),
      status: card.status,
      label_user: alias.label_user,
    },
    merchant_id: merchant.id,
    merchant_category_code: merchant.categoryCode,
    ...(isOpen && { reservation_expiry_time: timeText(body.reservedUntil) }),
    ...(body.appliedLimit !== "" && { applied_limit: body.appliedLimit }),
    all_mastercard_action_refund: body.refunds.map(({ paymentId, minor }) => ({
      payment_id: paymentId,
      amount: amountOf({ minor, currency: billing.currency }),
    })),
    pin_status: body.decision === "REFUSED_PIN" ? "INVALID" : "VALID",
  };
}
