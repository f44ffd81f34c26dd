/** Spending limits of users. Accounts and cards have further limits. */

export const DAY_MS = 86_400_000;
export const MONTH_MS = 30 * DAY_MS;
/** The accounts of a user. */
export const ACCOUNTS_MAX = 500;
/** How often an account is shared. */
export const SHARES_MAX = 50;
/** The largest sum in euros that may leave all accounts of a user within a month. */
export const MONTHLY_LIMIT = { minor: 100_000_000, currency: "EUR" } as const;
