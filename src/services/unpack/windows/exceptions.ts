/**
 * Structured exception handling: the chain at FS:0, calls of handlers with a record and a context, and their
 * results.
 */
import { EAX, EBP, EBX, ECX, EDI, EDX, ESI, ESP } from "../emulator/cpu.ts";
import { EmulationEnd, type ProcessorException, STATUS } from "../emulator/faults.ts";
import { hex } from "./journal.ts";
import { TEB } from "./layout.ts";
import type { WindowsProcess } from "./process.ts";

const CONTEXT_BYTES = 0x2cc;
const RECORD_BYTES = 0x50;
const CONTEXT_FULL = 0x1_003f;
const END_OF_CHAIN = 0xffff_ffff;
const CONTINUE_EXECUTION = 0;
const FILTER_CONTINUE = 0xffff_ffff;
const HANDLERS_MAX = 64;
const SYSTEM_HANDLER = 0x7500_1000;
const EXCEPTIONS_MAX = 10_000;
/** Offset of each register in a context record. */
const REGISTERS: readonly (readonly [register: number, offset: number])[] = [
  [EDI, 0x9c],
  [ESI, 0xa0],
  [EBX, 0xa4],
  [EDX, 0xa8],
  [ECX, 0xac],
  [EAX, 0xb0],
  [EBP, 0xb4],
  [ESP, 0xc4],
];
const EIP = 0xb8;
const FLAGS = 0xc0;
const CONTROL_REGISTER = 5;
const DEBUG = [0x04, 0x08, 0x0c, 0x10, 0x14, 0x18];

type Raised = {
  readonly record: number;
  readonly context: number;
  /** The next frame of the chain. */
  frame: number;
  asked: number;
  vectored: number[];
  stage: "vectored" | "chain" | "filter";
};

export class Exceptions {
  readonly #process: WindowsProcess;
  readonly #raised: Raised[] = [];
  readonly #vectored: number[] = [];
  #filter = 0;
  #count = 0;

  constructor(process: WindowsProcess) {
    this.#process = process;
  }
  setFilter(address: number): number {
    const before = this.#filter;
    this.#filter = address;
    return before;
  }
  addVectored(isFirst: number, address: number): number {
    if (isFirst) this.#vectored.unshift(address);
    else this.#vectored.push(address);
    return address;
  }

