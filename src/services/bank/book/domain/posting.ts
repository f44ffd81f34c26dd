/** What a movement of money must be before it may be written down. */

export type Leg = {
  readonly ledgerId: number;
  readonly currency: string;
  /** Positive: the account has more afterwards. */
  readonly minor: number;
};

/** The books balance in every currency by itself. */
export function isBalanced(legs: readonly Leg[]): boolean {
  const sums = new Map<string, number>();
  for (const { currency, minor } of legs) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return legs.length > 1 && [...sums.values()].every((sum) => sum === 0);
}

/** The bank's own accounts stand for the world outside, so that they may owe without bound. */
export const OWN_KINDS = ["outside", "clearing", "exchange", "income", "waiting"] as const;
export type OwnKind = (typeof OWN_KINDS)[number];
