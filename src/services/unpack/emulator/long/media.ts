/** MMX and SSE in 64-bit mode. Only moves to and from 64-bit registers differ from 32-bit mode. */
import { registersOf, media as shortMedia } from "../media.ts";
import type { TranslateLong } from "./reading.ts";

const REGISTER_BYTES = 16;
const SHORT_BYTES = 8;
const SHORT_START = 16 * REGISTER_BYTES;
const LOAD = 0x6e;
const STORE = 0x7e;

/** movq (0f 6e, 7e) with 64-bit operands. */
export const media: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const isMove = opcode === LOAD || (opcode === STORE && reading.repeat === 0);
  if (!reading.isWide || !isMove) return shortMedia(reading, opcode);
  const [bytes, start] = reading.hasOperandPrefix
    ? [REGISTER_BYTES, reading.registerNumber * REGISTER_BYTES]
    : [SHORT_BYTES, SHORT_START + reading.extension * SHORT_BYTES];
  const register = registersOf(cpu).subarray(start, start + bytes);
  const view = new DataView(register.buffer, start, bytes);
  const place = reading.longPlace;
  if (opcode === STORE) return () => place.write(view.getInt32(0, true), view.getInt32(4, true));
  return () => {
    const low = place.read();
    register.fill(0);
    view.setInt32(0, low, true);
    view.setInt32(4, cpu.upper, true);
  };
};
