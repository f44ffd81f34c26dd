/** Requests for money, alone or in batches, and the answers of the users who are asked. */

import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  belowLedger,
  collection,
  createRecord,
  errors,
  findEvent,
  findRecordById,
  type KeptOf,
  keptIn,
  type LedgerRow,
  ledgerIn,
  moveRecord,
  type RecordRow,
  recordKind,
  takeIds,
} from "../../book/index.ts";
import {
  Address,
  amountOf,
  Description,
  getPositive,
  getWebAddress,
  noteReference,
  PointerBody,
  Reference,
  StatusBody,
} from "../../money/index.ts";
import { settleCode } from "../codes.ts";
import { accepted, isDebit, payDebit, requestRefund } from "../direct-debits.ts";
import { answerRequest, type Inquiry, makeInquiry, revokeInquiry, tellInquiry } from "../requests.ts";
import { inquiryView, responseView } from "../views/requests.ts";
import { inquiryMembers, RequestInquiry, responseMembers } from "../wire/requests.ts";

const COUNT_MAX = 100_000;
const BATCH_MAX = 200;

const inquiryBody = {
  amount_inquired: Amount,
  counterparty_alias: PointerBody,
  description: Description,
  attachment: Type.Optional(Type.Array(Type.Object({ id: Type.Integer({ minimum: 1 }) }), { maxItems: 10 })),
  merchant_reference: Type.Optional(Reference),
  minimum_age: Type.Optional(Type.Integer({ minimum: 12, maximum: 100 })),
  require_address: Type.Optional(Type.String({ maxLength: 50 })),
  want_tip: Type.Optional(Type.Boolean()),
  allow_amount_lower: Type.Optional(Type.Boolean()),
  allow_amount_higher: Type.Optional(Type.Boolean()),
  allow_vendorme: Type.Optional(Type.Boolean()),
  redirect_url: Type.Optional(Type.String({ maxLength: 1000 })),
  event_id: Type.Optional(Type.Integer({ minimum: 1 })),
};
export const InquiryBody = Type.Object(inquiryBody);
type InquiryBody = Static<typeof InquiryBody>;

/** The object to split between several users, given by an event of the caller. */
async function referenceOf(context: BankContext, userId: number, eventId: number | undefined) {
  if (eventId === undefined) return undefined;
  const event = await findEvent(context.db, context.account, eventId);
  if (event?.user_id !== userId) throw errors.badRequest(`There is no event ${eventId}.`);
  return { type: event.object_kind, id: event.object_id };
}
export function inquiryOf(body: InquiryBody): Inquiry {
  const { merchant_reference, minimum_age, require_address, attachment } = body;
  const redirect_url = getWebAddress("redirect_url", body.redirect_url);
  const attachments = attachment?.map(({ id }) => id);
  return {
    money: getPositive(body.amount_inquired, "amount_inquired"),
    to: body.counterparty_alias,
    description: body.description,
    isLowerAllowed: body.allow_amount_lower ?? true,
    isPageAllowed: body.allow_vendorme,
    isHigherAllowed: (body.allow_amount_higher ?? false) || (body.want_tip ?? false),
    extras: { merchant_reference, minimum_age, require_address, redirect_url, attachments },
  };
}
async function inquire(context: BankContext, from: LedgerRow, inquiry: Inquiry, id: number) {
  const made = await makeInquiry(context, from, inquiry, id);
  const { reference } = inquiry;
  if (reference?.type === "Payment")
    await noteReference(context.db, context.account, from.id, reference.id, { type: "RequestInquiry", id });
  return made;
}

const inquiries = collection({
  kind: "request-inquiry",
  name: "RequestInquiry",
  noun: "request",
  ...belowLedger("request-inquiry"),
  wrapper: "RequestInquiry",
  methods: ["create", "list", "read", "update"],
  answersRecord: ["update"],
  bareId: true,
  category: "REQUEST",
  countMax: COUNT_MAX,
  given: inquiryBody,
  changed: { status: StatusBody },
  shown: inquiryMembers,
  async make(context, body, params, id) {
    const from = await ledgerIn(context, params);
    const reference = await referenceOf(context, from.user_id, body.event_id);
    return inquire(context, from, { ...inquiryOf(body), reference }, id);
  },
  async change(context, record, { status }) {
    return { status, body: await revokeInquiry(context, record) };
  },
  show: ({ request }, record) => inquiryView(record, request.mountUrl),
});

