/** Addresses that a caller may call from. */

/** `*` permits every address. */
export const isPermitted = (permitted: readonly string[], address: string): boolean =>
  permitted.includes("*") || permitted.includes(address);
