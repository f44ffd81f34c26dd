/** What a service offers through a port, and how it finds its own state there. */
import type { Context } from "./context.ts";
import type { Port } from "./port.ts";

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
