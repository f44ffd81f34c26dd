/** Conditions that a movement of money must fulfil before it is written. */

export type Leg = {
  readonly ledgerId: number;
  readonly currency: string;
  /** Positive: the account has more afterwards. */
  readonly minor: number;
};

/** The legs must sum to zero in each currency. */
export function isBalanced(legs: readonly Leg[]): boolean {
  const sums = new Map<string, number>();
  for (const { currency, minor } of legs) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return legs.length > 1 && [...sums.values()].every((sum) => sum === 0);
}

/** The bank's own accounts represent the outside world, so their balance may be negative without a limit. */
export const OWN_KINDS = ["outside", "clearing", "exchange", "income", "waiting", "restored"] as const;
export type OwnKind = (typeof OWN_KINDS)[number];
