/** Row ids of documents. Newer documents have smaller ids, so that the index returns them by date. */

/** Number of documents that fit into one second. */
const SLOTS = 2 ** 21;
const SECONDS_MAX = 2 ** 32 - 1;

export const ORDER_MAX = (SECONDS_MAX + 1) * SLOTS - 1;
const secondsOf = (ms: number): number => Math.min(SECONDS_MAX, Math.max(0, Math.floor(ms / 1000)));

/** The name decides the order within a second. */
export function orderOf(pubDateMs: number, name: string): number {
  return (SECONDS_MAX - secondsOf(pubDateMs)) * SLOTS + (hashOf(name) % SLOTS);
}

/** The next row id to try after a collision. */
export const nextOrder = (order: number): number => Math.floor(order / SLOTS) * SLOTS + ((order + 1) % SLOTS);

/** Row ids of documents published from `afterMs` to `beforeMs`, both inclusive. */
export function orderRange(
  afterMs: number | undefined,
  beforeMs: number | undefined,
): { readonly first: number; readonly last: number } {
  const first = beforeMs === undefined ? 0 : (SECONDS_MAX - secondsOf(beforeMs)) * SLOTS;
  const afterSeconds = afterMs === undefined ? 0 : Math.max(0, Math.ceil(afterMs / 1000));
  const last = afterSeconds > SECONDS_MAX ? -1 : (SECONDS_MAX - afterSeconds) * SLOTS + SLOTS - 1;
  return { first: beforeMs !== undefined && beforeMs < 0 ? ORDER_MAX + 1 : first, last };
}

/** FNV-1a, which gives the same value on every platform. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
