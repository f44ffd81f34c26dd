/** How services use each other without imports: an interface in `src/ports`, connected by the app at start. */

declare const portType: unique symbol;
export type Port<T, Offer = T> = {
  readonly name: string;
  /** If several services may provide the port: combines what the mounted ones provide. */
  readonly join?: (offers: readonly Offer[]) => T;
  readonly [portType]?: T;
};
/** Provided by one service. */
export const definePort = <T>(name: string): Port<T> => ({ name });
/** Provided by any number of services. Callers get the result of `join`, made once for each instance. */
export const defineJoinedPort = <Offer, T>(
  name: string,
  join: (offers: readonly Offer[]) => T,
): Port<T, Offer> => ({ name, join });
