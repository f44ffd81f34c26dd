/** Allocation rules and their results. */

import { type Static, Type } from "@sinclair/typebox";
import { Amount, keptIn, Pointer, type RecordRow, timeText } from "../../book/index.ts";
import { amountOf, ErrorMessage, messagesOf, Payment, PointerBody } from "../../money/index.ts";
import { AllocateInstanceKept, type Definition } from "../views/allocations.ts";
import { PaymentsOf } from "./orders.ts";

export const DefinitionBody = Type.Object({
  type: Type.Optional(Type.String({ maxLength: 20 })),
  counterparty_alias: PointerBody,
  description: Type.String({ maxLength: 140 }),
  amount: Type.Optional(Amount),
  fraction: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export const allocateMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  type: Type.String(),
  status: Type.String(),
  trigger_amount: Type.Optional(Amount),
  payment: Type.Optional(Payment),
  payment_original: Type.Optional(Payment),
  payment_latest: Type.Optional(Payment),
};
export const ShownDefinition = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  counterparty_alias: Pointer,
  description: Type.String(),
  amount: Type.Optional(Amount),
  fraction: Type.Optional(Type.Integer()),
});
export const definitionView = (
  record: RecordRow,
  { id, to, description, money, fraction }: Definition,
): Static<typeof ShownDefinition> => ({
  id,
  created: timeText(record.created_at),
  updated: timeText(record.updated_at),
  counterparty_alias: to,
  description,
  ...(money && { amount: amountOf(money) }),
  ...(fraction !== undefined && { fraction }),
});
export const allocateInstanceMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  payment_auto_allocate_id: Type.Integer(),
  status: Type.String(),
  error_message: ErrorMessage,
  payment_batch: Type.Optional(Type.Object({ payments: PaymentsOf })),
  payment_id: Type.Integer(),
};
export const allocateInstanceView = (record: RecordRow) => {
  const { paymentId, message } = keptIn(AllocateInstanceKept, record);
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    payment_auto_allocate_id: record.owner_id,
    status: record.status,
    error_message: message === undefined ? [] : messagesOf(message),
    payment_id: paymentId,
  };
};
