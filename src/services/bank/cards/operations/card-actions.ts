/** Card actions, and CVC codes for web payments. */

import { Type } from "@sinclair/typebox";
import {
  collection,
  errors,
  findRecord,
  getLedger,
  itemParams,
  keptIn,
  ledgerParams,
  operation,
  recordTimes,
  requireUser,
  timesOf,
  timeText,
  userParams,
} from "../../book/index.ts";
import { findPayment, Payment, paymentView } from "../../money/index.ts";
import { findSecret, getCard, sealSecret } from "../cards.ts";
import { ACTION, ArrivedKept, actionBodyOf, CVC2, Cvc2Body } from "../domain/card-actions.ts";
import { actionView } from "../views/card-actions.ts";
import { MastercardAction } from "../wire/card-actions.ts";

const LEDGER_PATH = "/user/{userID}/monetary-account/{monetaryAccountID}/mastercard-action";
const actions = collection({
  kind: ACTION,
  name: "MastercardAction",
  noun: "card transaction",
  path: LEDGER_PATH,
  params: ledgerParams,
  wrapper: "MasterCardAction",
  methods: ["list", "read"],
  countMax: Number.MAX_SAFE_INTEGER,
  shown: MastercardAction.properties,
  async placeOf(context, { userID = 0, monetaryAccountID = 0 }) {
    await getLedger(context, userID, monetaryAccountID);
    return { userId: userID, ownerId: monetaryAccountID };
  },
  show: async (context, record) =>
    actionView(context, record, await getLedger(context, record.user_id, record.owner_id)),
});
const listActionPayments = operation({
  id: "bank.ListMastercardActionPayments",
  summary: "Lists the payments of a card transaction, the newest first",
  description:
    "A transaction has a payment for each booked capture and refund. All are listed at once. An authorisation that was not captured has none.",
  method: "GET",
  path: `${LEDGER_PATH}/{mastercardActionID}/payment`,
  permission: "bank:ListPayments",
  wrapper: "Payment",
  params: Type.Object({ ...ledgerParams, mastercardActionID: Type.Integer({ minimum: 1 }) }),
  answers: { 200: Type.Array(Payment) },
  async handle({ params }, context) {
    const { db, account } = context;
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID);
    const place = { kind: ACTION, userId: params.userID, ownerId: ledger.id };
    const action = await findRecord(db, account, place, params.mastercardActionID);
    if (!action) throw errors.notFound(`There is no card transaction ${params.mastercardActionID}.`);
    const payments = [];
    for (const id of actionBodyOf(action).paymentIds.toReversed()) {
      const payment = await findPayment(db, account, ledger.id, id);
      if (payment) payments.push(paymentView(payment));
    }
    return payments;
  },
});

const CVC2_LIFE_MS = 5 * 60_000;
const CODES_MAX = 100;
const CODE_TYPES = ["STATIC", "GENERATED"];
function requireCodeType(type: string): string {
  if (!CODE_TYPES.includes(type)) throw errors.badRequest(`type must be one of ${CODE_TYPES.join(", ")}.`);
  return type;
}
const expiryOf = (type: string, nowMs: number): number | null =>
  type === "STATIC" ? null : nowMs + CVC2_LIFE_MS;
const codeType = Type.Optional(Type.String({ maxLength: 20 }));

const codes = collection({
  kind: CVC2,
  name: "CardGeneratedCvc2",
  noun: "cvc2",
  path: "/user/{userID}/card/{cardID}/generated-cvc2",
  params: { ...userParams, cardID: Type.Integer({ minimum: 1 }) },
  wrapper: "CardGeneratedCvc2",
  methods: ["create", "list", "read", "update"],
  countMax: CODES_MAX,
  given: { type: codeType },
  changed: { type: codeType },
  shown: {
    ...recordTimes,
    type: Type.String(),
    cvc2: Type.String(),
    status: Type.String(),
    expiry_time: Type.Optional(Type.String()),
  },
  async placeOf(context, { userID = 0, cardID = 0 }) {
    requireUser(context, userID);
    await getCard(context, userID, cardID);
    return { userId: userID, ownerId: cardID };
  },
  async make(context, { type = "GENERATED" }, _params, id) {
    await sealSecret(context, id, "cvc2", context.ids.digits(3));
    const expiresAt = expiryOf(requireCodeType(type), context.clock.nowMs());
    return { status: "AVAILABLE", body: { type, expiresAt } satisfies Cvc2Body };
  },
  change(context, record, { type }) {
    const body = keptIn(Cvc2Body, record);
    if (type === undefined || type === body.type) return { body };
    if (record.status !== "AVAILABLE") throw errors.badRequest(`A cvc2 that is ${record.status} stays so.`);
    return { body: { type: requireCodeType(type), expiresAt: expiryOf(type, context.clock.nowMs()) } };
  },
  async show(context, record) {
    const { type, expiresAt } = keptIn(Cvc2Body, record);
    const isOver = expiresAt !== null && expiresAt <= context.clock.nowMs();
    return {
      ...timesOf(record),
      type,
      cvc2: (await findSecret(context, record.id, "cvc2")) ?? "",
      status: isOver && record.status === "AVAILABLE" ? "EXPIRED" : record.status,
      ...(expiresAt !== null && { expiry_time: timeText(expiresAt) }),
    };
  },
});

const readSwitchPayment = operation({
  id: "bank.ReadSwitchServicePayment",
  summary: "Reads a payment that a former account at another bank forwarded",
  description:
    "`bank_switch_service.alias` is the former account number. `payment` is the incoming payment as the account shows it.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/switch-service-payment/{itemId}",
  permission: "bank:ReadSwitchServicePayment",
  wrapper: "BankSwitchServiceNetherlandsIncomingPayment",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  answers: {
    200: Type.Object({
      bank_switch_service: Type.Object({
        alias: Type.String({ description: "The number that moved here.", examples: ["NL91ABNA0417164300"] }),
        status: Type.String(),
      }),
      payment: Payment,
    }),
  },
  async handle({ params }, context) {
    const { db, account } = context;
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID);
    const place = { kind: "switch-service-payment", userId: params.userID, ownerId: ledger.id };
    const record = await findRecord(db, account, place, params.itemId);
    const kept = record && keptIn(ArrivedKept, record);
    const payment = kept && (await findPayment(db, account, ledger.id, kept.paymentId));
    if (!record || !payment) throw errors.notFound(`There is no switch service payment ${params.itemId}.`);
    return {
      bank_switch_service: { alias: kept.iban, status: record.status },
      payment: paymentView(payment),
    };
  },
});

export const cardActionOperations = [...actions, listActionPayments, ...codes, readSwitchPayment];
