/** Schedules. Each has one upcoming instance, and a job carries it out when it is due. */

import type { Static } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { ServiceError, type WorkKind } from "#kernel/operation";
import {
  type BankContext,
  createRecord,
  emptyKind,
  errors,
  findLedger,
  findRecordById,
  type KeptOf,
  keptIn,
  type LedgerRow,
  moveRecord,
  type RecordRow,
  recordKind,
  takeId,
  tell,
  timeText,
  type Unchanging,
} from "../book/index.ts";
import { getKnownLedger, labelled, messagesOf, occurrenceOf, Rhythm } from "../money/index.ts";
import { Entry, entryView, Inquiry, makeInquiry, tellInquiry } from "../requests/index.ts";
import { carryOut, Outcome, resultView } from "./orders.ts";
import { rhythmView } from "./views/schedules.ts";

export const SCHEDULED_KINDS = [
  "schedule-payment",
  "schedule-payment-batch",
  "schedule-request-inquiry",
  "schedule-request-inquiry-batch",
] as const;
emptyKind(...SCHEDULED_KINDS);
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number];
export const Scheduled = Type.Object({
  kind: Type.Union(SCHEDULED_KINDS.map((kind) => Type.Literal(kind))),
  /** The payments; for requests, the users to ask. */
  entries: Type.Array(Entry),
  inquiries: Type.Optional(Type.Array(Inquiry)),
  purpose: Type.Optional(Type.String()),
});
export type Scheduled = Unchanging<Static<typeof Scheduled>>;
export const ScheduleKept = recordKind(
  ["schedule"],
  Type.Object({
    rhythm: Rhythm,
    /** The number of instances so far. */
    count: Type.Number(),
    instanceId: Type.Optional(Type.Number()),
    scheduled: Scheduled,
  }),
);
export type ScheduleKept = Omit<KeptOf<typeof ScheduleKept>, "scheduled"> & { readonly scheduled: Scheduled };
const RequestOutcome = Type.Object({
  ...Outcome.properties,
  requestIds: Type.Optional(Type.Array(Type.Number())),
});
type RequestOutcome = Unchanging<Static<typeof RequestOutcome>>;
export const InstanceKept = recordKind(
  ["schedule-instance"],
  Type.Object({
    atMs: Type.Number(),
    message: Type.Optional(Type.String()),
    outcome: Type.Optional(RequestOutcome),
  }),
);
export type InstanceKept = KeptOf<typeof InstanceKept>;

export const falling = {
  name: "bank.schedule",
  payload: Type.Object({ instanceId: Type.Integer() }),
} satisfies WorkKind<{ instanceId: number }>;
const keyOf = (scheduleId: number): string => `schedule:${scheduleId}`;

export async function anchorOf(context: BankContext, ledgerId: number, { kind, entries }: Scheduled) {
  const ledger = await findLedger(context.db, context.account, ledgerId);
  const alias = ledger && (await labelled(context, ledger));
  const shown = entries.map((entry) => entryView(entry, alias));
  const [first] = shown;
  if (kind === "schedule-payment") return first ? { Payment: first } : {};
  if (kind === "schedule-payment-batch") return { PaymentBatch: { payments: shown } };
  if (kind === "schedule-request-inquiry") return first ? { RequestInquiry: first } : {};
  return { RequestInquiryBatch: { request_inquiries: shown } };
}
export async function scheduleView(context: BankContext, schedule: RecordRow) {
  const { rhythm, scheduled } = keptIn(ScheduleKept, schedule);
  return {
    id: schedule.id,
    ...rhythmView(rhythm),
    status: schedule.status,
    object: await anchorOf(context, schedule.owner_id, scheduled),
  };
}
async function resultOf(context: BankContext, ledgerId: number, outcome: RequestOutcome) {
  const [first, ...others] = outcome.requestIds ?? [];
  if (first === undefined) return resultView(context, ledgerId, outcome);
  return others.length === 0 ? { RequestInquiry: { id: first } } : { RequestInquiryBatch: { id: first } };
}
export async function instanceView(context: BankContext, instance: RecordRow) {
  const { atMs, message, outcome } = keptIn(InstanceKept, instance);
  const schedule = await getSchedule(context, instance.owner_id);
  const { scheduled } = keptIn(ScheduleKept, schedule);
  return {
    id: instance.id,
    created: timeText(instance.created_at),
    updated: timeText(instance.updated_at),
    state: instance.status,
    time_start: timeText(atMs),
    ...(outcome && { time_end: timeText(instance.updated_at) }),
    error_message: message === undefined ? [] : messagesOf(message),
    scheduled_object: await anchorOf(context, schedule.owner_id, scheduled),
    ...(outcome && { result_object: await resultOf(context, schedule.owner_id, outcome) }),
  };
}

