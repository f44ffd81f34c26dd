/** The public payment pages, and the pages of the simulated banks where visitors approve a payment. */
import { Type } from "@sinclair/typebox";
import { noBody, ServiceError } from "#kernel/operation";
import {
  type BankContext,
  errors,
  findRecordById,
  insertRequestId,
  keptIn,
  type OpenPageRow,
  operation,
  takeId,
} from "../../book/index.ts";
import {
  basePathOf,
  behind,
  Html,
  pressed,
  publicForm,
  publicPage,
  readAmount,
  renderGone,
  see,
  show,
} from "../../money/index.ts";
import { planArrival } from "../arrivals.ts";
import { ISSUERS, type MerchantKind } from "../domain/merchants.ts";
import { createMerchant, DEFAULT_ISSUER, decideMerchant } from "../merchants.ts";
import { type ChosenOutcome, type IssuerTransaction, isOutcome, renderIssuer } from "../pages/issuer-page.ts";
import { isDone, isWay, renderDone, renderEnded, renderShare, type Way } from "../pages/share-page.ts";
import { findPayable, type Payable, receiveFor } from "../payables.ts";
import { decideProvided, findProvided, ISSUER } from "../providers.ts";
import { MerchantKept } from "../views/merchants.ts";

const NAME_MAX = 140;
const placeOf = ({ kind, record_id }: OpenPageRow) => ({ kind, recordId: record_id });

const openShare = operation({
  id: "bank.OpenSharePage",
  summary: "Shows the page on which a tab, a fundraiser or a request is paid",
  description:
    "Anybody who knows the address may open it. It shows who asks for how much and the ways to pay. A closed tab or request shows how it ended. `bank.PayOnSharePage` takes its form.",
  ...publicPage,
  path: "/share/{uuid}",
  query: Type.Object({ done: Type.Optional(Type.String({ maxLength: 20 })) }),
  async handle({ params, query: { done } }, context) {
    const payable = await behind(context, params.uuid, (inner, page) => findPayable(inner, placeOf(page)));
    if (!payable) return show(renderGone());
    if (done !== undefined && isDone(done)) return show(renderDone(payable, done));
    return show(
      payable.isOpen ? renderShare(payable, { attempt: context.ids.uuid() }) : renderEnded(payable),
    );
  },
});

