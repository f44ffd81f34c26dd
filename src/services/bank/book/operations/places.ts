/** Places of records: below a user, or below one of the user's accounts. */
import type { Right } from "../domain/rights.ts";
import type { BankContext } from "../state.ts";
import type { LedgerRow } from "../tables.ts";
import { ledgerParams, userParams } from "../wire/shared.ts";
import { getLedger, requireUser } from "./operation.ts";

type Params = Readonly<Record<string, number>>;

/** `name`: the last part of the path. */
export const belowLedger = (name: string, right: Right = "pay") => ({
  path: `/user/{userID}/monetary-account/{monetaryAccountID}/${name}`,
  params: ledgerParams,
  async placeOf(context: BankContext, params: Params) {
    const ledger = await ledgerIn(context, params, right);
    return { userId: ledger.user_id, ownerId: ledger.id };
  },
});
export const belowUser = (name: string) => ({
  path: `/user/{userID}/${name}`,
  params: userParams,
  async placeOf(context: BankContext, { userID = 0 }: Params) {
    return { userId: requireUser(context, userID), ownerId: 0 };
  },
});
/** Any right on an account includes the right to view it. */
export const ledgerIn = (
  context: BankContext,
  { userID = 0, monetaryAccountID = 0 }: Params,
  right: Right = "pay",
): Promise<LedgerRow> =>
  getLedger(context, userID, monetaryAccountID, context.request.method === "GET" ? "history" : right);
