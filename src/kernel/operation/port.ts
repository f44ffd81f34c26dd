/** How one service serves another without importing it: an interface in `src/ports`, matched by the app at start. */
declare const portType: unique symbol;
export type Port<T> = { readonly name: string; readonly [portType]?: T };
export const definePort = <T>(name: string): Port<T> => ({ name });

export type ProvidedPort = { readonly port: Port<unknown>; readonly implementation: unknown };
export const provide = <T>(port: Port<T>, implementation: T): ProvidedPort => ({ port, implementation });
