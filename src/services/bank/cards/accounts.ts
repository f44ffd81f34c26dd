/** Accounts of credit cards: the card draws on a credit, which the account behind it settles every month. */
import { Type } from "@sinclair/typebox";
import { ServiceError, type WorkKind } from "#kernel/operation";
import { type BankContext, findLedger, type LedgerRow, ledgerDetails } from "../book/index.ts";
import { labelled, laterMonth, openLedger, pay } from "../money/index.ts";

/** In the smallest unit of the account's currency. */
const CREDIT_MINOR = 100_000;

export const cardSettlement = {
  name: "bank.card-settlement",
  payload: Type.Object({ ledgerId: Type.Integer() }),
} satisfies WorkKind<{ ledgerId: number }>;
/** On the first of the next month. */
const planSettlement = (context: BankContext, ledgerId: number): Promise<unknown> =>
  context.enqueue(
    cardSettlement,
    { ledgerId },
    { runAtMs: laterMonth(context.clock.nowMs(), 1), key: `card-settlement/${ledgerId}` },
  );

export async function openCardAccount(
  context: BankContext,
  behind: LedgerRow,
  description: string,
): Promise<LedgerRow> {
  const ledger = await openLedger(context, {
    userId: behind.user_id,
    kind: "card",
    currency: behind.currency,
    country: behind.iban.slice(0, 2),
    displayName: behind.display_name,
    description,
    overdraftLimitMinor: CREDIT_MINOR,
    details: { settled_by: behind.id },
  });
  await planSettlement(context, ledger.id);
  return ledger;
}

/** Pays as much as the account behind it has. The rest remains due for the next month. */
async function payOff(context: BankContext, ledger: LedgerRow, from: LedgerRow): Promise<void> {
  const minor = Math.min(-ledger.balance, from.balance);
  if (minor <= 0) return;
  try {
    await pay(context, {
      from,
      to: { ledger, label: await labelled(context, ledger) },
      money: { minor, currency: ledger.currency },
      description: "Credit card of the month",
      type: "BUNQ",
      subType: "BILLING",
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}
export async function settleCardAccount(context: BankContext, ledgerId: number): Promise<void> {
  const { db, account } = context;
  const ledger = await findLedger(db, account, ledgerId);
  if (ledger?.status !== "ACTIVE") return;
  const { settled_by } = ledgerDetails.read(ledger.details);
  const from = settled_by === undefined ? undefined : await findLedger(db, account, settled_by);
  if (from) await payOff(context, ledger, from);
  await planSettlement(context, ledgerId);
}
