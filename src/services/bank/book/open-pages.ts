/** Public pages and the records that they show. */
import type { BankContext } from "./state.ts";
import { insertOpenPage } from "./store/open-pages.ts";

/** Returns the last part of the page's address. */
export async function openPage(
  { db, account, ids, clock }: BankContext,
  { kind, recordId }: { readonly kind: string; readonly recordId: number },
): Promise<string> {
  const uuid = ids.uuid();
  await insertOpenPage(db, { account, uuid, kind, record_id: recordId, created_at: clock.nowMs() });
  return uuid;
}
