/** When money leaves for other banks. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { BankContext } from "../state.ts";
import type { PaymentRow } from "../tables.ts";

/** Every quarter of an hour. */
const CLEARING_MS = 15 * 60_000;
export const clearing = {
  name: "bank.clear",
  payload: Type.Object({ ledgerId: Type.Integer(), paymentId: Type.Integer() }),
} satisfies WorkKind<{ ledgerId: number; paymentId: number }>;
export const keyOfClearing = (paymentId: number): string => `clear:${paymentId}`;

export const nextClearingMs = (nowMs: number): number => Math.ceil((nowMs + 1) / CLEARING_MS) * CLEARING_MS;

export async function planClearing(context: BankContext, { ledger_id, id }: PaymentRow): Promise<void> {
  const runAtMs = nextClearingMs(context.clock.nowMs());
  await context.enqueue(
    clearing,
    { ledgerId: ledger_id, paymentId: id },
    { runAtMs, key: keyOfClearing(id) },
  );
}
