/** Operations of payment service providers: drafts, and payments that are approved on the issuer's page. */
import { Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  belowUser,
  callerOf,
  collection,
  errors,
  keptIn,
  type LedgerRow,
  mayUse,
  openPage,
  setDeadline,
} from "../../book/index.ts";
import {
  Description,
  findInside,
  findUser,
  getInstant,
  getPositive,
  Instant,
  PointerBody,
  StatusBody,
} from "../../money/index.ts";
import { cancelProvided, createProvidedDraft, IssuerKept, ProvidedDraftKept } from "../../requests/index.ts";
import { entryOf } from "../orders.ts";
import { issuerMembers, issuerView, providedDraftMembers, providedDraftView } from "../wire/providers.ts";

const COUNT_MAX = 100_000;
const OPEN_MS = 60 * 60_000;
const Iban = Type.String({ minLength: 5, maxLength: 60 });
const Name = Type.String({ minLength: 1, maxLength: 140 });

/** Providers may draft for any account. Others need the right to draft payments from it. */
async function getSender(context: BankContext, iban: string): Promise<LedgerRow> {
  const sender = await findInside(context, { type: "IBAN", value: iban });
  if (!sender) throw errors.badRequest("sender_iban is no account of this bank.");
  const caller = await findUser(context.db, context.account, callerOf(context).userId);
  if (caller?.kind !== "provider" && !(await mayUse(context, sender.ledger.id, "draft")))
    throw errors.badRequest("Only payment service providers draft payments from accounts of others.");
  return sender.ledger;
}

const drafts = collection({
  kind: "payment-service-provider-draft-payment",
  name: "PaymentServiceProviderDraftPayment",
  noun: "draft of a payment",
  ...belowUser("payment-service-provider-draft-payment"),
  wrapper: "PaymentServiceProviderDraftPayment",
  methods: ["create", "list", "read", "update"],
  signed: ["create"],
  countMax: COUNT_MAX,
  given: {
    sender_iban: Iban,
    sender_name: Type.Optional(Name),
    counterparty_iban: Iban,
    counterparty_name: Name,
    description: Description,
    amount: Amount,
  },
  changed: { status: StatusBody },
  shown: providedDraftMembers,
  async make(context, body, _params, id) {
    const { sender_iban, counterparty_iban, counterparty_name, description, amount } = body;
    const sender = await getSender(context, sender_iban);
    const pointer = { type: "IBAN", value: counterparty_iban, name: counterparty_name };
    const entry = await entryOf(context, { amount, counterparty_alias: pointer, description });
    const providerUserId = callerOf(context).userId;
    const draftId = await createProvidedDraft(context, {
      sender,
      entry,
      providerUserId,
      id,
    });
    const kept: ProvidedDraftKept = {
      draftId,
      senderIban: sender_iban,
      receiverIban: counterparty_iban,
      money: entry.money,
    };
    return { body: kept };
  },
  async change(context, record, { status }) {
    await cancelProvided(context, record);
    return { status, body: keptIn(ProvidedDraftKept, record) };
  },
  show: (_context, record) => providedDraftView(record),
});

const ISSUER = "payment-service-provider-issuer-transaction";
const transactions = collection({
  kind: ISSUER,
  name: "PaymentServiceProviderIssuerTransaction",
  noun: "transaction",
  ...belowUser(ISSUER),
  wrapper: "PaymentServiceProviderIssuerTransaction",
  methods: ["create", "list", "read", "update"],
  countMax: COUNT_MAX,
  given: {
    counterparty_alias: PointerBody,
    amount: Amount,
    description: Description,
    url_redirect: Type.String({ minLength: 1, maxLength: 1000, pattern: "^https?://" }),
    time_expiry: Type.Optional(Instant),
  },
  changed: { status: StatusBody },
  shown: issuerMembers,
  async make(context, body, _params, id) {
    const { counterparty_alias, amount, description, url_redirect, time_expiry } = body;
    const target = await findInside(context, counterparty_alias);
    if (!target) throw errors.badRequest("counterparty_alias is no account of this bank.");
    const now = context.clock.nowMs();
    const expiresAtMs = time_expiry === undefined ? now + OPEN_MS : getInstant(time_expiry, "time_expiry");
    if (expiresAtMs <= now) throw errors.badRequest("time_expiry has passed.");
    await setDeadline(context, ISSUER, id, expiresAtMs);
    const kept: IssuerKept = {
      money: getPositive(amount, "amount"),
      to: counterparty_alias,
      counterparty: target.label,
      alias: { display_name: "A. Payer", country: "NL", is_light: false },
      description,
      urlRedirect: url_redirect,
      expiresAtMs,
      issuerUuid: await openPage(context, { kind: ISSUER, recordId: id }),
    };
    return { body: kept };
  },
  change(_context, record, { status }) {
    return { status, body: keptIn(IssuerKept, record) };
  },
  show: (_context, record) => issuerView(record),
});

export const providerOperations = [...drafts, ...transactions];