  /** False if no handler exists. */
  raise(exception: ProcessorException): boolean {
    this.#count += 1;
    if (this.#count > EXCEPTIONS_MAX) return false;
    const process = this.#process;
    const { cpu } = process;
    // The instruction pointer is already behind a breakpoint, as on Windows.
    const eip = cpu.eip;
    process.note("exception", `${exception.message} (${hex(exception.status)})`);
    // 64-bit programs handle exceptions by function tables, which are not emulated.
    if (process.file.isWide) return false;
    const top = ((cpu.wide[ESP] as number) - CONTEXT_BYTES - RECORD_BYTES - 0x20) & ~15;
    if (!process.memory.isMapped(top)) return false;
    const context = top + RECORD_BYTES;
    // The single-step flag is cleared after one step. The handler sets it again for the next one.
    if (exception.status === STATUS.singleStep) cpu.flags.endTrap();
    this.#writeContext(context, eip);
    this.#writeRecord(top, exception, eip);
    cpu.wide[ESP] = top;
    cpu.flags.endTrap();
    cpu.breakpoints = [];
    const raised: Raised = {
      record: top,
      context,
      frame: process.readLong(TEB) >>> 0,
      asked: 0,
      vectored: [...this.#vectored],
      stage: "vectored",
    };
    this.#raised.push(raised);
    return this.#askNext(raised);
  }
  #writeRecord(record: number, { status, parameters }: ProcessorException, eip: number): void {
    const fields = [status, 0, 0, eip, parameters.length, ...parameters];
    for (const [index, value] of fields.entries()) this.#process.writeLong(record + index * 4, value);
  }
  #writeContext(context: number, eip: number): void {
    const { cpu } = this.#process;
    this.#process.fill(context, CONTEXT_BYTES, 0);
    this.#process.writeLong(context, CONTEXT_FULL);
    for (const [register, offset] of REGISTERS)
      this.#process.writeLong(context + offset, cpu.wide[register] as number);
    for (const [index, offset] of [0x8c, 0x90, 0x94, 0x98].entries())
      this.#process.writeLong(context + offset, [0x2b, 0x53, 0x2b, 0x2b][index] ?? 0);
    this.#process.writeLong(context + 0xbc, 0x23);
    this.#process.writeLong(context + 0xc8, 0x2b);
    this.#process.writeLong(context + EIP, eip);
    this.#process.writeLong(context + FLAGS, cpu.flags.value);
    for (const [index, offset] of DEBUG.entries())
      this.#process.writeLong(context + offset, this.#process.debugRegisters[index] ?? 0);
  }
  #restore(context: number): void {
    const { cpu } = this.#process;
    for (const [register, offset] of REGISTERS) cpu.wide[register] = this.#process.readLong(context + offset);
    cpu.flags.value = this.#process.readLong(context + FLAGS);
    cpu.eip = this.#process.readLong(context + EIP);
    for (const [index, offset] of DEBUG.entries())
      this.#process.debugRegisters[index] = this.#process.readLong(context + offset);
    this.#setBreakpoints();
  }
  /** Only enabled debug registers with an execution condition count. */
  #setBreakpoints(): void {
    const { cpu, debugRegisters } = this.#process;
    const control = debugRegisters[CONTROL_REGISTER] ?? 0;
    const isOn = (index: number) =>
      (control >>> (index * 2)) & 3 && ((control >>> (16 + index * 4)) & 3) === 0;
    cpu.breakpoints = debugRegisters
      .slice(0, 4)
      .flatMap((address, index) => (isOn(index) ? [address >>> 0] : []));
  }

  #askNext(raised: Raised): boolean {
    raised.asked += 1;
    if (raised.asked > HANDLERS_MAX) return false;
    const { record, context } = raised;
    const pointers = () => {
      this.#process.writeLong(record - 8, record);
      this.#process.writeLong(record - 4, context);
      return record - 8;
    };
    const vectored = raised.vectored.shift();
    if (vectored !== undefined) {
      raised.stage = "vectored";
      this.#call(raised, vectored, [pointers()], false);
      return true;
    }
    const { frame } = raised;
    if (frame !== END_OF_CHAIN && this.#process.memory.isMapped(frame)) {
      raised.stage = "chain";
      const handler = this.#process.readLong(frame + 4);
      raised.frame = this.#process.readLong(frame) >>> 0;
      this.#call(raised, handler, [record, frame, context, 0], true);
      return true;
    }
    if (this.#filter === 0 || raised.stage === "filter") return false;
    raised.stage = "filter";
    this.#call(raised, this.#filter, [pointers()], false);
    return true;
  }
  /** During a handler of the chain, a frame of the system precedes the others. Some programs walk past it. */
  #call(raised: Raised, address: number, given: readonly number[], isFramed: boolean): void {
    const { cpu } = this.#process;
    const own = raised.record - 0x40;
    const before = this.#process.readLong(TEB);
    cpu.wide[ESP] = own - 0x20;
    if (isFramed) {
      // Register values that Windows leaves for a handler: zero, or the arguments of its internal call.
      for (const register of [EAX, EBX, ESI, EDI]) cpu.wide[register] = 0;
      cpu.wide[ECX] = address;
      cpu.wide[EDX] = SYSTEM_HANDLER;
      cpu.wide[EBP] = own - 0xc;
      this.#process.writeLong(own, before);
      this.#process.writeLong(own + 4, SYSTEM_HANDLER);
      this.#process.writeLong(TEB, own);
    }
    const hook = this.#process.returnHook((result) => {
      if (this.#process.readLong(TEB) === own) this.#process.writeLong(TEB, before);
      this.#answered(raised, result);
    });
    for (const value of given.toReversed()) cpu.push(value);
    cpu.push(hook);
    cpu.eip = address;
  }
  #answered(raised: Raised, result: number): void {
    const isContinued =
      raised.stage === "chain" ? result === CONTINUE_EXECUTION : result >>> 0 === FILTER_CONTINUE;
    if (isContinued) {
      const index = this.#raised.indexOf(raised);
      if (index >= 0) this.#raised.length = index;
      this.#restore(raised.context);
      return;
    }
    if (!this.#askNext(raised))
      throw new EmulationEnd("The program ends with an exception that none of its handlers takes.");
  }
}
