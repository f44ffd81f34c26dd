/** Instructions that query the processor or change single flags. */
import { type Cpu, EAX, EBX, ECX, EDX } from "./cpu.ts";
import { CARRY } from "./flags.ts";
import type { Translate } from "./reading.ts";

const VENDOR = { [EBX]: 0x756e_6547, [EDX]: 0x4965_6e69, [ECX]: 0x6c65_746e };
/**
 * Features: x87, time stamps, cmpxchg8b, conditional moves, MMX, SSE and SSE2. The signature is of family 6.
 */
const SIGNATURE = 0x0003_06c3;
const FEATURES = 0x0780_8111 | (1 << 15);
/** An instruction counts as a few clock cycles. */
const CYCLES_PER_STEP = 3;

export const nothing: Translate = () => () => {};

/** cmc, clc, stc, cld, std (f5, f8, f9, fc, fd). */
export const changeFlag: Translate = ({ cpu }, opcode) => {
  const { flags } = cpu;
  switch (opcode) {
    case 0xf5:
      return () => flags.change(CARRY, flags.carry ^ 1);
    case 0xf8:
      return () => flags.change(CARRY, 0);
    case 0xf9:
      return () => flags.change(CARRY, CARRY);
    default:
      return () => {
        flags.direction = opcode === 0xfc ? 1 : -1;
      };
  }
};

export const readTime: Translate =
  ({ cpu }) =>
  () => {
    const cycles = cpu.executed * CYCLES_PER_STEP + 0x1_0000_0000;
    cpu.wide[EAX] = cycles | 0;
    cpu.wide[EDX] = Math.floor(cycles / 0x1_0000_0000);
  };

function tell({ wide }: Cpu, values: Readonly<Record<number, number>>): void {
  for (const number of [EAX, EBX, ECX, EDX]) wide[number] = values[number] ?? 0;
}
export const identify: Translate =
  ({ cpu }) =>
  () => {
    const leaf = cpu.wide[EAX];
    if (leaf === 0) tell(cpu, { [EAX]: 1, ...VENDOR });
    else if (leaf === 1) tell(cpu, { [EAX]: SIGNATURE, [EDX]: FEATURES });
    else tell(cpu, {});
  };
