/** What is kept of money that goes abroad. */
import type { Label, Money } from "../../money/index.ts";

export type AbroadQuoteKept = {
  readonly source: Money;
  readonly target: Money;
  readonly fee: Money;
  readonly rate: string;
  readonly quoteUuid: string;
  readonly expiresAtMs: number;
  readonly deliveryAtMs: number;
  readonly transferId?: number;
};
export type RecipientKept = {
  readonly currency: string;
  readonly country: string;
  readonly name: string;
  readonly type: string;
  readonly detail: readonly { readonly key: string; readonly value: string }[];
};
export const detailOf = ({ detail }: RecipientKept, keys: readonly string[]): string | undefined =>
  detail.find(({ key }) => keys.includes(key))?.value;
export const labelOfRecipient = (kept: RecipientKept): Label => {
  const code = detailOf(kept, ["sortCode", "abartn", "swiftCode"]);
  return {
    display_name: kept.name,
    country: kept.country,
    is_light: false,
    transferprovider_account_number: detailOf(kept, ["IBAN", "accountNumber"]) ?? "",
    ...(code !== undefined && { transferprovider_bank_code: code }),
  };
};

export type TransferKept = {
  readonly quoteId: number;
  readonly ledgerId: number;
  readonly paymentId: number;
  readonly alias: Label;
  readonly counterparty: Label;
  readonly source: Money;
  readonly target: Money;
  readonly fee: Money;
  readonly rate: string;
  readonly reference: string;
  readonly deliveryAtMs: number;
};
