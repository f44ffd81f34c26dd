/** Transfers that strangers have made at their own bank: they arrive with the next clearing. */
import { type Static, Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { BankContext } from "../book/index.ts";
import { nextClearingMs } from "../money/index.ts";
import { findPayable, receiveFor } from "./payables.ts";

const Arrival = Type.Object({
  kind: Type.String(),
  recordId: Type.Integer(),
  minor: Type.Integer(),
  currency: Type.String(),
  name: Type.String(),
});
export type Arrival = Static<typeof Arrival>;
export const arrival = { name: "bank.arrive", payload: Arrival } satisfies WorkKind<Arrival>;

export async function planArrival(context: BankContext, wanted: Arrival): Promise<void> {
  await context.enqueue(arrival, wanted, { runAtMs: nextClearingMs(context.clock.nowMs()) });
}
/** The money is credited even if the page was closed after the visitor paid. */
export async function arrive(
  context: BankContext,
  { kind, recordId, minor, currency, name }: Arrival,
): Promise<void> {
  const payable = await findPayable(context, { kind, recordId });
  if (payable?.ledger.status !== "ACTIVE") return;
  const counterparty = { display_name: name, country: "NL", is_light: false };
  await receiveFor(context, payable, { minor, currency }, { type: "EBA_SCT", counterparty });
}
