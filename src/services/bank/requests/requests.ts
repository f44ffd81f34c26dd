/**
 * Requests for money: created, answered, revoked, expired. Each side has its own record under a shared id.
 */

import { type Static, Type } from "@sinclair/typebox";
import type { Unchanging } from "../book/index.ts";
import {
  type BankContext,
  clearDeadline,
  createRecord,
  errors,
  findLedger,
  findRecordById,
  keptIn,
  type LedgerRow,
  moveRecord,
  openPage,
  type RecordRow,
  setDeadline,
  tell,
  userDetails,
} from "../book/index.ts";
import {
  type AddressBody,
  digitsOf,
  findFriend,
  findInside,
  findUser,
  getKnownLedger,
  isGenerous,
  labelled,
  Money,
  PointerTo,
  pay,
  QUOTE,
  QuoteKept,
  readInstant,
  receive,
  takeQuote,
} from "../money/index.ts";
import { getPictures, handOver } from "./shared-pictures.ts";
import { inquiryView, RequestKept, responseView } from "./views/requests.ts";

const OPEN_MS = 30 * 86_400_000;
const GENEROUS_MAX_UNITS = 500;

export const Inquiry = Type.Object({
  money: Money,
  to: PointerTo,
  description: Type.String(),
  isLowerAllowed: Type.Boolean(),
  isHigherAllowed: Type.Boolean(),
  /** Whether a person who is not a user gets a payment page. */
  isPageAllowed: Type.Optional(Type.Boolean()),
  batchId: Type.Optional(Type.Number()),
  scheduledId: Type.Optional(Type.Number()),
  reference: RequestKept.schema.properties.reference,
  extras: Type.Pick(RequestKept.schema, [
    "merchant_reference",
    "minimum_age",
    "require_address",
    "redirect_url",
    "attachments",
  ]),
});
export type Inquiry = Unchanging<Static<typeof Inquiry>>;

export const tellInquiry = (context: BankContext, record: RecordRow, action: "CREATE" | "UPDATE") =>
  tell(context, record, {
    category: "REQUEST",
    action,
    type: "RequestInquiry",
    shown: inquiryView(record, context.request.mountUrl),
  });
export const tellResponse = (context: BankContext, record: RecordRow, action: "CREATE" | "UPDATE") =>
  tell(context, record, {
    category: "REQUEST",
    action,
    type: "RequestResponse",
    shown: responseView(record),
  });

function keptOf(context: BankContext, from: LedgerRow, inquiry: Inquiry, alias: RequestKept["alias"]) {
  const { money, to, description, isLowerAllowed, isHigherAllowed, batchId, scheduledId } = inquiry;
  return {
    amount: money,
    expiresAtMs: context.clock.nowMs() + OPEN_MS,
    alias,
    counterparty: { display_name: to.name ?? to.value, country: "NL", is_light: true },
    description,
    inquirerLedgerId: from.id,
    batchId,
    scheduledId,
    reference: inquiry.reference,
    type: "INTERNAL",
    subType: "NONE",
    isLowerAllowed,
    isHigherAllowed,
    ...inquiry.extras,
  } satisfies RequestKept;
}

/**
 * Notifies the user who is asked, and returns the body of the request. A person who is not a user gets the
 * address of a payment page.
 */
export async function makeInquiry(
  context: BankContext,
  from: LedgerRow,
  inquiry: Inquiry,
  id: number,
): Promise<{ readonly status: string; readonly body: RequestKept }> {
  const { money, to } = inquiry;
  if (money.currency !== from.currency)
    throw errors.badRequest(`The account ${from.id} is in ${from.currency}.`);
  const target = await findInside(context, to);
  const alias = await labelled(context, from);
  const kept = keptOf(context, from, inquiry, alias);
  const pictures = await getPictures(context, from, inquiry.extras.attachments ?? []);
  if (!target) return requestOfStranger(context, from, kept, inquiry, id);
  if (target.ledger.id === from.id) throw errors.badRequest("Nobody asks an account for its own money.");
  const handed = await handOver(context, pictures, target.ledger);
  const response = await createRecord(context, {
    kind: "request-response",
    userId: target.ledger.user_id,
    ownerId: target.ledger.id,
    id,
    body: {
      ...kept,
      alias: target.label,
      counterparty: alias,
      ...(handed.length > 0 && { attachments: handed }),
    },
  });
  await tellResponse(context, response, "CREATE");
  await setDeadline(context, "request-inquiry", id, kept.expiresAtMs);
  return { status: "PENDING", body: { ...kept, counterparty: target.label } };
}

