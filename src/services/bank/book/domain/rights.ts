/** Rights of users that an account is shared with. */

/** The owner alone has `own`. */
export type Right = "own" | "view" | "history" | "draft" | "pay";

/** In ascending order: each right includes the ones before it. */
export const ACCESS_TYPES = ["VIEW_BALANCE", "VIEW_TRANSACTION", "DRAFT_PAYMENT", "FULL_TRANSIENT"] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

const NEEDED: Readonly<Record<Exclude<Right, "own">, AccessType>> = {
  view: "VIEW_BALANCE",
  history: "VIEW_TRANSACTION",
  draft: "DRAFT_PAYMENT",
  pay: "FULL_TRANSIENT",
};
const rankOf = (access: string): number => (ACCESS_TYPES as readonly string[]).indexOf(access);
export const allows = (access: string, right: Right): boolean =>
  right !== "own" && rankOf(access) >= rankOf(NEEDED[right]);
export const isRunning = (
  { starts_at, ends_at }: { readonly starts_at: number | null; readonly ends_at: number | null },
  nowMs: number,
): boolean => (starts_at ?? 0) <= nowMs && (ends_at ?? Number.POSITIVE_INFINITY) > nowMs;
