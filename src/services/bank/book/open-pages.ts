/** Addresses that anybody may open, and what lies behind each of them. */
import type { BankContext } from "./state.ts";
import { insertOpenPage } from "./store/open-pages.ts";

/** Answers what its address ends with. */
export async function openPage(
  { db, account, ids, clock }: BankContext,
  { kind, recordId }: { readonly kind: string; readonly recordId: number },
): Promise<string> {
  const uuid = ids.uuid();
  await insertOpenPage(db, { account, uuid, kind, record_id: recordId, created_at: clock.nowMs() });
  return uuid;
}
