/** The stored bodies of orders by service providers. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";
import { Label, Money } from "../../money/index.ts";

export const ProvidedDraftKept = recordKind(
  ["payment-service-provider-draft-payment"],
  Type.Object({
    draftId: Type.Number(),
    senderIban: Type.String(),
    receiverIban: Type.String(),
    money: Money,
  }),
);
export type ProvidedDraftKept = KeptOf<typeof ProvidedDraftKept>;

export const IssuerKept = recordKind(
  ["payment-service-provider-issuer-transaction"],
  Type.Object({
    money: Money,
    to: Type.Object({
      type: Type.String(),
      value: Type.String(),
      name: Type.Optional(Type.String()),
    }),
    counterparty: Label,
    alias: Label,
    description: Type.String(),
    urlRedirect: Type.String(),
    expiresAtMs: Type.Number(),
    issuerUuid: Type.String(),
  }),
);
export type IssuerKept = KeptOf<typeof IssuerKept>;
