/** From where somebody may call. */

/** `*` stands for everywhere. */
export const isPermitted = (permitted: readonly string[], address: string): boolean =>
  permitted.includes("*") || permitted.includes(address);
