/** How one service serves another without importing it: an interface in `src/ports`, matched by the app at start. */

declare const portType: unique symbol;
export type Port<T, Offer = T> = {
  readonly name: string;
  /** Where several services may offer something: makes one of all that the mounted ones offer. */
  readonly join?: (offers: readonly Offer[]) => T;
  readonly [portType]?: T;
};
/** Offered by one service. */
export const definePort = <T>(name: string): Port<T> => ({ name });
/** Offered by any number of services; whoever asks gets what `join` makes of it, once for each running instance. */
export const defineJoinedPort = <Offer, T>(
  name: string,
  join: (offers: readonly Offer[]) => T,
): Port<T, Offer> => ({ name, join });
