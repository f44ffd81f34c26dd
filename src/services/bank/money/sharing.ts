/**
 * Sharing of accounts: an owner sends an invitation, and the other user accepts it. The rights of the share
 * are enforced.
 */
import {
  type AccessType,
  type BankContext,
  errors,
  happened,
  insertShare,
  type LedgerRow,
  pageOfShares,
  type ShareDetails,
  type ShareRow,
  shareDetails,
  takeId,
} from "../book/index.ts";
import { SHARES_MAX } from "./domain/limits.ts";
import type { PointerTo } from "./paying.ts";
import { findAlias } from "./store/users.ts";

export type Invitation = {
  readonly to: PointerTo;
  readonly access: AccessType;
  readonly startsAtMs?: number | undefined;
  readonly endsAtMs?: number | undefined;
  readonly details?: ShareDetails;
};

/** Notes an event for both users of the share. */
export const tellOfShare = (context: BankContext, share: ShareRow, action: "CREATE" | "UPDATE") =>
  happened(
    context,
    {
      category: "SHARE",
      action,
      userId: share.owner_id,
      ledgerId: share.ledger_id,
      object: {
        type: "ShareInviteMonetaryAccountInquiry",
        id: share.id,
        body: { id: share.id, status: share.status, access_type: share.access },
      },
    },
    {
      category: "SHARE",
      action,
      userId: share.user_id,
      object: {
        type: "ShareInviteMonetaryAccountResponse",
        id: share.id,
        body: { id: share.id, status: share.status, access_type: share.access },
      },
    },
  );

/** Invites a user by e-mail address, phone number or account number. */
export async function invite(
  context: BankContext,
  ledger: LedgerRow,
  { to, access, startsAtMs, endsAtMs, details = {} }: Invitation,
): Promise<ShareRow> {
  const { db, account, clock } = context;
  const id = await takeId(db, account);
  const value = to.type === "IBAN" ? to.value.replaceAll(" ", "") : to.value.trim().toLowerCase();
  const alias = await findAlias(db, account, to.type, value);
  if (!alias) throw errors.badRequest(`Nobody here is known as ${value.slice(0, 100)}.`);
  if (alias.user_id === ledger.user_id)
    throw errors.badRequest("An account is shared with others, not with its owner.");
  const others = await pageOfShares(db, account, { ledger_id: ledger.id }, { limit: SHARES_MAX });
  if (others.length >= SHARES_MAX)
    throw errors.badRequest(`An account is shared at most ${SHARES_MAX} times.`);
  if (
    others.some(({ user_id, status }) => user_id === alias.user_id && ["PENDING", "ACTIVE"].includes(status))
  )
    throw errors.badRequest("The account is shared with this user already.");
  const now = clock.nowMs();
  const share: ShareRow = {
    account,
    id,
    ledger_id: ledger.id,
    owner_id: ledger.user_id,
    user_id: alias.user_id,
    access,
    status: "PENDING",
    starts_at: startsAtMs ?? null,
    ends_at: endsAtMs ?? null,
    details: shareDetails.write(details),
    created_at: now,
    updated_at: now,
  };
  await insertShare(db, share);
  await tellOfShare(context, share, "CREATE");
  return share;
}
