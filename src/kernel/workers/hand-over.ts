/** For the worker's side: a result whose bytes move to the main thread instead of being copied there. */

/** The buffers must belong to `value` alone; the worker cannot use them afterwards. */
export async function handOver<Result extends object>(
  value: Result,
  ...buffers: readonly ArrayBufferLike[]
): Promise<Result> {
  const { move, transferableSymbol, valueSymbol } = await import("piscina");
  const moved = { [transferableSymbol]: buffers, [valueSymbol]: value } as unknown as Parameters<
    typeof move
  >[0];
  return move(moved) as unknown as Result;
}
