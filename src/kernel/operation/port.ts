/** How one service serves another without importing it: an interface in `src/ports`, matched by the app at start. */
import type { Context } from "./context.ts";

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

/** From the caller's context to the provider's: the same transaction, account and request, but its own name and state. */
// biome-ignore lint/suspicious/noExplicitAny: tables and state are the provider's own.
export type OwnContext = (context: Context) => Context<any, any>;
export type ProvidedPort = {
  // biome-ignore lint/suspicious/noExplicitAny: ports differ in what they offer.
  readonly port: Port<any, any>;
  implement(own: OwnContext): unknown;
};
export const provide = <T, Offer = T>(
  port: Port<T, Offer>,
  implement: (own: OwnContext) => Offer,
): ProvidedPort => ({ port, implement });
