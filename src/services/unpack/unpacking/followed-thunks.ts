/**
 * Follows obfuscated import thunks of protectors by executing them. Junk instructions differ between thunks,
 * but the target does not.
 */
import { EmulationEnd } from "../emulator/faults.ts";
import { Processor } from "../emulator/processor.ts";
import { isOfSystem } from "../windows/layout.ts";
import type { WindowsProcess } from "../windows/process.ts";

/** Instructions of one thunk. Usual thunks have 20 to 30. */
const INSTRUCTIONS_MAX = 200;
const FOLLOWED_MAX = 10_000;
/** Distance below the program's stack. */
const STACK_ROOM = 0x8000;
const ESP = 4;

/** For a program that has ended. Following overwrites its registers and the free part of its stack. */
export function createThunkFollower(process: WindowsProcess): (address: number) => number | undefined {
  const targets = new Map<number, number | undefined>();
  return (address) => {
    if (!targets.has(address) && targets.size < FOLLOWED_MAX) targets.set(address, follow(process, address));
    return targets.get(address);
  };
}

/** Undefined if the thunk reaches no system function, or leaves the stack changed. */
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
