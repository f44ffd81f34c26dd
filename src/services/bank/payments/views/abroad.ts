/** The stored bodies of transfers abroad. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";
import { Label, Money } from "../../money/index.ts";

export const AbroadQuoteKept = recordKind(
  ["transferwise-quote", "transferwise-quote-temporary"],
  Type.Object({
    source: Money,
    target: Money,
    fee: Money,
    rate: Type.String(),
    quoteUuid: Type.String(),
    expiresAtMs: Type.Number(),
    deliveryAtMs: Type.Number(),
    transferId: Type.Optional(Type.Number()),
  }),
);
export type AbroadQuoteKept = KeptOf<typeof AbroadQuoteKept>;
export const RecipientKept = recordKind(
  ["transferwise-recipient", "transferwise-recipient-requirement"],
  Type.Object({
    currency: Type.String(),
    country: Type.String(),
    name: Type.String(),
    type: Type.String(),
    detail: Type.Array(
      Type.Object({
        key: Type.String(),
        value: Type.String(),
      }),
    ),
  }),
);
export type RecipientKept = KeptOf<typeof RecipientKept>;
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

export const TransferKept = recordKind(
  ["transferwise-transfer"],
  Type.Object({
    quoteId: Type.Number(),
    ledgerId: Type.Number(),
    paymentId: Type.Number(),
    alias: Label,
    counterparty: Label,
    source: Money,
    target: Money,
    fee: Money,
    rate: Type.String(),
    reference: Type.String(),
    deliveryAtMs: Type.Number(),
  }),
);
export type TransferKept = KeptOf<typeof TransferKept>;

export const AbroadUserKept = recordKind(["transferwise-user"], Type.Object({ source: Type.String() }));
