/**
 * Simulates the outside world: cards at tills and cash machines, and money from other banks. Part of the
 * admin interface.
 */
import { Type } from "@sinclair/typebox";
import { AccountId, ADMINISTER } from "#kernel/auth";
import { noBody, operationsFor } from "#kernel/operation";
import { proveBooks, type State, type Tables } from "../book/index.ts";
import { setRate } from "../money/index.ts";
import { CardTransaction, DirectDebit, IncomingPayment, Outcome, Proof, Rates } from "./shapes.ts";
import { collectFrom, receiveFromElsewhere, useCard } from "./world.ts";

const operation = operationsFor<Tables, State>();

const cardsAndMoney = [
  operation({
    id: "medley.bank.cardTransactions",
    summary: "Uses a card of the bank, or goes on with what was authorised",
    description:
      "Authorising keeps the money for the merchant or refuses it by status, country, limit, code or balance; it then waits a week to be settled or reversed. Each is a mastercard action with its payments.",
    method: "POST",
    path: "/bank/card-transactions",
    permission: ADMINISTER,
    body: CardTransaction,
    answers: { 200: Outcome },
    examples: {
      body: {
        cardId: 31,
        amount: { value: "12.50", currency: "EUR" },
        merchant: { name: "Corner Bakery", city: "Utrecht", country: "NL" },
      },
    },
    handle: ({ body }, context) => useCard(context, body),
  }),
  operation({
    id: "medley.bank.incomingPayments",
    summary: "Pays to an account of the bank from elsewhere",
    method: "POST",
    path: "/bank/incoming-payments",
    permission: ADMINISTER,
    body: IncomingPayment,
    answers: { 200: Outcome },
    handle: ({ body }, context) => receiveFromElsewhere(context, body),
  }),
];
const debitsAndBooks = [
  operation({
    id: "medley.bank.directDebits",
    summary: "Collects from an account of the bank",
    description:
      "At once where a whitelist of its owner covers it; otherwise the owner has two days to answer.",
    method: "POST",
    path: "/bank/direct-debits",
    permission: ADMINISTER,
    body: DirectDebit,
    answers: { 200: Outcome },
    handle: ({ body }, context) => collectFrom(context, body),
  }),
  operation({
    id: "medley.bank.setRates",
    summary: "Sets rates of exchange of the bank",
    method: "PUT",
    path: "/bank/rates",
    permission: ADMINISTER,
    body: Rates,
    answers: { 204: noBody },
    async handle({ body: { rates } }, context) {
      for (const [currency, rate] of Object.entries(rates)) await setRate(context, currency, rate);
    },
  }),
  operation({
    id: "medley.bank.proof",
    summary: "Proves the books of the bank",
    description:
      "Every currency sums to nothing, every balance is the sum of its entries. It is done every night as well.",
    method: "GET",
    path: "/bank/proof",
    permission: ADMINISTER,
    query: Type.Object({ account: Type.Optional(AccountId) }),
    answers: { 200: Proof },
    async handle(_input, { db, account }) {
      const { isSound, entries, sums, wrong } = await proveBooks(db, account);
      return { isSound, entries, sums: [...sums], wrong: [...wrong] };
    },
  }),
];

export const adminOperations = [...cardsAndMoney, ...debitsAndBooks];
