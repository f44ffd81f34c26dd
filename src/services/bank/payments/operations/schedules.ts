/** Recurring payments and requests, and their instances. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type BankContext,
  belowLedger,
  collection,
  keptBody,
  keptIn,
  ListQuery,
  ledgerIn,
  ledgerParams,
  listOf,
  operation,
  pageOfRecords,
  type RecordRow,
  requireUser,
  userParams,
} from "../../book/index.ts";
import { StatusBody } from "../../money/index.ts";
import { type Entry, entryView, type Inquiry, InquiryBody, inquiryOf } from "../../requests/index.ts";
import { entriesOf } from "../orders.ts";
import {
  beginSchedule,
  endSchedule,
  getSchedule,
  instanceView,
  replaceSchedule,
  retryInstance,
  type ScheduledKind,
  ScheduleKept,
  scheduleView,
} from "../schedules.ts";
import { rhythmOf } from "../views/schedules.ts";
import { EntryBody, ShownEntry } from "../wire/orders.ts";
import { instanceMembers, Schedule, ScheduleBody, scheduleMembers } from "../wire/schedules.ts";

const COUNT_MAX = 10_000;
const PAYMENTS_MAX = 200;
const Purpose = Type.Optional(Type.String({ maxLength: 100 }));

const schedules = collection({
  kind: "schedule",
  name: "Schedule",
  noun: "schedule",
  ...belowLedger("schedule"),
  wrapper: "Schedule",
  methods: ["list", "read"],
  countMax: COUNT_MAX,
  shown: scheduleMembers,
  show: scheduleView,
});
const listOfUser = operation({
  id: "bank.ListSchedulesOfUser",
  summary: "Lists the schedules of all accounts of a user, the newest first",
  description:
    "Includes schedules of payments, payment batches and requests of every account. The runs of one schedule are listed by `bank.ListScheduleInstance`.",
  method: "GET",
  path: "/user/{userID}/schedule",
  permission: "bank:ListSchedule",
  wrapper: "ScheduleUser",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Schedule) },
  async handle({ params, query }, context) {
    const place = { kind: "schedule", userId: requireUser(context, params.userID) };
    return listOf(
      context,
      query,
      (slice) => pageOfRecords(context.db, context.account, place, slice),
      (record) => scheduleView(context, record),
    );
  },
});

const instances = collection({
  kind: "schedule-instance",
  name: "ScheduleInstance",
  noun: "instance of a schedule",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/schedule/{scheduleID}/schedule-instance",
  params: { ...ledgerParams, scheduleID: Type.Integer({ minimum: 1 }) },
  wrapper: "ScheduledInstance",
  methods: ["list", "read", "update"],
  signed: ["update"],
  countMax: COUNT_MAX,
  changed: { state: StatusBody },
  shown: instanceMembers,
  async placeOf(context, params) {
    const ledger = await ledgerIn(context, params);
    const schedule = await getScheduleBelow(context, ledger.id, params.scheduleID ?? 0);
    return { userId: ledger.user_id, ownerId: schedule.id };
  },
  async change(context, instance, { state }) {
    if (state === "RETRY") await retryInstance(context, instance);
    return { status: state, body: keptBody(instance) };
  },
  show: instanceView,
});
async function getScheduleBelow(context: BankContext, ledgerId: number, id: number): Promise<RecordRow> {
  const schedule = await getSchedule(context, id);
  return schedule.owner_id === ledgerId ? schedule : getSchedule(context, 0);
}

type Body = {
  readonly entries: readonly Static<typeof EntryBody>[] | undefined;
  readonly schedule: Static<typeof ScheduleBody> | undefined;
  readonly purpose?: string | undefined;
};
async function change(context: BankContext, record: RecordRow, { entries, schedule, purpose }: Body) {
  const before = await getSchedule(context, record.id);
  const { scheduled } = keptIn(ScheduleKept, before);
  await replaceSchedule(context, before, {
    rhythm: schedule && rhythmOf(schedule, context.clock.nowMs()),
    scheduled: {
      ...scheduled,
      ...(entries && { entries: await entriesOf(context, entries) }),
      ...(purpose !== undefined && { purpose }),
    },
  });
  return { body: {} };
}
const made = async (
  context: BankContext,
  params: Readonly<Record<string, number>>,
  id: number,
  {
    kind,
    entries,
    schedule,
    purpose,
  }: Required<Pick<Body, "entries" | "schedule">> & { kind: ScheduledKind } & Body,
) => {
  const ledger = await ledgerIn(context, params);
  await beginSchedule(context, ledger, {
    rhythm: rhythmOf(schedule as Static<typeof ScheduleBody>, context.clock.nowMs()),
    scheduled: { kind, entries: await entriesOf(context, entries ?? []), purpose },
    id,
  });
  return { body: {} };
};
/** Deleting cancels the schedule. Its past payments remain visible. */
async function cancel(context: BankContext, record: RecordRow): Promise<void> {
  await endSchedule(context, await getSchedule(context, record.id), "CANCELLED");
}

