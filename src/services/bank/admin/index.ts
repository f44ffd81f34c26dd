/**
 * Simulates the outside world: cards at tills and cash machines, and money from other banks. Part of the
 * admin interface.
 */
import { Type } from "@sinclair/typebox";
import { AccountId, ADMINISTER } from "#kernel/auth";
import { noBody, operationsFor, secret } from "#kernel/operation";
import { issueKey } from "../access/index.ts";
import { removeUser } from "../backup/source.ts";
import { type BankContext, errors, proveBooks, type State, type Tables } from "../book/index.ts";
import { findUser, setRate } from "../money/index.ts";
import { CardTransaction, DirectDebit, IncomingPayment, Outcome, Proof, Rates } from "./shapes.ts";
import { collectFrom, receiveFromElsewhere, useCard } from "./world.ts";

const operation = operationsFor<Tables, State>();

async function getUser({ db, account }: BankContext, userId: number): Promise<void> {
  if (!(await findUser(db, account, userId))) throw errors.notFound(`There is no user ${userId}.`);
}

const cardsAndMoney = [
  operation({
    id: "medley.bank.cardTransactions",
    summary: "Authorises a card payment, or settles, reverses or refunds an authorised one",
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
    summary: "Makes a payment from another bank to an account of this bank",
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
    summary: "Checks that the ledger balances",
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

const ofUser = {
  params: Type.Object({
    userId: Type.Integer({ minimum: 1, description: "The number of the user.", examples: [3] }),
  }),
  query: Type.Object({ account: Type.Optional(AccountId) }),
  permission: ADMINISTER,
  errors: [errors.notFound],
} as const;
const users = [
  operation({
    ...ofUser,
    id: "medley.bank.createUserKey",
    summary: "Gives a user of the bank another key",
    description: "For users who have none, such as copies that a restore has made. It is told once.",
    method: "POST",
    path: "/bank/users/{userId}/keys",
    answers: {
      200: Type.Object({
        apiKey: secret(
          Type.String({ description: "The key.", examples: ["2vTzAiK8Qw0sR3nLbXyP5dEhJm7uGc9f"] }),
        ),
      }),
    },
    async handle({ params: { userId } }, context) {
      await getUser(context, userId);
      return { apiKey: await issueKey(context, userId, "Given by an administrator") };
    },
  }),
  operation({
    ...ofUser,
    id: "medley.bank.deleteUser",
    summary: "Deletes a user of the bank with everything it has",
    description:
      "Its accounts, payments, cards and documents go, and so do its keys and sessions. The account restored of the bank takes over its entries, so the books of the others stay as they are.",
    method: "DELETE",
    path: "/bank/users/{userId}",
    answers: { 204: noBody },
    async handle({ params: { userId } }, context) {
      await getUser(context, userId);
      await removeUser(context, userId);
    },
  }),
];

export const adminOperations = [...cardsAndMoney, ...debitsAndBooks, ...users];