export async function getSchedule({ db, account }: BankContext, id: number): Promise<RecordRow> {
  const schedule = await findRecordById(db, account, "schedule", id);
  if (!schedule) throw errors.notFound(`There is no schedule ${id}.`);
  return schedule;
}

/** The next instance is created before it is due, so that it can be skipped. */
async function planNext(context: BankContext, schedule: RecordRow, kept: ScheduleKept): Promise<void> {
  const atMs = occurrenceOf(kept.rhythm, kept.count);
  if (atMs === undefined) return endSchedule(context, schedule, "FINISHED");
  const instance = await createRecord(context, {
    kind: "schedule-instance",
    userId: schedule.user_id,
    ownerId: schedule.id,
    body: { atMs } satisfies InstanceKept,
  });
  await moveRecord(context, schedule, { body: { ...kept, instanceId: instance.id } });
  await context.enqueue(falling, { instanceId: instance.id }, { key: keyOf(schedule.id), runAtMs: atMs });
}
/** A schedule and the record that it schedules share one id and one status. */
async function moveBoth(context: BankContext, schedule: RecordRow, status: string): Promise<RecordRow> {
  const { scheduled } = keptIn(ScheduleKept, schedule);
  const other = await findRecordById(context.db, context.account, scheduled.kind, schedule.id);
  if (other) await moveRecord(context, other, { status });
  return moveRecord(context, schedule, { status });
}
export async function endSchedule(
  context: BankContext,
  schedule: RecordRow,
  status: "FINISHED" | "CANCELLED",
): Promise<void> {
  const { instanceId } = keptIn(ScheduleKept, schedule);
  if (status === "CANCELLED" && instanceId !== undefined) await dropInstance(context, schedule, instanceId);
  const ended = await moveBoth(context, schedule, status);
  await tellSchedule(context, ended, "UPDATE");
}
async function dropInstance(context: BankContext, schedule: RecordRow, instanceId: number): Promise<void> {
  await context.cancelJob(falling, keyOf(schedule.id));
  const instance = await findRecordById(context.db, context.account, "schedule-instance", instanceId);
  if (instance?.status === "PENDING") await moveRecord(context, instance, { status: "CANCELLED" });
}
const tellSchedule = async (context: BankContext, schedule: RecordRow, action: "CREATE" | "UPDATE") =>
  tell(context, schedule, {
    category: "SCHEDULE_STATUS",
    action,
    type: "Schedule",
    shown: await scheduleView(context, schedule),
  });

/** Creates the schedule. The caller creates the scheduled record under the same id. */
export async function beginSchedule(
  context: BankContext,
  { user_id, id: ledgerId }: LedgerRow,
  { rhythm, scheduled, id }: { rhythm: Rhythm; scheduled: Scheduled; id?: number },
): Promise<RecordRow> {
  const kept: ScheduleKept = { rhythm, scheduled, count: 0 };
  const schedule = await createRecord(context, {
    kind: "schedule",
    userId: user_id,
    ownerId: ledgerId,
    id: id ?? (await takeId(context.db, context.account)),
    body: kept,
  });
  await tellSchedule(context, schedule, "CREATE");
  await planNext(context, schedule, kept);
  return schedule;
}
/** Changes the schedule and drops its upcoming instance. */
export async function replaceSchedule(
  context: BankContext,
  schedule: RecordRow,
  { rhythm, scheduled }: { rhythm?: Rhythm | undefined; scheduled: Scheduled },
): Promise<void> {
  if (schedule.status !== "ACTIVE")
    throw errors.badRequest(`A schedule that is ${schedule.status} cannot be changed.`);
  const before = keptIn(ScheduleKept, schedule);
  if (!rhythm) {
    await moveRecord(context, schedule, { body: { ...before, scheduled } });
    return;
  }
  if (before.instanceId !== undefined) await dropInstance(context, schedule, before.instanceId);
  await planNext(context, schedule, { rhythm, scheduled, count: 0 });
}

