/** Payments that are yet to be made. */

import { type Static, Type } from "@sinclair/typebox";
import type { Unchanging } from "../../book/index.ts";
import { amountOf, Label, Money } from "../../money/index.ts";

/** A payment order in a request body. */
export type EntryBody = {
  readonly amount: { readonly value: string; readonly currency: string };
  readonly counterparty_alias: { readonly type: string; readonly value: string; readonly name?: string };
  readonly description: string;
  readonly attachment?: readonly { readonly id: number }[];
  readonly merchant_reference?: string;
  readonly allow_vendorto?: boolean;
};

/** A payment order, stored until it is carried out. */
export const Entry = Type.Object({
  money: Money,
  to: Type.Object({
    type: Type.String(),
    value: Type.String(),
    name: Type.Optional(Type.String()),
  }),
  /** How the other side was named when the order was given. */
  label: Label,
  description: Type.String(),
  merchantReference: Type.Optional(Type.String()),
  attachments: Type.Optional(Type.Array(Type.Number())),
  /** Whether the payment may wait until somebody registers the alias. */
  mayWait: Type.Optional(Type.Boolean()),
  /** By which a draft's owner names it, from 1 on. */
  id: Type.Optional(Type.Number()),
});
export type Entry = Unchanging<Static<typeof Entry>>;
export const entryView = (
  { id, money, label, description, merchantReference, attachments }: Entry,
  alias: Label | undefined,
) => ({
  ...(id !== undefined && { id }),
  amount: amountOf(money),
  ...(alias && { alias }),
  counterparty_alias: label,
  description,
  ...(merchantReference !== undefined && { merchant_reference: merchantReference }),
  ...(attachments && { attachment: attachments.map((one) => ({ id: one })) }),
  type: "PAYMENT",
});
