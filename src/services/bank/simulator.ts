/** The door by which the admin interface plays tills, cash machines and other banks. */
import { type OwnContext, ServiceError } from "#kernel/operation";
import {
  type BankSimulator,
  type SimulatedAmount,
  type SimulatedDebit,
  type SimulatedOutcome,
  SimulationError,
} from "#ports/bank-simulator";
import {
  type BankContext,
  errors,
  findLedger,
  findRecordById,
  insertRecord,
  proveBooks,
  type RecordRow,
  takeId,
} from "./book/index.ts";
import {
  ACTION,
  type Authorisation,
  actionBodyOf,
  authorise,
  challenge,
  ENTRY_MODES,
  type EntryMode,
  refund,
  reverse,
  settle,
} from "./cards/index.ts";
import { findAlias, isCurrency, type Money, readAmount, readIban, receive, setRate } from "./money/index.ts";
import { collect } from "./requests/index.ts";

function moneyOf({ value, currency }: SimulatedAmount): Money {
  const minor = isCurrency(currency) ? readAmount(value, currency) : undefined;
  if (minor === undefined || minor <= 0)
    throw errors.badRequest(
      "The amount must be a decimal number above nothing, and a currency of three letters.",
    );
  return { minor, currency };
}
function entryOf(text: string): EntryMode {
  const entry = ENTRY_MODES.find((one) => one === text);
  if (!entry) throw errors.badRequest(`A card is used by one of ${ENTRY_MODES.join(", ")}.`);
  return entry;
}
const outcomeOf = (action: RecordRow): SimulatedOutcome => {
  const { decision, reason, paymentIds } = actionBodyOf(action);
  return {
    id: action.id,
    status: action.status,
    decision,
    decisionDescription: reason,
    monetaryAccountId: action.owner_id,
    paymentIds,
  };
};
/** The card transaction comes of the answer. */
async function askHolder(context: BankContext, use: Authorisation): Promise<SimulatedOutcome> {
  const { record, ledgerId } = await challenge(context, use);
  return {
    id: record.id,
    status: record.status,
    decision: "CHALLENGED",
    decisionDescription: "The holder of the card is asked, and has five minutes to answer.",
    monetaryAccountId: ledgerId,
    paymentIds: [],
  };
}
/** How much of an action, in its own currency; all of it where nothing is said. */
async function minorOf(
  { db, account }: BankContext,
  actionId: number,
  amount: SimulatedAmount | undefined,
): Promise<number | undefined> {
  if (!amount) return undefined;
  const { minor, currency } = moneyOf(amount);
  const action = await findRecordById(db, account, ACTION, actionId);
  if (action && actionBodyOf(action).billing.currency !== currency)
    throw errors.badRequest(`The card transaction is in ${actionBodyOf(action).billing.currency}.`);
  return minor;
}

const KINDS = {
  TRANSFER: { type: "EBA_SCT", kind: undefined },
  SWITCH_SERVICE: { type: "SWITCH_SERVICE", kind: "switch-service-payment" },
  CARD: { type: "ADYEN", kind: "adyen-card-transaction" },
} as const;
async function receiveFromElsewhere(
  context: BankContext,
  { iban, amount, description, from, by }: Parameters<BankSimulator["receive"]>[1],
): Promise<SimulatedOutcome> {
  const { db, account, clock } = context;
  const id = await takeId(db, account);
  const alias = await findAlias(db, account, "IBAN", readIban(iban) ?? "");
  const ledger = alias && (await findLedger(db, account, alias.ledger_id));
  if (!ledger) throw errors.badRequest(`There is no account ${iban.slice(0, 60)}.`);
  const { type, kind } = KINDS[by];
  const payment = await receive(context, ledger, moneyOf(amount), description, {
    type,
    counterparty: {
      display_name: from.name,
      country: from.iban?.slice(0, 2) ?? "NL",
      is_light: false,
      ...(from.iban !== undefined && { iban: from.iban }),
    },
  });
  const now = clock.nowMs();
  if (kind !== undefined)
    await insertRecord(db, {
      account,
      kind,
      id,
      user_id: ledger.user_id,
      owner_id: ledger.id,
      status: "ACCEPTED",
      body: JSON.stringify({ paymentId: payment.id, iban: from.iban ?? "" }),
      created_at: now,
      updated_at: now,
    });
  return {
    id: kind === undefined ? payment.id : id,
    status: "ACCEPTED",
    decision: "ALLOWED",
    decisionDescription: "The money is there.",
    monetaryAccountId: ledger.id,
    paymentIds: [payment.id],
  };
}

async function collectFrom(
  context: BankContext,
  { iban, amount, creditor, mandateIdentifier, recurring, description }: SimulatedDebit,
): Promise<SimulatedOutcome> {
  const response = await collect(context, {
    iban,
    money: moneyOf(amount),
    creditorName: creditor.name,
    creditorIban: creditor.iban,
    schemeIdentifier: creditor.schemeIdentifier,
    mandateIdentifier,
    isRecurring: recurring,
    description,
  });
  const isCovered = response.status === "ACCEPTED";
  return {
    id: response.id,
    status: response.status,
    decision: isCovered ? "ALLOWED" : "WAITING",
    decisionDescription: isCovered
      ? "A whitelist covers it."
      : "The owner of the account has two days to answer.",
    monetaryAccountId: response.owner_id,
    paymentIds: [],
  };
}

/** What is wrong is said to whoever simulates, not in the bank's own shape. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw new SimulationError(error.message);
    throw error;
  }
}

export const simulatorFor = (own: OwnContext): BankSimulator => ({
  authorise: (context, { amount, billing = amount, entry, challenge: isChallenged = false, ...rest }) =>
    told(async () => {
      const inner: BankContext = own(context);
      const use = { ...rest, local: moneyOf(amount), billing: moneyOf(billing), entry: entryOf(entry) };
      return isChallenged ? askHolder(inner, use) : outcomeOf(await authorise(inner, use));
    }),
  reverse: (context, { transactionId }) =>
    told(async () => outcomeOf(await reverse(own(context), transactionId))),
  settle: (context, { transactionId, amount }) =>
    told(async () => {
      const inner: BankContext = own(context);
      return outcomeOf(await settle(inner, transactionId, await minorOf(inner, transactionId, amount)));
    }),
  refund: (context, { transactionId, amount }) =>
    told(async () => {
      const inner: BankContext = own(context);
      return outcomeOf(await refund(inner, transactionId, await minorOf(inner, transactionId, amount)));
    }),
  receive: (context, incoming) => told(() => receiveFromElsewhere(own(context), incoming)),
  collect: (context, debit) => told(() => collectFrom(own(context), debit)),
  prove(context) {
    const { db, account }: BankContext = own(context);
    return proveBooks(db, account);
  },
  setRates: (context, rates) =>
    told(async () => {
      for (const [currency, rate] of Object.entries(rates)) await setRate(own(context), currency, rate);
    }),
});
