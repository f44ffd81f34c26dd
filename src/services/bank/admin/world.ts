/** Plays tills, cash machines and other banks. */
import type { Static } from "@sinclair/typebox";
import { kernelErrors } from "#kernel/operation";
import {
  type BankContext,
  createRecord,
  errors,
  findLedger,
  findRecordById,
  type RecordRow,
  takeId,
} from "../book/index.ts";
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
} from "../cards/index.ts";
import { findAlias, isCurrency, type Money, readAmount, readIban, receive } from "../money/index.ts";
import { collect } from "../requests/index.ts";
import type { CardTransaction, DirectDebit, IncomingPayment, OutcomeView } from "./shapes.ts";

type Given = { readonly value: string; readonly currency: string };
function moneyOf({ value, currency }: Given): Money {
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
const outcomeOf = (action: RecordRow): OutcomeView => {
  const { decision, reason, paymentIds } = actionBodyOf(action);
  return {
    id: action.id,
    status: action.status,
    decision,
    decisionDescription: reason,
    monetaryAccountId: action.owner_id,
    paymentIds: [...paymentIds],
  };
};
/** The card transaction comes of the answer. */
async function askHolder(context: BankContext, use: Authorisation): Promise<OutcomeView> {
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
/** The amount in the action's own currency; the full amount if none is given. */
async function minorOf(
  { db, account }: BankContext,
  actionId: number,
  amount: Given | undefined,
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
/** An incoming payment from another bank. */
export async function receiveFromElsewhere(
  context: BankContext,
  { iban, amount, description = "", from, by }: Static<typeof IncomingPayment>,
): Promise<OutcomeView> {
  const { db, account } = context;
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
  if (kind !== undefined)
    await createRecord(context, {
      kind,
      id,
      userId: ledger.user_id,
      ownerId: ledger.id,
      status: "ACCEPTED",
      body: { paymentId: payment.id, iban: from.iban ?? "" },
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

/** A direct debit that a creditor outside collects from an account. */
export async function collectFrom(
  context: BankContext,
  {
    iban,
    amount,
    creditor,
    mandateIdentifier,
    recurring = false,
    description = "",
  }: Static<typeof DirectDebit>,
): Promise<OutcomeView> {
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

type Use = Static<typeof CardTransaction>;
function required<T>(value: T | undefined, member: string, action: string): T {
  if (value === undefined) throw kernelErrors.invalidInput(`To ${action}, ${member} is needed.`);
  return value;
}
function authorisationOf(given: Use): Authorisation {
  const { action } = given;
  const {
    name,
    city = "",
    country = "NL",
    categoryCode = "5999",
    id: merchantId = "",
  } = required(given.merchant, "merchant", action);
  const cardId = required(given.cardId, "cardId", action);
  const amount = required(given.amount, "amount", action);
  return {
    cardId,
    local: moneyOf(amount),
    billing: moneyOf(given.billingAmount ?? amount),
    merchant: { name, city, country, categoryCode, id: merchantId },
    entry: entryOf(given.entry ?? "CONTACTLESS"),
    ...(given.primaryAccountNumberId !== undefined && { numberId: given.primaryAccountNumberId }),
    ...(given.pin !== undefined && { pin: given.pin }),
    ...(given.cvc2 !== undefined && { cvc2: given.cvc2 }),
  };
}
/** A merchant uses a card, or changes an earlier authorisation. */
export async function useCard(context: BankContext, given: Use): Promise<OutcomeView> {
  const { action, amount } = given;
  if (action === "authorise") {
    const use = authorisationOf(given);
    return given.challenge === true ? askHolder(context, use) : outcomeOf(await authorise(context, use));
  }
  const id = required(given.transactionId, "transactionId", action);
  if (action === "reverse") return outcomeOf(await reverse(context, id));
  const minor = await minorOf(context, id, amount);
  return outcomeOf(await (action === "settle" ? settle : refund)(context, id, minor));
}
