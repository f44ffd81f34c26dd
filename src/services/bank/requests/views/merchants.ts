/** Payments that strangers approve at their own bank. */

import { type RecordRow, timeText } from "../../book/index.ts";
import { amountOf, type Label, type Money, messagesOf } from "../../money/index.ts";
import { ISSUERS } from "../domain/merchants.ts";

export type MerchantKept = {
  readonly money: Money;
  readonly issuer: string;
  readonly description: string;
  readonly alias: Label;
  readonly counterparty?: Label;
  readonly issuerUuid: string;
  readonly purchase: string;
  readonly expiresAtMs: number;
  readonly changedAtMs: number;
  /** The page that it was begun on, and what that is for. */
  readonly share?: { readonly uuid: string; readonly kind: string; readonly recordId: number } | undefined;
};
const MESSAGES: Readonly<Record<string, string>> = {
  FAILURE: "The bank of the payer refused.",
  CANCELLED: "The payer has cancelled.",
  EXPIRED: "Nobody has paid in time.",
};
export function merchantView(record: RecordRow, mountUrl: string) {
  const kept: MerchantKept = JSON.parse(record.body);
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
