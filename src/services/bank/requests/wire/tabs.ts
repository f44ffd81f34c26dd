/** Tabs and fundraisers: addresses where anybody can pay. */

import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  keptIn,
  LabelMonetaryAccount,
  type PaymentRow,
  Pointer,
  type RecordRow,
  timeText,
} from "../../book/index.ts";
import { amountOf, type Label, Payment, ProfileKept, paymentView, TabKept } from "../../money/index.ts";

/** Ways to pay on the page, in the order they are offered. */
export const MERCHANTS = ["INSTANT", "IDEAL", "SOFORT", "OPEN_BANKING", "BANK_TRANSFER"] as const;
const Merchants = Type.Array(Type.Object({ merchant_type: Type.String(), available: Type.Boolean() }));
const merchantsOf = (isOpen: boolean) =>
  MERCHANTS.map((merchant_type) => ({ merchant_type, available: isOpen }));

export const TabEntryBody = Type.Object({
  amount_inquired: Type.Optional(Amount),
  description: Type.Optional(Type.String({ maxLength: 140 })),
  redirect_url: Type.Optional(Type.String({ maxLength: 1000 })),
});
const TabEntry = Type.Object({
  amount_inquired: Type.Optional(Amount),
  description: Type.String(),
  redirect_url: Type.Optional(Type.String()),
  uuid: Type.String(),
  alias: LabelMonetaryAccount,
  status: Type.String(),
  merchant_available: Merchants,
  invite_profile_name: Type.String(),
});
export const tabMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  time_expiry: Type.String(),
  monetary_account_id: Type.Integer(),
  status: Type.String(),
  type: Type.String(),
  alias_monetary_account: LabelMonetaryAccount,
  vendorme_tab_share_url: Type.String(),
  vendorme_tab_entry: TabEntry,
  vendorme_tab_entries: Type.Array(TabEntry),
  result_inquiries: Type.Array(Type.Object({ payment: Payment, vendor_me_tab_id: Type.Integer() })),
};
const Tab = Type.Object(tabMembers);

export type Shown = {
  readonly alias: Label;
  readonly results: readonly PaymentRow[];
  readonly mountUrl: string;
};
const shareUrl = (mountUrl: string, uuid: string): string => `${mountUrl}/share/${uuid}`;

export function tabView(record: RecordRow, { alias, results, mountUrl }: Shown): Static<typeof Tab> {
  const { money, description, redirectUrl, shareUuid, expiresAtMs } = keptIn(TabKept, record);
  const entry = {
    ...(money && { amount_inquired: amountOf(money) }),
    description,
    ...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
    uuid: shareUuid,
    alias,
    status: record.status,
    merchant_available: merchantsOf(record.status === "WAITING_FOR_PAYMENT"),
    invite_profile_name: alias.display_name,
  };
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    time_expiry: timeText(expiresAtMs),
    monetary_account_id: record.owner_id,
    status: record.status,
    type: "BUNQ_ME",
    alias_monetary_account: alias,
    vendorme_tab_share_url: shareUrl(mountUrl, shareUuid),
    vendorme_tab_entry: entry,
    vendorme_tab_entries: [entry],
    result_inquiries: results.map((payment) => ({
      payment: paymentView(payment),
      vendor_me_tab_id: record.id,
    })),
  };
}

const profileMembers = {
  color: Type.String(),
  alias: LabelMonetaryAccount,
  currency: Type.String(),
  description: Type.String(),
  pointer: Pointer,
  status: Type.String(),
};
export const FundraiserProfile = Type.Object({
  id: Type.Integer(),
  monetary_account_id: Type.Integer(),
  owner_user_id: Type.Integer(),
  ...profileMembers,
});
export const FundraiserResult = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  vendorme_fundraiser_profile: Type.Object({
    ...profileMembers,
    invite_profile_name: Type.String(),
    merchant_available: Merchants,
  }),
  payments: Type.Array(Payment),
});
function profileOf(
  record: RecordRow,
  { alias, mountUrl, currency }: Omit<Shown, "results"> & { currency: string },
) {
  const { description, color, shareUuid } = keptIn(ProfileKept, record);
  const pointer = { type: "URL", value: shareUrl(mountUrl, shareUuid), name: alias.display_name };
  return { color, alias, currency, description, pointer, status: record.status };
}
export const profileView = (
  record: RecordRow,
  shown: Omit<Shown, "results"> & { currency: string },
): Static<typeof FundraiserProfile> => ({
  id: record.id,
  monetary_account_id: record.owner_id,
  owner_user_id: record.user_id,
  ...profileOf(record, shown),
});
export const fundraiserResultView = (
  record: RecordRow,
  { results, ...shown }: Shown & { currency: string },
): Static<typeof FundraiserResult> => ({
  id: record.id,
  created: timeText(record.created_at),
  updated: timeText(results[0]?.created_at ?? record.updated_at),
  vendorme_fundraiser_profile: {
    ...profileOf(record, shown),
    invite_profile_name: shown.alias.display_name,
    merchant_available: merchantsOf(record.status === "ACTIVE"),
  },
  payments: results.map(paymentView),
});
