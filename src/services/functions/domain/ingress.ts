/** From where a function may be called. */

/** Whether an address is of this machine. A server that listens on IPv6 sees IPv4 addresses in their IPv6 form. */
export const isInternalAddress = (address: string): boolean =>
  address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
