/** Debits that a creditor may collect without asking each time. */

import { type Static, Type } from "@sinclair/typebox";
import { Amount, keptIn, LabelMonetaryAccount, LabelUser, type RecordRow } from "../../book/index.ts";
import { amountOf } from "../../money/index.ts";
import { WhitelistKept } from "../views/whitelists.ts";

export const whitelistMembers = {
  id: Type.Integer(),
  monetary_account_incoming_id: Type.Integer(),
  monetary_account_paying_id: Type.Integer(),
  type: Type.String(),
  status: Type.String(),
  credit_scheme_identifier: Type.String(),
  mandate_identifier: Type.Optional(Type.String()),
  counterparty_alias: LabelMonetaryAccount,
  maximum_amount_per_month: Type.Optional(Amount),
  maximum_amount_per_payment: Type.Optional(Amount),
  user_alias_created: Type.Optional(LabelUser),
  routing_type: Type.Optional(Type.String()),
};
export const Whitelist = Type.Object(whitelistMembers);
export function whitelistView(record: RecordRow): Static<typeof Whitelist> {
  const kept = keptIn(WhitelistKept, record);
  const { perMonth, perPayment, creator, routing } = kept;
  return {
    id: record.id,
    monetary_account_incoming_id: kept.incomingLedgerId,
    monetary_account_paying_id: kept.payingLedgerId,
    type: "CORE",
    status: record.status,
    credit_scheme_identifier: kept.scheme,
    ...(record.kind === "whitelist-sdd-recurring" && { mandate_identifier: kept.mandate }),
    counterparty_alias: kept.counterparty,
    ...(perMonth && { maximum_amount_per_month: amountOf(perMonth) }),
    ...(perPayment && { maximum_amount_per_payment: amountOf(perPayment) }),
    ...(creator && { user_alias_created: creator }),
    ...(routing !== undefined && { routing_type: routing }),
  };
}
