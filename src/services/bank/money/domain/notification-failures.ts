/** Notifications that could not be delivered. */
import { Type } from "@sinclair/typebox";
import { recordKind } from "../../book/index.ts";

export const FAILURE = "notification-failure";
export const FailureKept = recordKind(
  [FAILURE],
  Type.Object({
    eventId: Type.Number(),
    filterId: Type.Number(),
    attempt: Type.Optional(Type.Number()),
    category: Type.String(),
    method: Type.String(),
    target: Type.String(),
    event_type: Type.String(),
    object_id: Type.Number(),
    exception_message: Type.String(),
    response_code: Type.Number(),
  }),
);
