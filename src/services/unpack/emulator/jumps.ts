/** Control flow: jumps, calls, returns, loops and interrupts. */
import { ECX, ESP } from "./cpu.ts";
import { ProcessorException, STATUS } from "./faults.ts";
import { conditions } from "./flags.ts";
import { type Place, type Step, signed16 } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

/** Sets the instruction pointer also if the jump is not taken. */
function jumpIf(reading: Reading, holds: () => boolean, target: number): Step {
  const { cpu, next } = reading;
  reading.jumps();
  return () => {
    cpu.eip = holds() ? target : next;
  };
}
const relative = (reading: Reading, distance: number): number => {
  const target = (reading.next + distance) | 0;
  return reading.width === 32 ? target : target & 0xffff;
};
const distanceOf = (reading: Reading): number => reading.immediate(reading.width);

/** Short jcc (70 to 7f). */
export const jumpShortIf: Translate = (reading, opcode) => {
  const distance = reading.signedByte();
  return conditional(reading, opcode, relative(reading, distance));
};
/** Near jcc (0f 80 to 8f). */
export const jumpIfFar: Translate = (reading, opcode) => {
  const distance = distanceOf(reading);
  return conditional(reading, opcode, relative(reading, distance));
};
function conditional(reading: Reading, opcode: number, target: number): Step {
  const { flags } = reading.cpu;
  const holds = conditions[opcode & 15] as (typeof conditions)[number];
  return jumpIf(reading, () => holds(flags), target);
}
/** e0 to e3: loopne, loope, loop, jecxz. */
export const loop: Translate = (reading, opcode) => {
  const { wide, half, flags } = reading.cpu;
  const distance = reading.signedByte();
  const target = relative(reading, distance);
  const counter = reading.isShortAddress ? half : wide;
  const at = reading.isShortAddress ? ECX * 2 : ECX;
  if (opcode === 0xe3) return jumpIf(reading, () => counter[at] === 0, target);
  return jumpIf(
    reading,
    () => {
      counter[at] = (counter[at] as number) - 1;
      if (counter[at] === 0) return false;
      return opcode === 0xe2 || flags.zero === (opcode === 0xe1);
    },
    target,
  );
};
/** jmp (e9, eb). */
export const jump: Translate = (reading, opcode) => {
  const distance = opcode === 0xeb ? reading.signedByte() : distanceOf(reading);
  const target = relative(reading, distance);
  return jumpIf(reading, () => true, target);
};
export const call: Translate = (reading) => {
  const distance = distanceOf(reading);
  const target = relative(reading, distance);
  const { cpu, next } = reading;
  reading.jumps();
  return () => {
    cpu.push(next);
    cpu.eip = target;
  };
};
/** Indirect jmp (ff): the operand holds the target. */
export function jumpTo(reading: Reading, place: Place): Step {
  const { cpu } = reading;
  reading.jumps();
  return () => {
    cpu.eip = place.read();
  };
}
export function callTo(reading: Reading, place: Place): Step {
  const { cpu, next } = reading;
  reading.jumps();
  return () => {
    const target = place.read();
    cpu.push(next);
    cpu.eip = target;
  };
}
/** ret (c2, c3). */
export const leave: Translate = (reading, opcode) => {
  const { cpu, width } = reading;
  const bytes = opcode === 0xc2 ? reading.word() : 0;
  reading.jumps();
  if (width === 16)
    return () => {
      cpu.eip = cpu.memory.read16(cpu.esp);
      cpu.wide[ESP] = cpu.esp + 2 + bytes;
    };
  return () => {
    cpu.eip = cpu.pop();
    if (bytes !== 0) cpu.wide[ESP] = cpu.esp + bytes;
  };
};

function raise(reading: Reading, status: number, message: string, isTrap = false): Step {
  reading.jumps();
  return () => {
    throw new ProcessorException(status, message, [], isTrap);
  };
}
/** int3, int, into, icebp (cc, cd, ce, f1). */
export const interrupt: Translate = (reading, opcode) => {
  const { cpu, next } = reading;
  if (opcode === 0xce) {
    reading.jumps();
    return () => {
      if (cpu.flags.overflow) throw new ProcessorException(STATUS.integerOverflow, "an overflow", [], true);
      cpu.eip = next;
    };
  }
  if (opcode === 0xf1) return raise(reading, STATUS.singleStep, "int1", true);
  const number = opcode === 0xcc ? 3 : reading.byte();
  if (number === 3) return raise(reading, STATUS.breakpoint, "int3");
  if (number === 0x2d) return raise(reading, STATUS.breakpoint, "int 0x2d");
  return raise(reading, STATUS.accessViolation, `int 0x${number.toString(16)}`);
};
/** Instructions that only the kernel may execute. */
export const privileged: Translate = (reading) =>
  raise(reading, STATUS.privilegedInstruction, "an instruction of the system's");
export const illegal: Translate = (reading) =>
  raise(reading, STATUS.illegalInstruction, "an instruction that there is not");
/** bound (62). */
export const bound: Translate = (reading) => {
  const { memory } = reading.cpu;
  const { width } = reading;
  const index = reading.register(width);
  const { address } = reading;
  const read = (at: number) => (width === 32 ? memory.read32(at) : signed16(memory.read16(at)));
  return () => {
    const at = address();
    const value = index.read();
    if (value < read(at) || value > read((at + width / 8) | 0))
      throw new ProcessorException(0xc000_008c, "an index out of its bounds");
  };
};
