/** Orders that payment service providers start. */

import { Type } from "@sinclair/typebox";
import { Amount, keptIn, LabelMonetaryAccount, type RecordRow, timeText } from "../../book/index.ts";
import { amountOf } from "../../money/index.ts";
import { IssuerKept, ProvidedDraftKept } from "../../requests/index.ts";

export const providedDraftMembers = {
  id: Type.Integer(),
  sender_iban: Type.String(),
  receiver_iban: Type.String(),
  amount: Amount,
  status: Type.String(),
};
export function providedDraftView(record: RecordRow) {
  const { senderIban, receiverIban, money } = keptIn(ProvidedDraftKept, record);
  return {
    id: record.id,
    sender_iban: senderIban,
    receiver_iban: receiverIban,
    amount: amountOf(money),
    status: record.status,
  };
}
export const issuerMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  public_uuid: Type.String(),
  counterparty_alias: LabelMonetaryAccount,
  alias: LabelMonetaryAccount,
  amount: Amount,
  description: Type.String(),
  url_redirect: Type.String(),
  time_expiry: Type.String(),
  status: Type.String(),
};
export function issuerView(record: RecordRow) {
  const kept = keptIn(IssuerKept, record);
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    public_uuid: kept.issuerUuid,
    counterparty_alias: kept.counterparty,
    alias: kept.alias,
    amount: amountOf(kept.money),
    description: kept.description,
    url_redirect: kept.urlRedirect,
    time_expiry: timeText(kept.expiresAtMs),
    status: record.status,
  };
}
