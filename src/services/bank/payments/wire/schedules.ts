/** Schedules: due dates, and the result of each instance. */
import { Type } from "@sinclair/typebox";
import { ErrorMessage, Instant } from "../../money/index.ts";
import { SIZE_MAX } from "../views/schedules.ts";
import { Result, ShownEntry } from "./orders.ts";

export const ScheduleBody = Type.Object({
  time_start: Instant,
  time_end: Type.Optional(Instant),
  recurrence_unit: Type.String({ maxLength: 20 }),
  recurrence_size: Type.Optional(Type.Integer({ minimum: 1, maximum: SIZE_MAX })),
});
/** The payment or request of each instance. */
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
