/** Codes that a user scans from another user's screen. Each becomes a request to the user who scanned it. */

import {
  type BankContext,
  createRecord,
  errors,
  findOpenPage,
  findRecordById,
  keptIn,
  type LedgerRow,
  pageOfLedgers,
  type RecordRow,
} from "../book/index.ts";
import { ACCOUNTS_MAX, labelled } from "../money/index.ts";
import type { MerchantKind } from "./domain/merchants.ts";
import { concludeMerchant } from "./merchants.ts";
import { tellResponse } from "./requests.ts";
import { MerchantKept } from "./views/merchants.ts";
import type { RequestKept } from "./views/requests.ts";

async function getPayingLedger(
  { db, account }: BankContext,
  userId: number,
  currency: string,
): Promise<LedgerRow> {
  const own = await pageOfLedgers(db, account, { userId, kinds: ["bank", "joint"] }, { limit: ACCOUNTS_MAX });
  const fitting = own.filter((ledger) => ledger.currency === currency && ledger.status === "ACTIVE").at(-1);
  if (!fitting) throw errors.badRequest(`You have no account in ${currency}.`);
  return fitting;
}
async function getOpen(context: BankContext, kind: MerchantKind, token: string): Promise<RecordRow> {
  const { db, account } = context;
  const share = await findOpenPage(db, token);
  const found =
    share?.account === account && share.kind === kind
      ? await findRecordById(db, account, kind, share.record_id)
      : undefined;
  if (found?.status !== "OPEN") throw errors.badRequest("The code leads to nothing that can be paid.");
  return found;
}
export async function answerCode(
  context: BankContext,
  userId: number,
  { kind, token }: { readonly kind: MerchantKind; readonly token: string },
): Promise<RecordRow> {
  const transaction = await getOpen(context, kind, token);
  const { money, alias, description, expiresAtMs } = keptIn(MerchantKept, transaction);
  const ledger = await getPayingLedger(context, userId, money.currency);
  if (ledger.id === transaction.owner_id)
    throw errors.badRequest("Nobody asks an account for its own money.");
  const kept: RequestKept = {
    amount: money,
    expiresAtMs,
    alias: await labelled(context, ledger),
    counterparty: alias,
    description,
    inquirerLedgerId: transaction.owner_id,
    type: "INTERNAL",
    subType: "NONE",
    isLowerAllowed: false,
    isHigherAllowed: false,
    merchant: { kind, id: transaction.id },
  };
  const response = await createRecord(context, {
    kind: "request-response",
    userId,
    ownerId: ledger.id,
    body: kept,
  });
  await tellResponse(context, response, "CREATE");
  return response;
}
/** The user has paid: so the transaction behind the code has succeeded. */
export async function settleCode(context: BankContext, { merchant, alias }: RequestKept): Promise<void> {
  if (!merchant) return;
  const transaction = await findRecordById(context.db, context.account, merchant.kind, merchant.id);
  if (transaction?.status !== "OPEN") throw errors.badRequest("The transaction of the code has ended.");
  const kept = keptIn(MerchantKept, transaction);
  await concludeMerchant(context, transaction, "SUCCESS", { ...kept, counterparty: alias });
}
