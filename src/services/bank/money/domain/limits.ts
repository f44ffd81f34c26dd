/** How much users may spend in all; accounts and cards have limits of their own. */

export const DAY_MS = 86_400_000;
export const MONTH_MS = 30 * DAY_MS;
/** What may leave all of a user's accounts in euros within a month. */
export const MONTHLY_LIMIT = { minor: 100_000_000, currency: "EUR" } as const;
