/** Accounts of money. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  Avatar,
  type BankContext,
  LabelUser,
  type LedgerRow,
  ledgerDetails,
  Pointer,
  pageOfShares,
  timeText,
} from "../../book/index.ts";
import { SHARES_MAX } from "../domain/limits.ts";
import { amountOf } from "../domain/money.ts";
import { findAvatar } from "../store/attachments.ts";
import { findUser, listAliases } from "../store/users.ts";
import { labelOfUser } from "../views/accounts.ts";

export const Setting = Type.Object({
  color: Type.Optional(Type.String({ maxLength: 9 })),
  icon: Type.Optional(Type.String({ maxLength: 100 })),
  default_avatar_status: Type.Optional(Type.String({ maxLength: 50 })),
  restriction_chat: Type.Optional(Type.String({ maxLength: 50 })),
  sdd_expiration_action: Type.Optional(Type.String({ maxLength: 50 })),
});
const CoOwner = Type.Object({ alias: LabelUser, status: Type.String() });
export const MonetaryAccount = Type.Object({
  id: Type.Integer(),
  /** Distinguishes the kinds in a mixed list. The maker's format does it by the wrapper name. */
  kind: Type.String(),
  created: Type.String(),
  updated: Type.String(),
  currency: Type.String(),
  description: Type.String(),
  display_name: Type.String(),
  daily_limit: Amount,
  overdraft_limit: Amount,
  balance: Amount,
  alias: Type.Array(Pointer),
  avatar: Type.Optional(Avatar),
  public_uuid: Type.String(),
  status: Type.String(),
  sub_status: Type.String(),
  reason: Type.Optional(Type.String()),
  reason_description: Type.Optional(Type.String()),
  user_id: Type.Integer(),
  setting: Setting,
  service: Type.Optional(Type.String()),
  savings_goal: Type.Optional(Amount),
  savings_goal_progress: Type.Optional(Type.Integer()),
  all_co_owner: Type.Optional(Type.Array(CoOwner)),
});

async function coOwnersOf({ db, account }: BankContext, { id }: LedgerRow) {
  const shares = await pageOfShares(db, account, { ledger_id: id }, { limit: SHARES_MAX });
  const owners = [];
  for (const { user_id, status } of shares) {
    const user = await findUser(db, account, user_id);
    if (user) owners.push({ alias: labelOfUser(user), status: status === "ACTIVE" ? "ACCEPTED" : status });
  }
  return owners;
}
/** In whole percent. A negative balance counts as zero. */
const progressOf = (balance: number, goal: number): number =>
  goal === 0 ? 100 : Math.max(0, Math.floor((balance / goal) * 100));

export async function monetaryAccountView(
  context: BankContext,
  ledger: LedgerRow,
): Promise<Static<typeof MonetaryAccount>> {
  const { db, account } = context;
  const { currency, kind } = ledger;
  const {
    setting = {},
    reason,
    reason_description,
    service,
    savings_goal_minor: goal,
    avatar_uuid,
  } = ledgerDetails.read(ledger.details);
  const aliases = await listAliases(db, account, ledger.user_id);
  const avatar = avatar_uuid !== undefined && (await findAvatar(db, account, avatar_uuid));
  return {
    id: ledger.id,
    kind,
    created: timeText(ledger.created_at),
    updated: timeText(ledger.updated_at),
    currency,
    description: ledger.description,
    display_name: ledger.display_name,
    daily_limit: amountOf({ minor: ledger.daily_limit, currency }),
    overdraft_limit: amountOf({ minor: ledger.overdraft_limit, currency }),
    balance: amountOf({ minor: ledger.balance, currency }),
    alias: aliases
      .filter(({ ledger_id }) => ledger_id === ledger.id)
      .map(({ type, value, name }) => ({ type, value, name })),
    ...(avatar && { avatar: { uuid: avatar.uuid, image: JSON.parse(avatar.images) } }),
    public_uuid: ledger.public_uuid,
    status: ledger.status,
    sub_status: ledger.sub_status,
    ...(reason !== undefined && { reason }),
    ...(reason_description !== undefined && { reason_description }),
    user_id: ledger.user_id,
    setting,
    ...(service !== undefined && { service }),
    ...(goal !== undefined && {
      savings_goal: amountOf({ minor: goal, currency }),
      savings_goal_progress: progressOf(ledger.balance, goal),
    }),
    ...((kind === "joint" || kind === "savings") && { all_co_owner: await coOwnersOf(context, ledger) }),
  };
}
