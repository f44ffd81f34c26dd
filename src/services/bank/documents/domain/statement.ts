/** A statement as every format tells it: what an account had, what came and went, what it has. */
export type StatementLine = {
  readonly id: number;
  readonly atMs: number;
  readonly minor: number;
  readonly balanceAfter: number;
  readonly name: string;
  readonly iban: string;
  readonly description: string;
  /** What the payer gave along for the payee's books; empty where there is none. */
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
