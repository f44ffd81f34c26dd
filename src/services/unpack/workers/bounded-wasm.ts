/** Adds a memory limit to a WebAssembly module that was built without one. */

const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;

function readNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0, i = at; ; shift += 7, i += 1) {
    const byte = bytes[i] as number;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: i + 1 };
  }
}
function writtenNumber(value: number): number[] {
  const written: number[] = [];
  let left = value;
  do {
    const byte = left % 128;
    left = Math.floor(left / 128);
    written.push(left > 0 ? byte + 128 : byte);
  } while (left > 0);
  return written;
}

export function withMemoryLimit(module: Uint8Array, bytesMax: number): Uint8Array {
  for (let at = HEADER_BYTES; at < module.length; ) {
    const { value: length, end: start } = readNumber(module, at + 1);
    if (module[at] === MEMORY_SECTION) {
      // Layout of the section: one memory, a flag for a limit, the initial size.
      const { value: pages } = readNumber(module, start + 2);
      const body = [1, 1, ...writtenNumber(pages), ...writtenNumber(Math.floor(bytesMax / PAGE_BYTES))];
      const section = [MEMORY_SECTION, ...writtenNumber(body.length), ...body];
      return Buffer.concat([module.subarray(0, at), Buffer.from(section), module.subarray(start + length)]);
    }
    at = start + length;
  }
  throw new Error("The module has no memory of its own.");
}
