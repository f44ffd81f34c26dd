/** Events, each with its object as it was at that time. */
import { type Static, Type } from "@sinclair/typebox";
import { type BankContext, type EventRow, timeText } from "../../book/index.ts";
import { objectOf } from "../event-objects.ts";

export const Event = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  action: Type.String(),
  user_id: Type.String({ examples: ["3"] }),
  monetary_account_id: Type.Optional(Type.String({ examples: ["12"] })),
  object: Type.Record(Type.String(), Type.Unknown(), { examples: [{ Payment: { id: 38 } }] }),
  status: Type.String(),
});

export async function eventView(context: BankContext, event: EventRow): Promise<Static<typeof Event>> {
  const time = timeText(event.created_at);
  return {
    id: event.id,
    created: time,
    updated: time,
    action: event.action,
    user_id: String(event.user_id),
    ...(event.ledger_id !== 0 && { monetary_account_id: String(event.ledger_id) }),
    object: await objectOf(context, event),
    status: event.status,
  };
}
