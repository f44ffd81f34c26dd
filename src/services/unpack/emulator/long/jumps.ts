/** Control flow in 64-bit mode. Targets are checked against the window. */
import { ECX } from "../cpu.ts";
import type { Step } from "../places.ts";
import type { LongReading, TranslateLong } from "./reading.ts";

/** Indirect call and jmp (ff): the operand holds the target. */
export function goTo(reading: LongReading, isCall: boolean): Step {
  const { cpu, longPlace: place, next } = reading;
  reading.jumps();
  return () => {
    const target = place.read();
    if (cpu.upper !== cpu.window) cpu.refuseAddress(target, cpu.upper);
    if (isCall) cpu.push(next);
    cpu.eip = target;
  };
}
/** e0 to e3: loopne, loope, loop, jrcxz. */
export const loop: TranslateLong = (reading, opcode) => {
  const { cpu, isShortAddress } = reading;
  const { wide, high, flags } = cpu;
  const distance = reading.signedByte();
  const { next } = reading;
  const target = (next + distance) | 0;
  reading.jumps();
  const isDone = (): boolean => wide[ECX] === 0 && (isShortAddress || high[ECX] === 0);
  if (opcode === 0xe3)
    return () => {
      cpu.eip = isDone() ? target : next;
    };
  return () => {
    if (isShortAddress) {
      wide[ECX] = (wide[ECX] as number) - 1;
      high[ECX] = 0;
    } else cpu.advance(ECX, -1);
    const isWanted = opcode === 0xe2 || flags.zero === (opcode === 0xe1);
    cpu.eip = !isDone() && isWanted ? target : next;
  };
};
