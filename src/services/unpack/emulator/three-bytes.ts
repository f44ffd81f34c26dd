/** Instructions with opcode prefix 0f 38 that packer stubs use: crc32 and movbe. */
import { maskOf, type Step, signed16 } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

const CHECKSUM_PREFIX = 0xf2;
/** The CRC-32C polynomial, bit-reversed. */
const REVERSED_POLYNOMIAL = 0x82f6_3b78;
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ REVERSED_POLYNOMIAL : rest >>> 1;
  return rest >>> 0;
});

function checksum(reading: Reading, opcode: number): Step {
  const width = reading.widthOf(opcode);
  const target = reading.register(32);
  const source = reading.place(width);
  return () => {
    let rest = target.read();
    const value = source.read() & maskOf(width);
    for (let bit = 0; bit < width; bit += 8)
      rest = (rest >>> 8) ^ (remainders[(rest ^ (value >>> bit)) & 0xff] as number);
    target.write(rest | 0);
  };
}
const swapped = (value: number): number =>
  (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
function moveSwapped(reading: Reading, opcode: number): Step {
  const { width } = reading;
  if (!reading.isMemory) return reading.refuse();
  const place = reading.place(width);
  const register = reading.register(width);
  const [to, from] = opcode === 0xf0 ? [register, place] : [place, register];
  if (width === 32) return () => to.write(swapped(from.read()));
  return () => to.write(signed16(swapped(from.read()) >>> 16));
}

/** Dispatches opcodes after 0f 38. */
export const threeBytes: Translate = (reading) => {
  const opcode = reading.byte();
  if (opcode !== 0xf0 && opcode !== 0xf1) return reading.refuse();
  return reading.repeat === CHECKSUM_PREFIX ? checksum(reading, opcode) : moveSwapped(reading, opcode);
};
