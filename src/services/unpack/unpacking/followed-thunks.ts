/**
 * Follows what protectors put before functions by executing it. Its instructions are mixed with others that do nothing, and differ each
 * time; where they lead does not.
 */
import { EmulationEnd } from "../emulator/faults.ts";
import { Processor } from "../emulator/processor.ts";
import { isOfSystem } from "../windows/layout.ts";
import type { WindowsProcess } from "../windows/process.ts";

/** Of one; they have twenty or thirty. */
const INSTRUCTIONS_MAX = 200;
const FOLLOWED_MAX = 10_000;
/** Below all that the program has on its stack. */
const STACK_ROOM = 0x8000;
const ESP = 4;

/** For a program that has ended: registers and the free part of its stack are used. */
export function createThunkFollower(process: WindowsProcess): (address: number) => number | undefined {
  const targets = new Map<number, number | undefined>();
  return (address) => {
    if (!targets.has(address) && targets.size < FOLLOWED_MAX) targets.set(address, follow(process, address));
    return targets.get(address);
  };
}

/** Undefined where it leads to no function, or changes the stack on the way there as no caller would have it. */
function follow({ cpu, startOfStack }: WindowsProcess, address: number): number | undefined {
  const { executed, breakpoints } = cpu;
  const esp = startOfStack - STACK_ROOM;
  let reached: number | undefined;
  const processor = new Processor(cpu, {
    beforeBlock(here) {
      if (!isOfSystem(here)) return false;
      reached = (cpu.esp | 0) === esp ? here : undefined;
      processor.stop();
      return true;
    },
    handle: () => false,
  });
  cpu.eip = address;
  cpu.wide[ESP] = esp;
  cpu.breakpoints = [];
  try {
    processor.run(INSTRUCTIONS_MAX);
  } catch (error) {
    if (!(error instanceof EmulationEnd)) throw error;
  } finally {
    Object.assign(cpu, { executed, breakpoints });
  }
  return reached;
}
