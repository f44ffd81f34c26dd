/**
 * Beneficiaries of the second provider for foreign payments: required fields, stored beneficiaries and
 * offers.
 */
import { Type } from "@sinclair/typebox";
import {
  belowLedger,
  belowUser,
  collection,
  errors,
  findRecord,
  keptIn,
  ledgerIn,
  operation,
  requireUser,
  timeText,
  userParams,
} from "../../book/index.ts";
import { getRate, PointerBody } from "../../money/index.ts";
import { BENEFICIARY, BeneficiaryKept, type CloudQuoteKept } from "../beneficiaries.ts";
import { recipientTypes, whyNoRecipient } from "../domain/abroad.ts";

const COUNT_MAX = 1000;
const POINTERS_MAX = 20;
const HOLDS_MS = 60 * 60_000;

const beneficiaries = collection({
  kind: BENEFICIARY,
  name: "CurrencyCloudBeneficiary",
  noun: "beneficiary",
  ...belowUser(BENEFICIARY),
  wrapper: "CurrencyCloudBeneficiary",
  methods: ["create", "list", "read"],
  countMax: COUNT_MAX,
  given: {
    name: Type.String({ minLength: 1, maxLength: 140 }),
    country: Type.String({ minLength: 2, maxLength: 2 }),
    currency: Type.String({ minLength: 3, maxLength: 3 }),
    payment_type: Type.String({ maxLength: 20 }),
    legal_entity_type: Type.String({ maxLength: 20 }),
    all_field: Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 20,
      examples: [["account_number=12345678"]],
    }),
  },
  shown: {
    id: Type.Integer(),
    created: Type.String(),
    updated: Type.String(),
    name: Type.String(),
    account_number: Type.String(),
    currency: Type.String(),
    external_identifier: Type.String(),
  },
  async make(context, { name, currency, payment_type, all_field }) {
    await getRate(context, currency);
    const details = all_field.map((field) => {
      const [key = "", ...value] = field.split("=");
      return { key, value: value.join("=") };
    });
    const why = whyNoRecipient(currency, payment_type, details);
    if (why !== undefined) throw errors.badRequest(why.replace(/^type/, "payment_type"));
    const accountNumber = details.find(({ key }) => key === "IBAN" || key === "accountNumber")?.value ?? "";
    const kept: BeneficiaryKept = { name, currency, accountNumber, externalUuid: context.ids.uuid() };
    return { body: kept };
  },
  show(_context, record) {
    const { name, currency, accountNumber, externalUuid } = keptIn(BeneficiaryKept, record);
    return {
      id: record.id,
      created: timeText(record.created_at),
      updated: timeText(record.updated_at),
      name,
      account_number: accountNumber,
      currency,
      external_identifier: externalUuid,
    };
  },
});
const listRequirements = operation({
  id: "bank.ListCurrencyCloudBeneficiaryRequirements",
  summary: "Lists the required fields of a beneficiary",
  description:
    "One entry for each payment type, for persons and for companies. Without `currency` it shows the fields for USD. `bank.CreateCurrencyCloudBeneficiary` checks them.",
  method: "GET",
  path: "/user/{userID}/currency-cloud-beneficiary-requirement",
  permission: "bank:ListCurrencyCloudBeneficiaryRequirements",
  wrapper: "CurrencyCloudBeneficiaryRequirement",
  params: Type.Object(userParams),
  query: Type.Object({ currency: Type.Optional(Type.String({ maxLength: 3 })) }),
  answers: {
    200: Type.Array(
      Type.Object({
        payment_type: Type.String(),
        legal_entity_type: Type.String(),
        all_field: Type.Array(
          Type.Object({
            label: Type.String(),
            name: Type.String(),
            validation_expression: Type.String(),
            input_type: Type.String(),
          }),
        ),
      }),
    ),
  },
  handle({ params, query: { currency = "USD" } }, context) {
    requireUser(context, params.userID);
    return recipientTypes(currency).flatMap(({ type, fields }) =>
      ["INDIVIDUAL", "COMPANY"].map((entity) => ({
        payment_type: type,
        legal_entity_type: entity,
        all_field: fields.map(({ key, name, pattern }) => ({
          label: name,
          name: key,
          validation_expression: pattern.source,
          input_type: "TEXT",
        })),
      })),
    );
  },
});
const quotes = collection({
  kind: "currency-cloud-payment-quote",
  name: "CurrencyCloudPaymentQuote",
  noun: "offer for payments to beneficiaries",
  ...belowLedger("currency-cloud-payment-quote"),
  wrapper: "CurrencyCloudPaymentQuote",
  methods: ["create"],
  countMax: COUNT_MAX,
  given: { pointers: Type.Array(PointerBody, { minItems: 1, maxItems: POINTERS_MAX }) },
  shown: { id: Type.Integer() },
  async make(context, { pointers }, params) {
    const ledger = await ledgerIn(context, params);
    const rates: Record<string, string> = {};
    for (const { value } of pointers) {
      const place = { kind: BENEFICIARY, userId: ledger.user_id };
      const found = await findRecord(context.db, context.account, place, Number(value) || 0);
      if (!found) throw errors.badRequest(`There is no beneficiary ${value.slice(0, 50)}.`);
      const { currency } = keptIn(BeneficiaryKept, found);
      rates[currency] = await getRate(context, currency);
    }
    const kept: CloudQuoteKept = {
      beneficiaries: pointers.map(({ value }) => Number(value)),
      rates: { ...rates, [ledger.currency]: await getRate(context, ledger.currency) },
      expiresAtMs: context.clock.nowMs() + HOLDS_MS,
    };
    return { body: kept };
  },
  show: (_context, { id }) => ({ id }),
});

export const beneficiaryOperations = [...beneficiaries, listRequirements, ...quotes];
