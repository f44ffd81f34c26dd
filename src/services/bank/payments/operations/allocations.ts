/** Rules by which money that comes in is shared out. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type BankContext,
  belowLedger,
  collection,
  errors,
  findRecord,
  keptIn,
  type LedgerRow,
  ListQuery,
  ledgerIn,
  ledgerParams,
  listOf,
  operation,
  type Params,
  type PaymentRow,
  pageOfRecords,
  type RecordRow,
  requireUser,
  takeIds,
  timeText,
  updateSettings,
  userParams,
} from "../../book/index.ts";
import {
  allocation,
  amountText,
  findPayment,
  getPositive,
  paymentView,
  withRules,
} from "../../money/index.ts";
import { counterpartyOf } from "../allocations.ts";
import { batchView, entryOf } from "../orders.ts";
import { AllocateInstanceKept, AllocateKept, type Definition } from "../views/allocations.ts";
import {
  allocateInstanceMembers,
  allocateInstanceView,
  allocateMembers,
  DefinitionBody,
  definitionView,
  ShownDefinition,
} from "../wire/allocations.ts";

const COUNT_MAX = 100;
const DEFINITIONS_MAX = 20;
const RULE = "payment-auto-allocate";

async function definitionsOf(
  context: BankContext,
  bodies: readonly Static<typeof DefinitionBody>[],
  payment: PaymentRow,
): Promise<Definition[]> {
  const firstId = await takeIds(context.db, context.account, bodies.length);
  const definitions: Definition[] = [];
  for (const [at, body] of bodies.entries()) {
    const { counterparty_alias, description, amount, fraction } = body;
    if ((amount === undefined) === (fraction === undefined))
      throw errors.badRequest("A definition has an amount or a fraction.");
    // The named payee must be payable.
    const value = amountText(1, payment.currency);
    await entryOf(context, {
      counterparty_alias,
      description,
      amount: { value, currency: payment.currency },
    });
    const money = amount && getPositive(amount, "amount");
    definitions.push({ id: firstId + at, to: counterparty_alias, description, money, fraction });
  }
  const total = definitions.reduce(
    (sum, { money, fraction }) => sum + (money?.minor ?? (payment.amount * (fraction ?? 0)) / 100),
    0,
  );
  if (total > payment.amount) throw errors.badRequest("The definitions share out more than comes in.");
  return definitions;
}
async function getTrigger(
  { db, account }: BankContext,
  ledger: LedgerRow,
  paymentId: number,
): Promise<PaymentRow> {
  const payment = await findPayment(db, account, ledger.id, paymentId);
  if (!payment || payment.amount <= 0) throw errors.badRequest(`No payment ${paymentId} came in here.`);
  return payment;
}
async function ruleView({ db, account }: BankContext, rule: RecordRow) {
  const { type, paymentId, latestId } = keptIn(AllocateKept, rule);
  const original = await findPayment(db, account, rule.owner_id, paymentId);
  const latest = await findPayment(db, account, rule.owner_id, latestId);
  return {
    id: rule.id,
    created: timeText(rule.created_at),
    updated: timeText(rule.updated_at),
    type,
    status: rule.status,
    ...(original && {
      trigger_amount: paymentView(original).amount,
      payment: paymentView(original),
      payment_original: paymentView(original),
    }),
    ...(latest && { payment_latest: paymentView(latest) }),
  };
}
const definition = Type.Array(DefinitionBody, { minItems: 1, maxItems: DEFINITIONS_MAX });
const rules = collection({
  kind: RULE,
  name: "PaymentAutoAllocate",
  noun: "rule to share out money",
  ...belowLedger(RULE),
  wrapper: "PaymentAutoAllocate",
  methods: ["create", "list", "read", "update", "delete"],
  signed: ["create", "update"],
  countMax: COUNT_MAX,
  given: { payment_id: Type.Integer({ minimum: 1 }), type: Type.String({ maxLength: 20 }), definition },
  changed: {
    payment_id: Type.Optional(Type.Integer({ minimum: 1 })),
    type: Type.Optional(Type.String({ maxLength: 20 })),
    definition: Type.Optional(definition),
  },
  shown: allocateMembers,
  async make(context, body, params) {
    const ledger = await ledgerIn(context, params);
    if (body.type !== "ONCE" && body.type !== "RECURRING")
      throw errors.badRequest("type must be ONCE or RECURRING.");
    const payment = await getTrigger(context, ledger, body.payment_id);
    const definitions = await definitionsOf(context, body.definition, payment);
    await updateSettings(context.db, { ...ledger, details: withRules(ledger) });
    await context.enqueue(allocation, { ledgerId: ledger.id, paymentId: payment.id });
    const kept: AllocateKept = {
      type: body.type,
      paymentId: payment.id,
      latestId: payment.id,
      counterparty: counterpartyOf(payment),
      definitions,
    };
    return { body: kept };
  },
  async change(context, rule, { type, definition: given }, params) {
    if (rule.status !== "ACTIVE") throw errors.badRequest(`A rule that is ${rule.status} cannot be changed.`);
    const kept = keptIn(AllocateKept, rule);
    const payment = await getTrigger(context, await ledgerIn(context, params), kept.paymentId);
    if (type !== undefined && type !== "ONCE" && type !== "RECURRING")
      throw errors.badRequest("type must be ONCE or RECURRING.");
    const definitions = given ? await definitionsOf(context, given, payment) : kept.definitions;
    return { body: { ...kept, type: type ?? kept.type, definitions } };
  },
  show: ruleView,
});
const listOfUser = operation({
  id: "bank.ListPaymentAutoAllocatesOfUser",
  summary: "Lists the rules of all accounts of a user, the newest first",
  description:
    "Each rule shows the payment it was made from and the latest payment that it shared out. `bank.ListPaymentAutoAllocateInstance` lists every run of a rule.",
  method: "GET",
  path: "/user/{userID}/payment-auto-allocate",
  permission: "bank:ListPaymentAutoAllocate",
  wrapper: "PaymentAutoAllocate",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Type.Object(allocateMembers)) },
  async handle({ params, query }, context) {
    const place = { kind: RULE, userId: requireUser(context, params.userID) };
    return listOf(
      context,
      query,
      (slice) => pageOfRecords(context.db, context.account, place, slice),
      (rule) => ruleView(context, rule),
    );
  },
});

const ruleParams = { ...ledgerParams, paymentAutoAllocateID: Type.Integer({ minimum: 1 }) };
const RULE_PATH =
  "/user/{userID}/monetary-account/{monetaryAccountID}/payment-auto-allocate/{paymentAutoAllocateID}";
async function getRule(context: BankContext, params: Params): Promise<RecordRow> {
  const ledger = await ledgerIn(context, params);
  const { paymentAutoAllocateID = 0 } = params;
  const place = { kind: RULE, userId: ledger.user_id, ownerId: ledger.id };
  const rule = await findRecord(context.db, context.account, place, paymentAutoAllocateID);
  if (!rule) throw errors.notFound(`There is no rule ${paymentAutoAllocateID}.`);
  return rule;
}
const listDefinitions = operation({
  id: "bank.ListPaymentAutoAllocateDefinitions",
  summary: "Lists the definitions of an allocation rule: the recipients, and the share of each",
  description:
    "Each definition pays either a fixed amount or a percentage of the incoming payment. All are listed at once. `bank.UpdatePaymentAutoAllocate` replaces them.",
  method: "GET",
  path: `${RULE_PATH}/definition`,
  permission: "bank:ReadPaymentAutoAllocate",
  wrapper: "PaymentAutoAllocateDefinition",
  params: Type.Object(ruleParams),
  answers: { 200: Type.Array(ShownDefinition) },
  async handle({ params }, context) {
    const rule = await getRule(context, params);
    return keptIn(AllocateKept, rule).definitions.map((one) => definitionView(rule, one));
  },
});
const instances = collection({
  kind: "payment-auto-allocate-instance",
  name: "PaymentAutoAllocateInstance",
  noun: "instance of a rule",
  path: `${RULE_PATH}/instance`,
  params: ruleParams,
  wrapper: "PaymentAutoAllocateInstance",
  methods: ["list", "read"],
  countMax: COUNT_MAX,
  shown: allocateInstanceMembers,
  async placeOf(context, params) {
    const rule = await getRule(context, params);
    return { userId: rule.user_id, ownerId: rule.id };
  },
  async show(context, record) {
    const { batchId } = keptIn(AllocateInstanceKept, record);
    const rule = await findRecord(
      context.db,
      context.account,
      { kind: RULE, userId: record.user_id },
      record.owner_id,
    );
    const batch =
      batchId === undefined || !rule ? undefined : await batchView(context, rule.owner_id, batchId);
    return { ...allocateInstanceView(record), ...(batch && { payment_batch: batch }) };
  },
});

export const allocationOperations = [...rules, listOfUser, listDefinitions, ...instances];
