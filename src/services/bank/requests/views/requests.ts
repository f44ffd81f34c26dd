/** Requests for money, as whoever asks and whoever is asked see them. */

import { type RecordRow, timeText } from "../../book/index.ts";
import { type AddressBody, amountOf, type Label, type Money, type UserLabel } from "../../money/index.ts";

/** What both sides keep; each has the other's account as its counterparty. */
export type RequestKept = {
  readonly amount: Money;
  readonly responded?: Money;
  readonly respondedAtMs?: number;
  readonly expiresAtMs: number;
  readonly alias: Label;
  readonly counterparty: Label;
  readonly description: string;
  readonly inquirerLedgerId: number;
  readonly batchId?: number | undefined;
  readonly scheduledId?: number | undefined;
  readonly shareUuid?: string | undefined;
  readonly reference?: { readonly type: string; readonly id: number } | undefined;
  readonly revoker?: UserLabel | undefined;
  readonly type: string;
  readonly subType: string;
  readonly attachments?: readonly number[] | undefined;
  readonly merchant_reference?: string | undefined;
  readonly minimum_age?: number | undefined;
  readonly require_address?: string | undefined;
  readonly redirect_url?: string | undefined;
  readonly isLowerAllowed: boolean;
  readonly isHigherAllowed: boolean;
  readonly address_shipping?: AddressBody | undefined;
  readonly address_billing?: AddressBody | undefined;
  readonly credit_scheme_identifier?: string | undefined;
  readonly mandate_identifier?: string | undefined;
  readonly eligible_whitelist_id?: number | undefined;
  /** The transaction whose code was read. */
  readonly merchant?: { readonly kind: string; readonly id: number };
  readonly refundRequestedAtMs?: number;
  readonly refundedAtMs?: number;
};

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
  const kept: RequestKept = JSON.parse(record.body);
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
  const kept: RequestKept = JSON.parse(record.body);
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
