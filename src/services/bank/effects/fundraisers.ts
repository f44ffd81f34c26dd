/** The page on which a user raises money: everybody has one, for the first account. */
import { createRecord, moveRecord } from "../records.ts";
import type { BankContext } from "../state.ts";
import { listRecords, takeId } from "../store/index.ts";
import type { LedgerRow } from "../tables.ts";
import type { ProfileKept } from "../views/tabs.ts";
import { openPage } from "./open-pages.ts";

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
/** It ends with its account, and comes back with it. */
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
