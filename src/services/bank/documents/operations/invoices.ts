/** Invoices, their papers, and the contracts that they come from. */
import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  collection,
  errors,
  findRecord,
  findRecordById,
  getLedger,
  keptBody,
  keptIn,
  ledgerParams,
  type RecordRow,
  recordTimes,
  requireUser,
  timesOf,
  userParams,
} from "../../book/index.ts";
import {
  ACCOUNT_INVOICE,
  dayText,
  documentWork,
  INVOICE,
  invoiceView,
  SUBSCRIPTION,
  SubscriptionBody,
} from "../../money/index.ts";
import { contentOf } from "../makers.ts";
import { Invoice, Subscription } from "../wire/invoices.ts";
import { contentAnswerOf, contentOperation } from "./document-parts.ts";

const EXPORTS_MAX = 20;

async function getInvoice(context: BankContext, userId: number, id: number): Promise<RecordRow> {
  requireUser(context, userId);
  const place = { kind: INVOICE, userId, ownerId: 0 };
  const invoice = await findRecord(context.db, context.account, place, id);
  if (!invoice) throw errors.notFound(`There is no invoice ${id}.`);
  return invoice;
}

const byUser = collection({
  kind: INVOICE,
  name: "Invoice",
  noun: "invoice",
  path: "/user/{userID}/invoice",
  params: userParams,
  wrapper: "Invoice",
  methods: ["list", "read"],
  countMax: 0,
  shown: Invoice.properties,
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  show: (context, record) => invoiceView(context, record),
});
const byAccount = collection({
  kind: ACCOUNT_INVOICE,
  name: "MonetaryAccountInvoice",
  noun: "invoice",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/invoice",
  params: ledgerParams,
  wrapper: "Invoice",
  methods: ["list", "read"],
  countMax: 0,
  shown: Invoice.properties,
  async placeOf(context, { userID = 0, monetaryAccountID = 0 }) {
    await getLedger(context, userID, monetaryAccountID);
    return { userId: userID, ownerId: monetaryAccountID };
  },
  async show(context, { id }) {
    const invoice = await findRecordById(context.db, context.account, INVOICE, id);
    if (!invoice) throw new Error(`the invoice ${id} is gone`);
    return invoiceView(context, invoice);
  },
});

const invoiceParams = { ...userParams, invoiceID: Type.Integer({ minimum: 1 }) };
const exports = collection({
  kind: "invoice-export",
  name: "InvoiceExport",
  noun: "invoice export",
  path: "/user/{userID}/invoice/{invoiceID}/invoice-export",
  params: invoiceParams,
  wrapper: "InvoiceExportPdf",
  methods: ["create", "read", "update", "delete"],
  countMax: EXPORTS_MAX,
  shown: { ...recordTimes, status: Type.String() },
  async placeOf(context, { userID = 0, invoiceID = 0 }) {
    await getInvoice(context, userID, invoiceID);
    return { userId: userID, ownerId: invoiceID };
  },
  async make(context, _given, _params, id) {
    await context.enqueue(documentWork, { kind: "invoice-export", id });
    return { status: "PENDING", body: {} };
  },
  async change(context, record) {
    await context.enqueue(documentWork, { kind: "invoice-export", id: record.id });
    return { status: "PENDING", body: keptBody(record) };
  },
  show: (_context, record) => ({ ...timesOf(record), status: record.status }),
});
const pdfContent = contentOperation({
  id: "bank.ReadInvoicePdfContent",
  path: "/user/{userID}/invoice/{invoiceID}/pdf-content",
  params: invoiceParams,
  types: ["application/pdf"],
  read: async (context, { userID = 0, invoiceID = 0 }) =>
    contentAnswerOf(await contentOf(context, await getInvoice(context, userID, invoiceID))),
});

const subscriptions = collection({
  kind: SUBSCRIPTION,
  name: "BillingContractSubscription",
  noun: "contract",
  path: "/user/{userID}/billing-contract-subscription",
  params: userParams,
  wrapper: "BillingContractSubscription",
  methods: ["list"],
  countMax: 0,
  shown: { ...recordTimes, ...Subscription },
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  show(_context, record) {
    const { type, startsAt } = keptIn(SubscriptionBody, record);
    return {
      ...timesOf(record),
      contract_date_start: dayText(startsAt),
      contract_version: 1,
      subscription_type: type,
      status: record.status,
      sub_status: "NONE",
    };
  },
});

export const invoiceOperations = [...byUser, ...byAccount, ...exports, pdfContent, ...subscriptions];
