/** Transfers bytes between the main thread and a worker instead of copying them. */
import type { MessagePort } from "node:worker_threads";

/**
 * Bytes that own their whole buffer, so that it can be transferred: the same, or a copy of a part of a larger
 * buffer.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(bytes);
}

/** The buffers must belong to `value` alone. The sender cannot use them afterwards. */
export async function handOver<Value extends object>(
  value: Value,
  ...buffers: readonly (ArrayBufferLike | MessagePort)[]
): Promise<Value> {
  const { move, transferableSymbol, valueSymbol } = await import("piscina");
  // The package's types know single buffers only; its documentation has this form too.
  const moved = { [transferableSymbol]: buffers, [valueSymbol]: value } as unknown as Parameters<
    typeof move
  >[0];
  return move(moved) as Value;
}
