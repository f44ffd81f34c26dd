/** What the world does to a bank's cards and accounts, simulated: tills, machines, and payments from elsewhere. */
import { type Context, defineJoinedPort } from "#kernel/operation";

export type SimulatedAmount = { readonly value: string; readonly currency: string };
export type SimulatedUse = {
  readonly cardId: number;
  readonly numberId?: number;
  readonly amount: SimulatedAmount;
  /** In the card's currency, where the amount is in another. */
  readonly billing?: SimulatedAmount;
  readonly merchant: {
    readonly name: string;
    readonly city: string;
    readonly country: string;
    readonly categoryCode: string;
    readonly id: string;
  };
  readonly entry: string;
  readonly pin?: string;
  readonly cvc2?: string;
  /** Whether the holder of the card is asked first. */
  readonly challenge?: boolean;
};
export type SimulatedChange = {
  readonly transactionId: number;
  readonly amount?: SimulatedAmount;
};
export type SimulatedIncoming = {
  readonly iban: string;
  readonly amount: SimulatedAmount;
  readonly description: string;
  readonly from: { readonly name: string; readonly iban?: string };
  /** How it comes: by transfer, by the service for whoever changed banks, or from a card elsewhere. */
  readonly by: "TRANSFER" | "SWITCH_SERVICE" | "CARD";
};
export type SimulatedDebit = {
  readonly iban: string;
  readonly amount: SimulatedAmount;
  readonly creditor: { readonly name: string; readonly schemeIdentifier: string; readonly iban?: string };
  readonly mandateIdentifier: string;
  readonly recurring: boolean;
  readonly description: string;
};
export type SimulatedOutcome = {
  readonly id: number;
  readonly status: string;
  readonly decision: string;
  readonly decisionDescription: string;
  readonly monetaryAccountId: number;
  readonly paymentIds: readonly number[];
};
export type SimulatedProof = {
  readonly isSound: boolean;
  readonly entries: number;
  readonly sums: readonly { readonly currency: string; readonly sum: number; readonly entries: number }[];
  readonly wrong: readonly { readonly ledgerId: number; readonly balance: number; readonly sum: number }[];
};
export type BankSimulator = {
  authorise(context: Context, use: SimulatedUse): Promise<SimulatedOutcome>;
  reverse(context: Context, change: SimulatedChange): Promise<SimulatedOutcome>;
  settle(context: Context, change: SimulatedChange): Promise<SimulatedOutcome>;
  refund(context: Context, change: SimulatedChange): Promise<SimulatedOutcome>;
  receive(context: Context, incoming: SimulatedIncoming): Promise<SimulatedOutcome>;
  /** Somebody collects from an account. */
  collect(context: Context, debit: SimulatedDebit): Promise<SimulatedOutcome>;
  /** Sets what one euro is in other currencies. */
  setRates(context: Context, rates: Readonly<Record<string, string>>): Promise<void>;
  /** Whether the books balance. */
  prove(context: Context): Promise<SimulatedProof>;
};
/** Thrown with words for whoever simulates. */
export class SimulationError extends Error {}

/** Undefined where no bank is mounted. */
export const bankSimulator = defineJoinedPort<BankSimulator, BankSimulator | undefined>(
  "bank-simulator",
  ([bank]) => bank,
);