type Payer = { readonly name: string; readonly way: Way; readonly amount: string };
function moneyFor({ money, ledger }: Payable, amount: string) {
  if (money) return money;
  const minor = readAmount(amount.trim().replace(",", "."), ledger.currency);
  if (minor === undefined || minor <= 0) throw errors.badRequest("Please say how much you want to pay.");
  return { minor, currency: ledger.currency };
}
/** A form that is sent twice pays once. */
async function requireFirst({ db, account, clock }: BankContext, attempt: string): Promise<void> {
  const row = { account, device_id: 0, request_id: `page:${attempt}`, created_at: clock.nowMs() };
  if (!(await insertRequestId(db, row)))
    throw errors.badRequest("This was sent before. Open the page again to pay once more.");
}
const KINDS: Readonly<Record<Exclude<Way, "instant" | "transfer">, MerchantKind>> = {
  ideal: "ideal-merchant-transaction",
  sofort: "sofort-merchant-transaction",
  "open-banking": "open-banking-merchant-transaction",
};
/** Where the payer goes next, below the mount. */
async function payHere(context: BankContext, page: OpenPageRow, payer: Payer): Promise<string> {
  const payable = await findPayable(context, placeOf(page));
  if (!payable?.isOpen) throw errors.badRequest("This can no longer be paid.");
  const { name, way, amount } = payer;
  if (name === "") throw errors.badRequest("Please say who you are.");
  const money = moneyFor(payable, amount);
  const share = { uuid: page.uuid, ...placeOf(page) };
  if (way === "transfer") {
    await planArrival(context, { ...placeOf(page), minor: money.minor, currency: money.currency, name });
    return `/share/${page.uuid}?done=coming`;
  }
  if (way === "instant") {
    const counterparty = { display_name: name, country: "NL", is_light: true };
    await receiveFor(context, payable, money, { type: "INSTANT", counterparty });
    return `/share/${page.uuid}?done=paid`;
  }
  const order = { kind: KINDS[way], money, issuer: DEFAULT_ISSUER, description: payable.description, share };
  const id = await takeId(context.db, context.account);
  const { issuerUuid } = await createMerchant(context, payable.ledger, order, id);
  return `/issuer/${issuerUuid}`;
}
const payShare = operation({
  id: "bank.PayOnSharePage",
  summary: "Pays on the page of a tab, a fundraiser or a request",
  description:
    "An instant payment is booked at once. A bank transfer arrives later, by a job. The other ways create a merchant transaction and redirect to the page of the payer's bank (`bank.OpenIssuerPage`). The same `attempt` pays only once, and a page takes at most 60 forms a minute.",
  ...publicForm,
  path: "/share/{uuid}",
  body: Type.Object({
    attempt: Type.String({ minLength: 1, maxLength: 64 }),
    way: Type.String({ maxLength: 20 }),
    name: Type.Optional(Type.String({ maxLength: NAME_MAX })),
    amount: Type.Optional(Type.String({ maxLength: 20, examples: ["12.34"] })),
  }),
  answers: { 303: noBody, 400: Html, 404: Html },
  async handle({ params, body }, context) {
    const { attempt, way, amount = "" } = body;
    const name = (body.name ?? "").trim();
    if (!isWay(way)) throw errors.badRequest("There is no such way to pay.");
    try {
      const next = await pressed(context, params.uuid, async (inner, page) => {
        await requireFirst(inner, attempt);
        return payHere(inner, page, { name, way, amount });
      });
      return next === undefined ? show(renderGone()) : see(`${basePathOf(context)}${next}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const payable = await behind(context, params.uuid, (inner, page) => findPayable(inner, placeOf(page)));
      const filled = { attempt: context.ids.uuid(), message: error.message, name };
      return show(payable ? renderShare(payable, filled) : renderGone());
    }
  },
});

const isMerchant = (kind: string): boolean => kind.endsWith("-merchant-transaction");
/** Pages of other kinds, such as the page of a request, are paid elsewhere. */
const findRecordOf = async ({ db, account }: BankContext, kind: string, id: number) =>
  isMerchant(kind) || kind === ISSUER ? findRecordById(db, account, kind, id) : undefined;
async function findTransaction(
  context: BankContext,
  { kind, record_id }: OpenPageRow,
  basePath: string,
): Promise<IssuerTransaction | undefined> {
  const record = await findRecordOf(context, kind, record_id);
  if (!record) return undefined;
  if (kind === ISSUER) return findProvided(record);
  const { money, issuer, alias, description, share } = keptIn(MerchantKept, record);
  const done = record.status === "SUCCESS" ? "paid" : "failed";
  return {
    bank: ISSUERS[issuer] ?? issuer,
    payee: alias.display_name,
    money,
    description,
    isOpen: record.status === "OPEN",
    status: record.status,
    back: share && `${basePath}/share/${share.uuid}?done=${done}`,
  };
}
const openIssuer = operation({
  id: "bank.OpenIssuerPage",
  summary: "Shows the page of a payer's bank",
  description:
    "It simulates the bank of the payer: it shows payee, amount and description. The payer approves, refuses or cancels with `bank.DecideOnIssuerPage`. A decided transaction shows its outcome.",
  ...publicPage,
  path: "/issuer/{uuid}",
  async handle({ params }, context) {
    const found = await behind(context, params.uuid, (inner, page) =>
      findTransaction(inner, page, basePathOf(context)),
    );
    return show(found ? renderIssuer(found) : renderGone());
  },
});

async function decide(
  context: BankContext,
  { kind, record_id }: OpenPageRow,
  { outcome, payer }: { readonly outcome: ChosenOutcome; readonly payer: string },
): Promise<boolean> {
  await takeId(context.db, context.account);
  const record = await findRecordOf(context, kind, record_id);
  if (!record) return false;
  if (kind === ISSUER) await decideProvided(context, record, outcome);
  else if (record.status === "OPEN") await decideMerchant(context, record, { status: outcome, payer });
  return true;
}
const decideIssuer = operation({
  id: "bank.DecideOnIssuerPage",
  summary: "Approves or refuses a payment on the page of a payer's bank",
  description:
    "Approval books the money on the payee's account; the other outcomes only end the transaction. A decided merchant transaction stays as it is. It redirects to the same page, which takes at most 60 forms a minute.",
  ...publicForm,
  path: "/issuer/{uuid}",
  body: Type.Object({
    outcome: Type.String({ maxLength: 20 }),
    name: Type.Optional(Type.String({ maxLength: NAME_MAX })),
  }),
  answers: { 303: noBody, 404: Html },
  async handle({ params, body: { outcome, name = "" } }, context) {
    if (!isOutcome(outcome)) throw errors.badRequest("A payment is approved, refused or cancelled.");
    const payer = name.trim() || "A. Payer";
    const found = await pressed(context, params.uuid, (inner, page) =>
      decide(inner, page, { outcome, payer }),
    );
    return found ? see(`${basePathOf(context)}/issuer/${params.uuid}`) : show(renderGone());
  },
});

export const pageOperations = [openShare, payShare, openIssuer, decideIssuer];