async function askAll(
  context: BankContext,
  from: LedgerRow,
  schedule: RecordRow,
  inquiries: readonly Inquiry[],
) {
  const requestIds: number[] = [];
  for (const inquiry of inquiries) {
    const id = await takeId(context.db, context.account);
    const made = await makeInquiry(context, from, { ...inquiry, scheduledId: schedule.id }, id);
    const place = { kind: "request-inquiry", userId: from.user_id, ownerId: from.id, id };
    await tellInquiry(context, await createRecord(context, { ...place, ...made }), "CREATE");
    requestIds.push(id);
  }
  return { requestIds };
}
async function perform(context: BankContext, schedule: RecordRow): Promise<RequestOutcome> {
  const from = await getKnownLedger(context.db, context.account, schedule.owner_id);
  const { scheduled } = keptIn(ScheduleKept, schedule);
  const { inquiries } = scheduled;
  return inquiries
    ? askAll(context, from, schedule, inquiries)
    : carryOut(context, from, scheduled.entries, { scheduledId: schedule.id });
}

const tellInstance = async (context: BankContext, schedule: RecordRow, instance: RecordRow) =>
  tell(
    context,
    { ...instance, owner_id: schedule.owner_id },
    {
      category: "SCHEDULE_RESULT",
      action: "UPDATE",
      type: "ScheduledInstance",
      shown: await instanceView(context, instance),
    },
  );
/** Moves the instance on. The next one is planned only after the first attempt. */
async function conclude(
  context: BankContext,
  instanceId: number,
  attempt: (schedule: RecordRow, kept: InstanceKept) => Promise<{ status: string; body: InstanceKept }>,
): Promise<void> {
  await takeId(context.db, context.account);
  const instance = await findRecordById(context.db, context.account, "schedule-instance", instanceId);
  if (!instance) return;
  const schedule = await getSchedule(context, instance.owner_id);
  const isOpen = instance.status === "PENDING" || instance.status === "RETRY";
  if (isOpen) {
    const outcome = await attempt(schedule, keptIn(InstanceKept, instance));
    await tellInstance(context, schedule, await moveRecord(context, instance, outcome));
  }
  const kept = keptIn(ScheduleKept, schedule);
  const isNext =
    kept.instanceId === instanceId && schedule.status === "ACTIVE" && instance.status !== "RETRY";
  if (isNext) await planNext(context, schedule, { ...kept, count: kept.count + 1 });
}

/** Pays or requests in one transaction. A refusal is recorded in a second one. */
export async function fallDue(context: BankContext, instanceId: number): Promise<void> {
  try {
    await context.transact((inner) =>
      conclude(inner, instanceId, async (schedule, kept) => ({
        status: "FINISHED_SUCCESSFULLY",
        body: { atMs: kept.atMs, outcome: await perform(inner, schedule) },
      })),
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await context.transact((inner) =>
      conclude(inner, instanceId, async (_schedule, { atMs }) => ({
        status: "FAILED_USER_ERROR",
        body: { atMs, message: error.message },
      })),
    );
  }
}
/** Retries immediately. */
export async function retryInstance(context: BankContext, instance: RecordRow): Promise<void> {
  await context.enqueue(falling, { instanceId: instance.id }, { key: `retry:${instance.id}` });
}
