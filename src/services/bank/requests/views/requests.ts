/** Requests for money, as each side sees them. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, keptIn, type RecordRow, recordKind, timeText } from "../../book/index.ts";
import { AddressBody, amountOf, Label, Money, UserLabel } from "../../money/index.ts";

/** The body that both sides store. Each has the other's account as its counterparty. */
export const RequestKept = recordKind(
  ["request-inquiry", "request-response"],
  Type.Object({
    amount: Money,
    responded: Type.Optional(Money),
    respondedAtMs: Type.Optional(Type.Number()),
    expiresAtMs: Type.Number(),
    alias: Label,
    counterparty: Label,
    description: Type.String(),
    inquirerLedgerId: Type.Number(),
    batchId: Type.Optional(Type.Number()),
    scheduledId: Type.Optional(Type.Number()),
    shareUuid: Type.Optional(Type.String()),
    reference: Type.Optional(
      Type.Object({
        type: Type.String(),
        id: Type.Number(),
      }),
    ),
    revoker: Type.Optional(UserLabel),
    type: Type.String(),
    subType: Type.String(),
    attachments: Type.Optional(Type.Array(Type.Number())),
    merchant_reference: Type.Optional(Type.String()),
    minimum_age: Type.Optional(Type.Number()),
    require_address: Type.Optional(Type.String()),
    redirect_url: Type.Optional(Type.String()),
    isLowerAllowed: Type.Boolean(),
    isHigherAllowed: Type.Boolean(),
    address_shipping: Type.Optional(AddressBody),
    address_billing: Type.Optional(AddressBody),
    credit_scheme_identifier: Type.Optional(Type.String()),
    mandate_identifier: Type.Optional(Type.String()),
    eligible_whitelist_id: Type.Optional(Type.Number()),
    /** The transaction whose code was read. */
    merchant: Type.Optional(
      Type.Object({
        kind: Type.String(),
        id: Type.Number(),
      }),
    ),
    refundRequestedAtMs: Type.Optional(Type.Number()),
    refundedAtMs: Type.Optional(Type.Number()),
  }),
);
export type RequestKept = KeptOf<typeof RequestKept>;

type Times = { readonly [Member in string]?: number | undefined };
/** Members whose instants are known. */
const timesIn = (times: Times): Record<string, string> =>
  Object.fromEntries(
    Object.entries(times).flatMap(([member, ms]) => (ms === undefined ? [] : [[member, timeText(ms)]])),
  );
/** Members that are known, under their own names. */
const knownIn = <Kept extends object, Name extends keyof Kept>(kept: Kept, names: readonly Name[]) =>
  Object.fromEntries(
    names.flatMap((name) => (kept[name] === undefined ? [] : [[name, kept[name]]])),
  ) as Partial<Pick<Kept, Name>>;

function commonOf(record: RecordRow, kept: RequestKept) {
  const { amount, responded, respondedAtMs, counterparty, description, expiresAtMs } = kept;
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    ...timesIn({ time_responded: respondedAtMs }),
    time_expiry: timeText(expiresAtMs),
    monetary_account_id: record.owner_id,
    amount_inquired: amountOf(amount),
    ...(responded && { amount_responded: amountOf(responded) }),
    counterparty_alias: counterparty,
    description,
    status: record.status,
    ...(kept.attachments && { attachment: kept.attachments.map((id) => ({ id })) }),
    ...knownIn(kept, [
      "minimum_age",
      "require_address",
      "redirect_url",
      "address_shipping",
      "address_billing",
    ]),
  };
}
export function inquiryView(record: RecordRow, mountUrl: string) {
  const kept = keptIn(RequestKept, record);
  const { batchId, scheduledId, shareUuid, reference, revoker, alias } = kept;
  return {
    ...commonOf(record, kept),
    ...(alias.label_user && { user_alias_created: alias.label_user }),
    ...(revoker && { user_alias_revoked: revoker }),
    ...knownIn(kept, ["merchant_reference"]),
    ...(batchId !== undefined && { batch_id: batchId }),
    ...(scheduledId !== undefined && { scheduled_id: scheduledId }),
    ...(shareUuid !== undefined && { vendorme_share_url: `${mountUrl}/share/${shareUuid}` }),
    ...(reference && { reference_split_the_bill: reference }),
  };
}
export function responseView(record: RecordRow) {
  const kept = keptIn(RequestKept, record);
  return {
    ...commonOf(record, kept),
    alias: kept.alias,
    type: kept.type,
    sub_type: kept.subType,
    ...timesIn({ time_refund_requested: kept.refundRequestedAtMs, time_refunded: kept.refundedAtMs }),
    ...knownIn(kept, ["credit_scheme_identifier", "mandate_identifier", "eligible_whitelist_id"]),
    request_reference_split_the_bill: kept.reference ? [kept.reference] : [],
  };
}
