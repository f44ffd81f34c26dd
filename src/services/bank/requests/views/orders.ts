/** Payments that are yet to be made. */
import { amountOf, type Label, type Money } from "../../money/index.ts";

/** An order as it is given. */
export type EntryBody = {
  readonly amount: { readonly value: string; readonly currency: string };
  readonly counterparty_alias: { readonly type: string; readonly value: string; readonly name?: string };
  readonly description: string;
  readonly attachment?: readonly { readonly id: number }[];
  readonly merchant_reference?: string;
  readonly allow_vendorto?: boolean;
};

/** An order to pay, as it is kept until it is carried out. */
export type Entry = {
  readonly money: Money;
  readonly to: { readonly type: string; readonly value: string; readonly name?: string | undefined };
  /** How the other side was named when the order was given. */
  readonly label: Label;
  readonly description: string;
  readonly merchantReference?: string | undefined;
  readonly attachments?: readonly number[];
  /** Whether it may wait for whoever comes under the name. */
  readonly mayWait?: boolean;
  /** By which a draft's owner names it, from 1 on. */
  readonly id?: number;
};
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
