/** Shares of accounts, as either side sees them. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type BankContext,
  findLedger,
  LabelMonetaryAccount,
  LabelUser,
  type ShareRow,
  shareDetails,
  timeText,
} from "../../book/index.ts";
import { findUser } from "../store/users.ts";
import { labelOf, labelOfUser } from "../views/accounts.ts";

const rights = {
  view_balance: Type.Optional(Type.Boolean()),
  view_old_events: Type.Optional(Type.Boolean()),
  view_new_events: Type.Optional(Type.Boolean()),
  make_draft_payments: Type.Optional(Type.Boolean()),
  make_payments: Type.Optional(Type.Boolean()),
};
export const ShareDetail = Type.Object({
  payment: Type.Optional(Type.Object(rights)),
  read_only: Type.Optional(Type.Object(rights)),
  draft_payment: Type.Optional(Type.Object(rights)),
});
export const Inquiry = Type.Object({
  id: Type.Integer(),
  alias: LabelMonetaryAccount,
  user_alias_created: LabelUser,
  counter_user_alias: LabelUser,
  monetary_account_id: Type.Integer(),
  status: Type.String(),
  access_type: Type.String(),
  relationship: Type.Optional(Type.String()),
});
export const Response = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  counter_alias: LabelMonetaryAccount,
  monetary_account_id: Type.Optional(Type.Integer()),
  share_detail: ShareDetail,
  access_type: Type.String(),
  status: Type.String(),
  share_type: Type.String(),
  start_date: Type.Optional(Type.String()),
  end_date: Type.Optional(Type.String()),
  description: Type.String(),
});

const VIEW = { view_balance: true, view_old_events: true, view_new_events: true };
const DETAILS: Readonly<Record<string, Static<typeof ShareDetail>>> = {
  VIEW_BALANCE: { read_only: { ...VIEW, view_old_events: false, view_new_events: false } },
  VIEW_TRANSACTION: { read_only: VIEW },
  DRAFT_PAYMENT: { draft_payment: { ...VIEW, make_draft_payments: true } },
  FULL_TRANSIENT: { payment: { ...VIEW, make_draft_payments: true, make_payments: true } },
};

async function sidesOf({ db, account }: BankContext, { ledger_id, owner_id, user_id }: ShareRow) {
  const [ledger, owner, other] = await Promise.all([
    findLedger(db, account, ledger_id),
    findUser(db, account, owner_id),
    findUser(db, account, user_id),
  ]);
  if (!ledger || !owner || !other) throw new Error(`the account ${ledger_id} is shared by nobody`);
  return { label: labelOf(ledger, owner), ledger, owner, other };
}
export async function inquiryView(context: BankContext, share: ShareRow): Promise<Static<typeof Inquiry>> {
  const { label, owner, other } = await sidesOf(context, share);
  const { relationship } = shareDetails.read(share.details);
  return {
    id: share.id,
    alias: label,
    user_alias_created: labelOfUser(owner),
    counter_user_alias: labelOfUser(other),
    monetary_account_id: share.ledger_id,
    status: share.status,
    access_type: share.access,
    ...(relationship !== undefined && { relationship }),
  };
}
export async function responseView(context: BankContext, share: ShareRow): Promise<Static<typeof Response>> {
  const { label, ledger } = await sidesOf(context, share);
  return {
    id: share.id,
    created: timeText(share.created_at),
    updated: timeText(share.updated_at),
    counter_alias: label,
    ...(share.status === "ACTIVE" && { monetary_account_id: share.ledger_id }),
    share_detail: DETAILS[share.access] ?? {},
    access_type: share.access,
    status: share.status,
    share_type: shareDetails.read(share.details).share_type ?? "STANDARD",
    ...(share.starts_at !== null && { start_date: timeText(share.starts_at) }),
    ...(share.ends_at !== null && { end_date: timeText(share.ends_at) }),
    description: ledger.description,
  };
}
