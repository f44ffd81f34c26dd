/** A statement, independent of its format: opening balance, entries and closing balance. */
export type StatementLine = {
  readonly id: number;
  readonly atMs: number;
  readonly minor: number;
  readonly balanceAfter: number;
  readonly name: string;
  readonly iban: string;
  readonly description: string;
  /** The payer's reference for the payee; empty if there is none. */
  readonly reference: string;
};
export type Statement = {
  readonly number: number;
  readonly holder: string;
  readonly iban: string;
  readonly currency: string;
  readonly fromMs: number;
  /** The first instant that is no longer in it. */
  readonly untilMs: number;
  readonly openingMinor: number;
  readonly closingMinor: number;
  readonly lines: readonly StatementLine[];
};
export type RegionalFormat = "UK_US" | "EUROPEAN";