const scheduledPayments = collection({
  kind: "schedule-payment",
  name: "SchedulePayment",
  noun: "scheduled payment",
  ...belowLedger("schedule-payment"),
  wrapper: "ScheduledPayment",
  methods: ["create", "list", "read", "update", "delete"],
  signed: ["create", "update"],
  wrapsNumber: ["update"],
  countMax: COUNT_MAX,
  given: { payment: EntryBody, schedule: ScheduleBody, purpose: Purpose },
  changed: { payment: Type.Optional(EntryBody), schedule: Type.Optional(ScheduleBody), purpose: Purpose },
  shown: {
    id: Type.Integer(),
    payment: ShownEntry,
    schedule: Schedule,
    status: Type.String(),
    purpose: Purpose,
  },
  make: (context, { payment, ...rest }, params, id) =>
    made(context, params, id, { kind: "schedule-payment", entries: [payment], ...rest }),
  change: (context, record, { payment, schedule, purpose }) =>
    change(context, record, { entries: payment && [payment], schedule, purpose }),
  remove: cancel,
  async show(context, record) {
    const schedule = await scheduleView(context, await getSchedule(context, record.id));
    const { scheduled } = keptIn(ScheduleKept, await getSchedule(context, record.id));
    const [entry] = scheduled.entries;
    if (!entry) throw new Error(`the schedule ${record.id} pays nothing`);
    return {
      id: record.id,
      payment: schedule.object.Payment ?? entryView(entry, undefined),
      schedule,
      status: record.status,
      ...(scheduled.purpose !== undefined && { purpose: scheduled.purpose }),
    };
  },
});
const scheduledBatches = collection({
  kind: "schedule-payment-batch",
  name: "SchedulePaymentBatch",
  noun: "scheduled batch of payments",
  ...belowLedger("schedule-payment-batch"),
  wrapper: "ScheduledPaymentBatch",
  methods: ["create", "read", "update", "delete"],
  signed: ["create", "update"],
  countMax: COUNT_MAX,
  given: {
    payments: Type.Array(EntryBody, { minItems: 1, maxItems: PAYMENTS_MAX }),
    schedule: ScheduleBody,
  },
  changed: {
    payments: Type.Optional(Type.Array(EntryBody, { minItems: 1, maxItems: PAYMENTS_MAX })),
    schedule: Type.Optional(ScheduleBody),
  },
  shown: {
    id: Type.Integer(),
    payments: Type.Array(ShownEntry),
    schedule: Schedule,
    status: Type.String(),
  },
  make: (context, { payments, schedule }, params, id) =>
    made(context, params, id, { kind: "schedule-payment-batch", entries: payments, schedule }),
  change: (context, record, { payments, schedule }) =>
    change(context, record, { entries: payments, schedule }),
  remove: cancel,
  async show(context, record) {
    const schedule = await scheduleView(context, await getSchedule(context, record.id));
    return {
      id: record.id,
      payments: schedule.object.PaymentBatch?.payments ?? [],
      schedule,
      status: record.status,
    };
  },
});

/** The user that a request names, as far as known at scheduling time. */
const entryOfInquiry = ({ money, to, description }: Inquiry): Entry => ({
  money,
  to,
  label: { display_name: to.name ?? to.value, country: "NL", is_light: true },
  description,
});
const REQUEST_NAMES = {
  "schedule-request-inquiry": ["ScheduleRequestInquiry", "ScheduledRequestInquiry"],
  "schedule-request-inquiry-batch": ["ScheduleRequestInquiryBatch", "ScheduledRequestInquiryBatch"],
} as const;
const scheduledRequests = (["schedule-request-inquiry", "schedule-request-inquiry-batch"] as const).flatMap(
  (kind) =>
    collection({
      kind,
      name: REQUEST_NAMES[kind][0],
      noun: "scheduled request",
      ...belowLedger(kind),
      wrapper: REQUEST_NAMES[kind][1],
      methods: ["create", "list", "read", "delete"],
      countMax: COUNT_MAX,
      given: {
        request_inquiries: Type.Array(InquiryBody, {
          minItems: 1,
          maxItems: kind === "schedule-request-inquiry" ? 1 : PAYMENTS_MAX,
        }),
        schedule: ScheduleBody,
      },
      shown: { id: Type.Integer(), schedule: Schedule, status: Type.String() },
      async make(context, { request_inquiries, schedule }, params, id) {
        const inquiries = request_inquiries.map(inquiryOf);
        await beginSchedule(context, await ledgerIn(context, params), {
          rhythm: rhythmOf(schedule, context.clock.nowMs()),
          scheduled: { kind, entries: inquiries.map(entryOfInquiry), inquiries },
          id,
        });
        return { body: {} };
      },
      remove: cancel,
      show: async (context, record) => ({
        id: record.id,
        schedule: await scheduleView(context, await getSchedule(context, record.id)),
        status: record.status,
      }),
    }),
);

export const scheduleOperations = [
  ...schedules,
  listOfUser,
  ...instances,
  ...scheduledPayments,
  ...scheduledBatches,
  ...scheduledRequests,
];