const responses = collection({
  kind: "request-response",
  name: "RequestResponse",
  noun: "request",
  ...belowLedger("request-response"),
  wrapper: "RequestResponse",
  methods: ["list", "read", "update"],
  answersRecord: ["update"],
  signed: ["update"],
  category: "REQUEST",
  countMax: COUNT_MAX,
  changed: {
    status: StatusBody,
    amount_responded: Type.Optional(Amount),
    address_shipping: Type.Optional(Address),
    address_billing: Type.Optional(Address),
    currency_conversion_quote_id: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  shown: responseMembers,
  async change(
    context,
    record,
    { status, amount_responded, currency_conversion_quote_id: quoteId, ...rest },
  ) {
    if (status === "REFUND_REQUESTED") return requestRefund(context, record);
    const money = amount_responded && getPositive(amount_responded, "amount_responded");
    if (status === "ACCEPTED" && isDebit(record)) {
      await payDebit(context, record, record.owner_id);
      return { status, body: accepted(context, record) };
    }
    const answered = await answerRequest(context, record, { status, money, quoteId, ...rest });
    if (answered.status === "ACCEPTED") await settleCode(context, answered.body);
    return answered;
  },
  show: (_context, record) => responseView(record),
});

const BatchKept = recordKind(
  ["request-inquiry-batch"],
  Type.Object({
    ids: Type.Array(Type.Number()),
    total: Type.Object({
      minor: Type.Number(),
      currency: Type.String(),
    }),
  }),
);
type BatchKept = KeptOf<typeof BatchKept>;
async function inquiriesOf({ db, account }: BankContext, record: RecordRow): Promise<RecordRow[]> {
  const { ids } = keptIn(BatchKept, record);
  const found = await Promise.all(ids.map((id) => findRecordById(db, account, "request-inquiry", id)));
  return found.filter((one) => one !== undefined);
}
async function makeBatch(
  context: BankContext,
  from: LedgerRow,
  inquiries: readonly Inquiry[],
  batchId: number,
): Promise<BatchKept> {
  const firstId = await takeIds(context.db, context.account, inquiries.length);
  const total = { minor: 0, currency: from.currency };
  for (const [at, inquiry] of inquiries.entries()) {
    const id = firstId + at;
    const made = await inquire(context, from, { ...inquiry, batchId }, id);
    total.minor += inquiry.money.minor;
    const place = { kind: "request-inquiry", userId: from.user_id, ownerId: from.id, id };
    await tellInquiry(context, await createRecord(context, { ...place, ...made }), "CREATE");
  }
  return { ids: inquiries.map((_, at) => firstId + at), total };
}

const batches = collection({
  kind: "request-inquiry-batch",
  name: "RequestInquiryBatch",
  noun: "batch of requests",
  ...belowLedger("request-inquiry-batch"),
  wrapper: "RequestInquiryBatch",
  methods: ["create", "list", "read", "update"],
  countMax: COUNT_MAX,
  given: {
    request_inquiries: Type.Array(InquiryBody, { minItems: 1, maxItems: BATCH_MAX }),
    total_amount_inquired: Type.Optional(Amount),
    status: Type.Optional(StatusBody),
    event_id: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  changed: { status: StatusBody },
  shown: {
    id: Type.Integer(),
    status: Type.String(),
    request_inquiries: Type.Array(RequestInquiry),
    total_amount_inquired: Amount,
  },
  async make(context, { request_inquiries, total_amount_inquired, event_id }, params, id) {
    const from = await ledgerIn(context, params);
    const reference = await referenceOf(context, from.user_id, event_id);
    const wanted = request_inquiries.map((body) => ({ ...inquiryOf(body), reference }));
    const sum = wanted.reduce((total, { money }) => total + money.minor, 0);
    if (total_amount_inquired && getPositive(total_amount_inquired, "total_amount_inquired").minor !== sum)
      throw errors.badRequest("total_amount_inquired is not the sum of the requests.");
    return { body: await makeBatch(context, from, wanted, id) };
  },
  async change(context, record, { status }) {
    for (const inquiry of await inquiriesOf(context, record)) {
      if (inquiry.status !== "PENDING") continue;
      const body = await revokeInquiry(context, inquiry);
      await tellInquiry(context, await moveRecord(context, inquiry, { status, body }), "UPDATE");
    }
    return { status, body: keptIn(BatchKept, record) };
  },
  async show(context, record) {
    const { total } = keptIn(BatchKept, record);
    const shown = await inquiriesOf(context, record);
    return {
      id: record.id,
      status: record.status,
      request_inquiries: shown.map((inquiry) => inquiryView(inquiry, context.request.mountUrl)),
      total_amount_inquired: amountOf(total),
    };
  },
});

export const requestOperations = [...inquiries, ...responses, ...batches];
