/** What is kept of who may collect. */
import type { Label, Money, UserLabel } from "../../money/index.ts";

export type WhitelistKept = {
  readonly payingLedgerId: number;
  readonly incomingLedgerId: number;
  readonly scheme: string;
  readonly mandate: string;
  readonly counterparty: Label;
  readonly creator?: UserLabel | undefined;
  readonly perMonth?: Money | undefined;
  readonly perPayment?: Money | undefined;
  readonly routing?: string | undefined;
};
