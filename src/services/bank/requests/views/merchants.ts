/** Payments that strangers approve at their own bank. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, keptIn, type RecordRow, recordKind, timeText } from "../../book/index.ts";
import { amountOf, Label, Money, messagesOf } from "../../money/index.ts";
import { ISSUERS, MERCHANT_KINDS } from "../domain/merchants.ts";

export const MerchantKept = recordKind(
  MERCHANT_KINDS,
  Type.Object({
    money: Money,
    issuer: Type.String(),
    description: Type.String(),
    alias: Label,
    counterparty: Type.Optional(Label),
    issuerUuid: Type.String(),
    purchase: Type.String(),
    expiresAtMs: Type.Number(),
    changedAtMs: Type.Number(),
    /** The page where it started, and the record behind that page. */
    share: Type.Optional(
      Type.Object({
        uuid: Type.String(),
        kind: Type.String(),
        recordId: Type.Number(),
      }),
    ),
  }),
);
export type MerchantKept = KeptOf<typeof MerchantKept>;
const MESSAGES: Readonly<Record<string, string>> = {
  FAILURE: "The bank of the payer refused.",
  CANCELLED: "The payer has cancelled.",
  EXPIRED: "Nobody has paid in time.",
};
export function merchantView(record: RecordRow, mountUrl: string) {
  const kept = keptIn(MerchantKept, record);
  const { money, issuer, alias, counterparty, issuerUuid, purchase, expiresAtMs, changedAtMs } = kept;
  const message = MESSAGES[record.status];
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    monetary_account_id: record.owner_id,
    alias,
    ...(counterparty && { counterparty_alias: counterparty }),
    amount_requested: amountOf(money),
    ...(record.status === "SUCCESS" && { amount_guaranteed: amountOf(money) }),
    expiration: timeText(expiresAtMs),
    issuer,
    issuer_name: ISSUERS[issuer] ?? issuer,
    issuer_authentication_url: `${mountUrl}/issuer/${issuerUuid}`,
    purchase_identifier: purchase,
    transaction_identifier: issuerUuid,
    status: record.status,
    status_timestamp: timeText(changedAtMs),
    error_message: message === undefined ? [] : messagesOf(message),
  };
}
