/** What is kept in memory belongs to one running instance; several may live in one process. */
import type { Clock } from "#kernel/clock";

/** The clock stands for the instance: each has its own, and every context shows it. */
export function perInstance<T>(make: () => T): (context: { readonly clock: Clock }) => T {
  const kept = new WeakMap<Clock, T>();
  return ({ clock }) => {
    const known = kept.get(clock);
    if (known !== undefined) return known;
    const made = make();
    kept.set(clock, made);
    return made;
  };
}
