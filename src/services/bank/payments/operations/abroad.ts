/** Payments abroad: offers, recipients and their required fields, transfers. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  belowUser,
  collection,
  errors,
  findRecord,
  getLedger,
  keptIn,
  operation,
  type Params,
  type RecordRow,
  recordKind,
  requireUser,
  userParams,
} from "../../book/index.ts";
import { findUser, getPositive, listAliases } from "../../money/index.ts";
import { quoteAbroad, sendAbroad } from "../abroad.ts";
import { currenciesAbroad, recipientTypes, whyNoRecipient } from "../domain/abroad.ts";
import { AbroadQuoteKept, AbroadUserKept, type RecipientKept, TransferKept } from "../views/abroad.ts";
import {
  abroadQuoteMembers,
  abroadQuoteView,
  Detail,
  Requirement,
  recipientMembers,
  recipientView,
  requirementView,
  transferMembers,
  transferView,
} from "../wire/abroad.ts";

const COUNT_MAX = 10_000;
const QUOTE = "transferwise-quote";
const Currency = Type.String({ minLength: 3, maxLength: 3 });
const quoteBody = {
  currency_source: Currency,
  currency_target: Currency,
  amount_source: Type.Optional(Amount),
  amount_target: Type.Optional(Amount),
};
const QuoteBody = Type.Object(quoteBody);
const made = async (context: BankContext, body: Static<typeof QuoteBody>) => {
  const { currency_source, currency_target, amount_source, amount_target } = body;
  return {
    body: await quoteAbroad(
      context,
      { sourceCurrency: currency_source, targetCurrency: currency_target },
      {
        source: amount_source && getPositive(amount_source, "amount_source"),
        target: amount_target && getPositive(amount_target, "amount_target"),
      },
    ),
  };
};

const listCurrencies = operation({
  id: "bank.ListTransferwiseCurrencies",
  summary: "Lists the currencies that money can be sent in",
  description:
    "These are the currencies with an exchange rate in this bank. `bank.CreateTransferwiseQuote` takes one as the target of an offer.",
  method: "GET",
  path: "/user/{userID}/transferwise-currency",
  permission: "bank:ListTransferwiseCurrencies",
  wrapper: "TransferwiseCurrency",
  params: Type.Object(userParams),
  answers: {
    200: Type.Array(Type.Object({ currency: Type.String(), name: Type.String(), country: Type.String() })),
  },
  handle({ params }, context) {
    requireUser(context, params.userID);
    return currenciesAbroad();
  },
});
const quotes = [QUOTE, "transferwise-quote-temporary"].flatMap((kind) =>
  collection({
    kind,
    name: kind === QUOTE ? "TransferwiseQuote" : "TransferwiseQuoteTemporary",
    noun: "offer to send money abroad",
    ...belowUser(kind),
    wrapper: "TransferwiseQuote",
    methods: ["create", "read"],
    countMax: COUNT_MAX,
    given: quoteBody,
    shown: abroadQuoteMembers,
    make: made,
    show: (_context, record) => abroadQuoteView(record),
  }),
);

const quoteParams = { ...userParams, transferwiseQuoteID: Type.Integer({ minimum: 1 }) };
async function getQuote(
  context: BankContext,
  { userID = 0, transferwiseQuoteID = 0 }: Params,
): Promise<RecordRow> {
  const place = { kind: QUOTE, userId: requireUser(context, userID) };
  const quote = await findRecord(context.db, context.account, place, transferwiseQuoteID);
  if (!quote) throw errors.notFound(`There is no offer ${transferwiseQuoteID}.`);
  return quote;
}
const belowQuote = (name: string) => ({
  path: `/user/{userID}/transferwise-quote/{transferwiseQuoteID}/${name}`,
  params: quoteParams,
  async placeOf(context: BankContext, params: Params) {
    const { user_id, id } = await getQuote(context, params);
    return { userId: user_id, ownerId: id };
  },
});

const recipientBody = {
  country: Type.Optional(Type.String({ minLength: 2, maxLength: 2 })),
  name_account_holder: Type.String({ minLength: 1, maxLength: 140 }),
  type: Type.String({ maxLength: 50 }),
  detail: Type.Optional(Type.Array(Detail, { maxItems: 20 })),
};
const RecipientBody = Type.Object(recipientBody);
async function recipientOf(context: BankContext, params: Params, body: Static<typeof RecipientBody>) {
  const { target } = keptIn(AbroadQuoteKept, await getQuote(context, params));
  const { country = target.currency.slice(0, 2), name_account_holder, type, detail = [] } = body;
  const why = whyNoRecipient(target.currency, type, detail);
  if (why !== undefined) throw errors.badRequest(why);
  const kept: RecipientKept = { currency: target.currency, country, name: name_account_holder, type, detail };
  return { body: kept };
}
const RECIPIENT = "transferwise-recipient";
const recipients = collection({
  kind: RECIPIENT,
  name: "TransferwiseRecipient",
  noun: "recipient",
  ...belowQuote(RECIPIENT),
  wrapper: "TransferwiseRecipient",
  methods: ["create", "list", "read", "delete"],
  countMax: COUNT_MAX,
  given: recipientBody,
  shown: recipientMembers,
  make: (context, body, params) => recipientOf(context, params, body),
  show: (_context, record) => recipientView(record),
});
const checks = collection({
  kind: "transferwise-recipient-requirement",
  name: "TransferwiseRecipientRequirement",
  noun: "check of a recipient",
  ...belowQuote("transferwise-recipient-requirement"),
  wrapper: "TransferwiseRequirement",
  methods: ["create"],
  countMax: COUNT_MAX,
  given: recipientBody,
  shown: recipientMembers,
  make: (context, body, params) => recipientOf(context, params, body),
  show: (_context, record) => recipientView(record),
});
const listRequirements = operation({
  id: "bank.ListTransferwiseRecipientRequirements",
  summary: "Lists the required fields of a recipient, by type of account",
  description:
    "Depends on the target currency of the offer. `bank.CreateTransferwiseRecipient` refuses a recipient that lacks one of these fields.",
  method: "GET",
  path: "/user/{userID}/transferwise-quote/{transferwiseQuoteID}/transferwise-recipient-requirement",
  permission: "bank:ListTransferwiseRecipientRequirements",
  wrapper: "TransferwiseRequirement",
  params: Type.Object(quoteParams),
  answers: { 200: Type.Array(Requirement) },
  async handle({ params }, context) {
    const { target } = keptIn(AbroadQuoteKept, await getQuote(context, params));
    return recipientTypes(target.currency).map(requirementView);
  },
});

async function getRecipient(context: BankContext, quote: RecordRow, id: string): Promise<RecordRow> {
  const place = { kind: RECIPIENT, userId: quote.user_id, ownerId: quote.id };
  const recipient = await findRecord(context.db, context.account, place, Number(id));
  if (!recipient) throw errors.badRequest(`There is no recipient ${id}.`);
  return recipient;
}
const NumberText = Type.String({ pattern: "^[0-9]{1,15}$", examples: ["12"] });
const transfers = collection({
  kind: "transferwise-transfer",
  name: "TransferwiseTransfer",
  noun: "transfer abroad",
  ...belowQuote("transferwise-transfer"),
  wrapper: "TransferwisePayment",
  methods: ["create", "list", "read"],
  signed: ["create"],
  countMax: COUNT_MAX,
  given: { monetary_account_id: NumberText, recipient_id: NumberText },
  shown: transferMembers,
  async make(context, { monetary_account_id, recipient_id }, params, id) {
    const quote = await getQuote(context, params);
    const from = await getLedger(context, quote.user_id, Number(monetary_account_id), "pay");
    const recipient = await getRecipient(context, quote, recipient_id);
    return { body: await sendAbroad(context, from, quote, recipient, id) };
  },
  async show(context, record) {
    const { quoteId } = keptIn(TransferKept, record);
    const place = { kind: QUOTE, userId: record.user_id };
    const quote = await findRecord(context.db, context.account, place, quoteId);
    if (!quote) throw new Error(`the offer ${quoteId} is gone`);
    return transferView(record, quote);
  },
});
recordKind(
  ["transferwise-transfer-requirement"],
  Type.Object({ recipientId: Type.Number(), detail: Type.Array(Detail) }),
);
const transferChecks = collection({
  kind: "transferwise-transfer-requirement",
  name: "TransferwiseTransferRequirement",
  noun: "check of a transfer",
  ...belowQuote("transferwise-transfer-requirement"),
  wrapper: "TransferwiseTransferRequirement",
  methods: ["create"],
  countMax: COUNT_MAX,
  given: { recipient_id: NumberText, detail: Type.Optional(Type.Array(Detail, { maxItems: 20 })) },
  shown: { id: Type.Integer() },
  async make(context, { recipient_id, detail = [] }, params) {
    const recipient = await getRecipient(context, await getQuote(context, params), recipient_id);
    return { body: { recipientId: recipient.id, detail } };
  },
  show: (_context, { id }) => ({ id }),
});

const users = collection({
  kind: "transferwise-user",
  name: "TransferwiseUser",
  noun: "account with the transfer provider",
  ...belowUser("transferwise-user"),
  wrapper: "TransferwiseUser",
  methods: ["create", "list"],
  countMax: 1,
  given: { oauth_code: Type.Optional(Type.String({ maxLength: 200 })) },
  shown: {
    id: Type.Integer(),
    name: Type.String(),
    email: Type.String(),
    source: Type.String(),
  },
  make: (_context, { oauth_code }) => ({ body: { source: oauth_code === undefined ? "CREATED" : "LINKED" } }),
  async show({ db, account }, record) {
    const user = await findUser(db, account, record.user_id);
    const aliases = await listAliases(db, account, record.user_id);
    return {
      id: record.id,
      name: user?.display_name ?? "",
      email: aliases.find(({ type }) => type === "EMAIL")?.value ?? "",
      source: keptIn(AbroadUserKept, record).source,
    };
  },
});

export const abroadOperations = [
  listCurrencies,
  ...quotes,
  ...recipients,
  ...checks,
  listRequirements,
  ...transfers,
  ...transferChecks,
  ...users,
];
