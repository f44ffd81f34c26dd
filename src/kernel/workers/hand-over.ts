/** A result whose bytes move to the main thread, or a task whose bytes move to a worker, instead of being copied there. */

/** The buffers must belong to `value` alone; whoever hands them over cannot use them afterwards. */
export async function handOver<Value extends object>(
  value: Value,
  ...buffers: readonly ArrayBufferLike[]
): Promise<Value> {
  const { move, transferableSymbol, valueSymbol } = await import("piscina");
  const moved = { [transferableSymbol]: buffers, [valueSymbol]: value } as unknown as Parameters<
    typeof move
  >[0];
  return move(moved) as unknown as Value;
}
