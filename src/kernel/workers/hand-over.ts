/** A result whose bytes move to the main thread, or a task whose bytes move to a worker, instead of being copied there. */

/** Bytes that have their buffer for themselves, so that it can move: the same, or a copy where others have a part of it. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(bytes);
}

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