async function requestOfStranger(
  context: BankContext,
  from: LedgerRow,
  kept: RequestKept,
  { to, isPageAllowed = true }: Inquiry,
  id: number,
): Promise<{ status: string; body: RequestKept }> {
  const friend = findFriend(to);
  if (friend && isGenerous(to)) return answeredByFriend(context, from, kept, friend);
  if (!isPageAllowed)
    throw errors.badRequest(
      `Nobody here is known as ${to.value.slice(0, 100)}; allow_vendorme would give them a page to pay on.`,
    );
  const shareUuid = await openPage(context, { kind: "request-inquiry", recordId: id });
  await setDeadline(context, "request-inquiry", id, kept.expiresAtMs);
  return { status: "PENDING", body: { ...kept, shareUuid } };
}
async function answeredByFriend(
  context: BankContext,
  from: LedgerRow,
  kept: RequestKept,
  counterparty: RequestKept["counterparty"],
) {
  const { amount, description } = kept;
  const respondedAtMs = context.clock.nowMs();
  if (amount.minor > GENEROUS_MAX_UNITS * 10 ** digitsOf(amount.currency))
    return { status: "REJECTED", body: { ...kept, respondedAtMs } };
  await receive(context, from, amount, description, { subType: "REQUEST", counterparty });
  return { status: "ACCEPTED", body: { ...kept, counterparty, responded: amount, respondedAtMs } };
}

export type Answer = {
  readonly status: string;
  readonly money?: Money | undefined;
  /** An offer to pay it by from an account in another currency. */
  readonly quoteId?: number | undefined;
  readonly address_shipping?: AddressBody | undefined;
  readonly address_billing?: AddressBody | undefined;
};
function requireAmountAllowed(
  { amount, isLowerAllowed, isHigherAllowed }: RequestKept,
  { minor, currency }: Money,
) {
  if (currency !== amount.currency) throw errors.badRequest(`The request is in ${amount.currency}.`);
  if (minor < amount.minor && !isLowerAllowed)
    throw errors.badRequest("This request cannot be paid in part.");
  if (minor > amount.minor && !isHigherAllowed)
    throw errors.badRequest("More than the requested amount is not allowed.");
}
function requireAddresses({ require_address = "NONE" }: RequestKept, answer: Answer): void {
  for (const which of ["shipping", "billing"] as const)
    if (require_address.includes(which.toUpperCase()) && !answer[`address_${which}`])
      throw errors.badRequest(`This request asks for address_${which}.`);
}
const YEAR_MS = 31_556_952_000;
async function requireAge({ db, account, clock }: BankContext, userId: number, years = 0): Promise<void> {
  if (years === 0) return;
  const user = await findUser(db, account, userId);
  const date_of_birth = user && userDetails.read(user.details).date_of_birth;
  const bornMs = readInstant(String(date_of_birth));
  if (bornMs === undefined || clock.nowMs() - bornMs < years * YEAR_MS)
    throw errors.badRequest(`This request is for people of ${years} years and more.`);
}

/** Pays a request from the account that was asked. */
async function payRequest(context: BankContext, response: RecordRow, kept: RequestKept, money: Money) {
  const to = await findLedger(context.db, context.account, kept.inquirerLedgerId);
  if (!to) throw errors.badRequest("The account that asked for this is gone.");
  return pay(context, {
    from: await getKnownLedger(context.db, context.account, response.owner_id),
    to: { ledger: to, label: kept.counterparty },
    money,
    description: kept.description,
    type: "BUNQ",
    subType: "REQUEST",
    details: { merchant_reference: kept.merchant_reference },
  });
}

