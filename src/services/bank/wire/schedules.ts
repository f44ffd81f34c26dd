/** Schedules: what falls due, when, and what became of it each time. */
import { type Static, Type } from "@sinclair/typebox";
import { isRecurrence, type Recurrence, type Rhythm } from "../domain/times.ts";
import { errors } from "../errors.ts";
import { ErrorMessage, getInstant, Instant } from "./members.ts";
import { Result, ShownEntry } from "./orders.ts";
import { timeText } from "./shared.ts";

const SIZE_MAX = 1000;
export const ScheduleBody = Type.Object({
  time_start: Instant,
  time_end: Type.Optional(Instant),
  recurrence_unit: Type.String({ maxLength: 20 }),
  recurrence_size: Type.Optional(Type.Integer({ minimum: 1, maximum: SIZE_MAX })),
});
/** What is paid or asked for each time. */
export const Anchor = Type.Object({
  Payment: Type.Optional(ShownEntry),
  PaymentBatch: Type.Optional(Type.Object({ payments: Type.Array(ShownEntry) })),
  RequestInquiry: Type.Optional(ShownEntry),
  RequestInquiryBatch: Type.Optional(Type.Object({ request_inquiries: Type.Array(ShownEntry) })),
});
export const scheduleMembers = {
  id: Type.Integer(),
  time_start: Type.String(),
  time_end: Type.Optional(Type.String()),
  recurrence_unit: Type.String(),
  recurrence_size: Type.Integer(),
  status: Type.String(),
  object: Anchor,
};
export const Schedule = Type.Object(scheduleMembers);
export const ScheduleResult = Type.Object({
  ...Result.properties,
  RequestInquiry: Type.Optional(Type.Object({ id: Type.Integer() })),
  RequestInquiryBatch: Type.Optional(Type.Object({ id: Type.Integer() })),
});
export const instanceMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  state: Type.String(),
  time_start: Type.String(),
  time_end: Type.Optional(Type.String()),
  error_message: ErrorMessage,
  scheduled_object: Anchor,
  result_object: Type.Optional(ScheduleResult),
};

export function rhythmOf(body: Static<typeof ScheduleBody>, nowMs: number): Rhythm {
  const { time_start, time_end, recurrence_unit, recurrence_size = 1 } = body;
  if (!isRecurrence(recurrence_unit))
    throw errors.badRequest("recurrence_unit must be ONCE, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY.");
  const startMs = getInstant(time_start, "time_start");
  const endMs = time_end === undefined ? undefined : getInstant(time_end, "time_end");
  if (startMs < nowMs - LATE_MS) throw errors.badRequest("time_start has passed.");
  if (endMs !== undefined && endMs < startMs) throw errors.badRequest("time_end comes before time_start.");
  return { startMs, endMs, unit: recurrence_unit, size: recurrence_size };
}
/** Clocks differ a little, and requests take their time. */
const LATE_MS = 5 * 60_000;

export const rhythmView = ({ startMs, endMs, unit, size }: Rhythm) => ({
  time_start: timeText(startMs),
  ...(endMs !== undefined && { time_end: timeText(endMs) }),
  recurrence_unit: unit satisfies Recurrence,
  recurrence_size: size,
});
