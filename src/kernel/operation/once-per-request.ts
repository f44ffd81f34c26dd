/** For counters in memory: a transaction may run again, but its request counts once. */
import type { Context, RequestInfo } from "./context.ts";

/** The result of the first run is used by later runs of the same request. A failure is not stored. */
export function oncePerRequest<C extends Pick<Context, "request">, Arguments extends readonly unknown[], T>(
  work: (context: C, ...given: Arguments) => T,
): (context: C, ...given: Arguments) => T {
  const results = new WeakMap<RequestInfo, { readonly result: T }>();
  return (context, ...given) => {
    const { request } = context;
    const known = results.get(request);
    if (known) return known.result;
    const result = work(context, ...given);
    results.set(request, { result });
    if (result instanceof Promise) result.catch(() => results.delete(request));
    return result;
  };
}
