/** The fundraiser page of a user. Each user has one, for the first account. */
import {
  type BankContext,
  createRecord,
  type LedgerRow,
  listRecords,
  moveRecord,
  openPage,
  takeId,
} from "../book/index.ts";
import type { ProfileKept } from "./views/tabs.ts";

const KIND = "vendorme-fundraiser-profile";
export async function openFundraiser(context: BankContext, ledger: LedgerRow): Promise<void> {
  const id = await takeId(context.db, context.account);
  const body: ProfileKept = {
    description: `Give something to ${ledger.display_name}`,
    color: "#1D6B51",
    shareUuid: await openPage(context, { kind: KIND, recordId: id }),
  };
  await createRecord(context, { kind: KIND, userId: ledger.user_id, ownerId: ledger.id, id, body });
}
/** The page is closed with its account, and opened again with it. */
export async function followAccount(
  context: BankContext,
  { id, user_id }: LedgerRow,
  status: string,
): Promise<void> {
  const wanted = { CANCELLED: "DEACTIVATED", ACTIVE: "ACTIVE" }[status];
  const place = { kind: KIND, userId: user_id, ownerId: id };
  for (const profile of await listRecords(context.db, context.account, place, 1))
    if (wanted !== undefined && profile.status !== wanted)
      await moveRecord(context, profile, { status: wanted });
}
