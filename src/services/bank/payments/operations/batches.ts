/** Batches of payments: all are made, or none. */
import { Type } from "@sinclair/typebox";
import { belowLedger, collection, ledgerIn } from "../../book/index.ts";
import { recallPayments, StatusBody } from "../../money/index.ts";
import { batchView, entriesOf, payBatch } from "../orders.ts";
import { EntryBody, PaymentsOf } from "../wire/orders.ts";

const COUNT_MAX = 100_000;
const PAYMENTS_MAX = 200;

export const batchOperations = collection({
  kind: "payment-batch",
  name: "PaymentBatch",
  noun: "batch of payments",
  ...belowLedger("payment-batch"),
  wrapper: "PaymentBatch",
  methods: ["create", "list", "read", "update"],
  signed: ["create", "update"],
  countMax: COUNT_MAX,
  given: { payments: Type.Array(EntryBody, { minItems: 1, maxItems: PAYMENTS_MAX }) },
  changed: { status: StatusBody },
  shown: { id: Type.Integer(), status: Type.String(), payments: PaymentsOf },
  async make(context, { payments }, params, id) {
    const from = await ledgerIn(context, params);
    await payBatch(context, from, await entriesOf(context, payments), { batchId: id });
    return { body: {} };
  },
  async change(context, record, { status }) {
    await recallPayments(context, record);
    return { status, body: {} };
  },
  show: async (context, record) => ({
    id: record.id,
    status: record.status,
    ...(await batchView(context, record.owner_id, record.id)),
  }),
});
