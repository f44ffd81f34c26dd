/** One instruction in the emulator, in a memory of its own. */
import type { ProcessorException } from "../../src/services/unpack/emulator/faults.ts";
import { ALL, Memory } from "../../src/services/unpack/emulator/memory.ts";
import { Processor } from "../../src/services/unpack/emulator/processor.ts";
import { CODE, DATA, DATA_BYTES } from "./processor-cases.ts";

export const memory = new Memory(1 << 20);
memory.map(DATA & ~0xfff, 0x2000, ALL);
memory.map(CODE, 0x1000, ALL);

type Instruction = { readonly code: readonly number[]; readonly flags: number; readonly data: Uint8Array };

/** `cpu` has its registers. Resolves to the data after the instruction, or to undefined if it faults. */
export function runInstruction(
  cpu: ConstructorParameters<typeof Processor>[0],
  { code, flags, data }: Instruction,
): Uint8Array | undefined {
  let fault: ProcessorException | undefined;
  const end = CODE + code.length;
  const processor = new Processor(cpu, {
    beforeBlock: (address) => {
      if (address === end) processor.stop();
      return address === end;
    },
    handle: (exception) => {
      fault = exception;
      processor.stop();
      return true;
    },
  });
  cpu.flags.value = flags;
  cpu.eip = CODE;
  memory.load(DATA, data);
  // A jump to itself ends the block where the instruction ends.
  memory.load(CODE, Uint8Array.of(...code, 0xeb, 0xfe));
  processor.run(10_000);
  const after = new Uint8Array(DATA_BYTES);
  memory.tryRead(DATA, after);
  return fault ? undefined : after;
}