/** Pays with an offer for exactly this payment: the same account, amount and payee. */
async function payByQuote(
  context: BankContext,
  response: RecordRow,
  money: Money,
  quoteId: number,
): Promise<void> {
  const quote = await findRecordById(context.db, context.account, QUOTE, quoteId);
  if (quote?.owner_id !== response.owner_id) throw errors.badRequest(`There is no offer ${quoteId}.`);
  if (quote.status !== "PENDING") throw errors.badRequest(`The offer is ${quote.status}.`);
  const { target, to, expiresAtMs } = keptIn(QuoteKept, quote);
  if (expiresAtMs <= context.clock.nowMs()) throw errors.badRequest("The offer has expired.");
  const payee = await findInside(context, to);
  const { inquirerLedgerId } = keptIn(RequestKept, response);
  const isForThis =
    payee?.ledger.id === inquirerLedgerId &&
    target.minor === money.minor &&
    target.currency === money.currency;
  if (!isForThis) throw errors.badRequest("The offer is not for what this request asks for.");
  await takeQuote(context, quote);
  await moveRecord(context, quote, { status: "ACCEPTED" });
}

/** Returns the body of an answered response, and moves the requester's record with it. */
export async function answerRequest(
  context: BankContext,
  response: RecordRow,
  answer: Answer,
): Promise<{ readonly status: string; readonly body: RequestKept }> {
  const kept = keptIn(RequestKept, response);
  const { status, address_shipping, address_billing } = answer;
  const respondedAtMs = context.clock.nowMs();
  const outcome = { respondedAtMs, address_shipping, address_billing };
  const body: RequestKept = { ...kept, ...outcome };
  if (status === "REJECTED") {
    await moveInquiry(context, response.id, status, outcome);
    return { status, body };
  }
  const responded = answer.money ?? kept.amount;
  requireAmountAllowed(kept, responded);
  requireAddresses(kept, answer);
  await requireAge(context, response.user_id, kept.minimum_age);
  if (answer.quoteId === undefined) await payRequest(context, response, kept, responded);
  else await payByQuote(context, response, responded, answer.quoteId);
  await moveInquiry(context, response.id, status, { ...outcome, responded });
  return { status, body: { ...body, responded } };
}
async function moveInquiry(context: BankContext, id: number, status: string, outcome: Partial<RequestKept>) {
  await clearDeadline(context, "request-inquiry", id);
  const inquiry = await findRecordById(context.db, context.account, "request-inquiry", id);
  if (!inquiry) return;
  const moved = await moveRecord(context, inquiry, {
    status,
    body: { ...keptIn(RequestKept, inquiry), ...outcome },
  });
  await tellInquiry(context, moved, "UPDATE");
}

async function moveResponse(context: BankContext, id: number, status: string): Promise<void> {
  const response = await findRecordById(context.db, context.account, "request-response", id);
  if (response) await tellResponse(context, await moveRecord(context, response, { status }), "UPDATE");
}
/** Also for a request whose other side a restore has removed. */
export async function expireResponse(context: BankContext, id: number): Promise<void> {
  const response = await findRecordById(context.db, context.account, "request-response", id);
  if (response?.status === "PENDING") await moveResponse(context, id, "EXPIRED");
}
/** Revokes a request on both sides. */
export async function revokeInquiry(context: BankContext, inquiry: RecordRow): Promise<RequestKept> {
  await clearDeadline(context, "request-inquiry", inquiry.id);
  await moveResponse(context, inquiry.id, "REVOKED");
  const kept = keptIn(RequestKept, inquiry);
  return { ...kept, revoker: kept.alias.label_user };
}
export async function expireInquiry(context: BankContext, inquiry: RecordRow): Promise<void> {
  if (inquiry.status !== "PENDING") return;
  await expireResponse(context, inquiry.id);
  await tellInquiry(context, await moveRecord(context, inquiry, { status: "EXPIRED" }), "UPDATE");
}
/** A stranger has paid on the page of the request. */
export async function settleInquiry(
  context: BankContext,
  inquiry: RecordRow,
  responded: Money,
): Promise<void> {
  await moveInquiry(context, inquiry.id, "ACCEPTED", { responded, respondedAtMs: context.clock.nowMs() });
}
