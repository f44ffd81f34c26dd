/** Currency conversions. */
import { Type } from "@sinclair/typebox";
import {
  Amount,
  belowLedger,
  clearDeadline,
  collection,
  errors,
  keptIn,
  ledgerIn,
} from "../../book/index.ts";
import { makeQuote, takeQuote } from "../conversions.ts";
import { findPayment } from "../store/payments.ts";
import { ConversionKept, QuoteKept } from "../views/conversions.ts";
import { getPositive } from "../views/members.ts";
import { conversionMembers, conversionView, quoteMembers, quoteView } from "../wire/conversions.ts";
import { PointerBody, StatusBody } from "../wire/members.ts";

const COUNT_MAX = 100_000;
const Currency = Type.String({ minLength: 3, maxLength: 3 });

const quotes = collection({
  kind: "currency-conversion-quote",
  name: "CurrencyConversionQuote",
  noun: "offer to exchange money",
  ...belowLedger("currency-conversion-quote"),
  wrapper: "CurrencyConversionQuote",
  methods: ["create", "read", "update"],
  signed: ["update"],
  countMax: COUNT_MAX,
  given: {
    amount: Amount,
    currency_source: Currency,
    currency_target: Currency,
    order_type: Type.String({ maxLength: 10 }),
    counterparty_alias: PointerBody,
    status: Type.Optional(StatusBody),
  },
  changed: { status: StatusBody },
  shown: quoteMembers,
  async make(context, body, params, id) {
    const { currency_source, currency_target, order_type } = body;
    if (order_type !== "SELL" && order_type !== "BUY")
      throw errors.badRequest("order_type must be SELL or BUY.");
    const order = {
      money: getPositive(body.amount, "amount"),
      sourceCurrency: currency_source,
      targetCurrency: currency_target,
      orderType: order_type,
      to: body.counterparty_alias,
    };
    return { body: await makeQuote(context, await ledgerIn(context, params), order, id) };
  },
  async change(context, quote, { status }) {
    const kept = keptIn(QuoteKept, quote);
    if (kept.expiresAtMs <= context.clock.nowMs()) throw errors.badRequest("The offer has expired.");
    if (status === "ACCEPTED") await takeQuote(context, quote);
    else await clearDeadline(context, quote.kind, quote.id);
    return { status, body: kept };
  },
  show: (_context, record) => quoteView(record),
});
const conversions = collection({
  kind: "currency-conversion",
  name: "CurrencyConversion",
  noun: "exchange of money",
  ...belowLedger("currency-conversion"),
  wrapper: "CurrencyConversion",
  methods: ["list", "read"],
  countMax: COUNT_MAX,
  shown: conversionMembers,
  async show({ db, account }, record) {
    const { paymentId } = keptIn(ConversionKept, record);
    return conversionView(record, await findPayment(db, account, record.owner_id, paymentId));
  },
});

export const conversionOperations = [...quotes, ...conversions];
