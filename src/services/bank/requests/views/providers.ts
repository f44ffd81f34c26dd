/** What is kept of what providers ask for. */

import type { Label, Money } from "../../money/index.ts";

export type ProvidedDraftKept = {
  readonly draftId: number;
  readonly senderIban: string;
  readonly receiverIban: string;
  readonly money: Money;
};

export type IssuerKept = {
  readonly money: Money;
  readonly to: { readonly type: string; readonly value: string; readonly name?: string | undefined };
  readonly counterparty: Label;
  readonly alias: Label;
  readonly description: string;
  readonly urlRedirect: string;
  readonly expiresAtMs: number;
  readonly issuerUuid: string;
};
