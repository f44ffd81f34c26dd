/** Payments. */
import { Type } from "@sinclair/typebox";
import {
  BareId,
  errors,
  itemParams,
  ListQuery,
  ledgerIn,
  ledgerParams,
  listOf,
  operation,
} from "../../book/index.ts";
import { findPayment, Payment, pageOfPayments, paymentView } from "../../money/index.ts";
import { payBody } from "../orders.ts";
import { EntryBody } from "../wire/orders.ts";

const createPayment = operation({
  id: "bank.CreatePayment",
  summary: "Makes a payment",
  description:
    "Payments between accounts of this bank are immediate. Payments to other banks go through the clearing.",
  method: "POST",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/payment",
  permission: "bank:CreatePayment",
  signed: true,
  wrapper: "Id",
  params: Type.Object(ledgerParams),
  body: EntryBody,
  answers: { 200: BareId },
  async handle({ params, body }, context) {
    const from = await ledgerIn(context, params, "pay");
    return { id: (await payBody(context, from, body)).id };
  },
});
const listPayments = operation({
  id: "bank.ListPayments",
  summary: "Lists payments, the newest first",
  description:
    "Needs the right to see the history of the account. Each side of a payment has an entry of its own, with its own id.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/payment",
  permission: "bank:ListPayments",
  wrapper: "Payment",
  params: Type.Object(ledgerParams),
  query: ListQuery,
  answers: { 200: Type.Array(Payment) },
  async handle({ params, query }, context) {
    const ledger = await ledgerIn(context, params, "history");
    return listOf(
      context,
      query,
      (slice) => pageOfPayments(context.db, context.account, ledger.id, slice),
      paymentView,
    );
  },
});
const readPayment = operation({
  id: "bank.ReadPayment",
  summary: "Reads a payment",
  description:
    "Needs the right to see the history of the account. The id is that of this side of the payment.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/payment/{itemId}",
  permission: "bank:ReadPayment",
  wrapper: "Payment",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  answers: { 200: Payment },
  async handle({ params }, context) {
    const ledger = await ledgerIn(context, params, "history");
    const payment = await findPayment(context.db, context.account, ledger.id, params.itemId);
    if (!payment) throw errors.notFound(`There is no payment ${params.itemId}.`);
    return paymentView(payment);
  },
});

export const paymentOperations = [createPayment, listPayments, readPayment];
