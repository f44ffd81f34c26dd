/** Runs the emulated program block by block. Decoded blocks are cached until their code is written. */
import type { Cpu } from "./cpu.ts";
import { EmulationEnd, ProcessorException, STATUS } from "./faults.ts";
import { translate } from "./instructions.ts";
import { LongCpu } from "./long/cpu.ts";
import { translateLong } from "./long/instructions.ts";
import { LongReading } from "./long/reading.ts";
import type { Step } from "./places.ts";
import { Reading } from "./reading.ts";

const STEPS_MAX = 64;
const BLOCKS_MAX = 100_000;

type Block = {
  readonly start: number;
  readonly steps: readonly Step[];
  /** Start address of each step, and the end of the last one. */
  readonly addresses: readonly number[];
  /** The last step sets the instruction pointer. */
  readonly isJumping: boolean;
};

export type Watcher = {
  /**
   * Called before a block that is reached from another one. True: execution continues at the processor's new
   * address.
   */
  beforeBlock?(address: number): boolean;
  /** Handles an exception of the program. False if no handler exists. */
  handle(exception: ProcessorException): boolean;
};

export class Processor {
  readonly cpu: Cpu;
  readonly #watcher: Watcher;
  readonly #blocks = new Map<number, Block>();
  /** Blocks by the pages that they overlap. */
  readonly #blocksOfPages = new Map<number, Set<Block>>();
  /** The running block may have been overwritten. */
  #isStale = false;
  #isStopped = false;

  constructor(cpu: Cpu, watcher: Watcher) {
    this.cpu = cpu;
    this.#watcher = watcher;
    cpu.memory.codeWritten = (address, bytes) => this.#forget(address, bytes);
  }

  stop(): void {
    this.#isStopped = true;
    this.#isStale = true;
  }
  /** Runs until `stop` is called or the instruction budget is exhausted. */
  run(stepsMax: number): void {
    const { cpu } = this;
    const end = cpu.executed + stepsMax;
    while (!this.#isStopped) {
      if (cpu.executed >= end)
        throw new EmulationEnd(`The program takes more than ${stepsMax} instructions.`);
      if (this.#isPassed(cpu.eip >>> 0)) continue;
      this.#runBlock();
    }
  }
  /** Exceptions from `beforeBlock` are raised as exceptions of the program. */
  #isPassed(address: number): boolean {
    try {
      return this.#watcher.beforeBlock?.(address) ?? false;
    } catch (error) {
      if (!(error instanceof ProcessorException)) throw error;
      this.#raise(error);
      return true;
    }
  }

  #runBlock(): void {
    const { cpu } = this;
    let block: Block | undefined;
    let at = 0;
    try {
      block = this.#blockAt(cpu.eip);
      const { steps, addresses } = block;
      if (cpu.flags.isTrapping || cpu.breakpoints.length > 0) {
        this.#runOneStep(block);
        return;
      }
      this.#isStale = false;
      for (at = 0; at < steps.length; at += 1) {
        (steps[at] as Step)();
        if (this.#isStale) break;
      }
      const done = Math.min(at + 1, steps.length);
      cpu.executed += done;
      if (!(block.isJumping && done === steps.length)) cpu.eip = addresses[done] as number;
    } catch (error) {
      if (!(error instanceof ProcessorException)) throw error;
      cpu.executed += at + 1;
      // The handler gets the processor state at the exception.
      if (block) cpu.eip = block.addresses[error.isTrap ? at + 1 : at] as number;
      this.#raise(error);
    }
  }
  /** Executes one step, with debug-register and single-step exceptions. */
  #runOneStep(block: Block): void {
    const { cpu } = this;
    if (cpu.breakpoints.includes(cpu.eip >>> 0)) {
      this.#raise(new ProcessorException(STATUS.singleStep, "a debug register"));
      return;
    }
    const wasTrapping = cpu.flags.isTrapping;
    const wasLast = block.steps.length === 1 && block.isJumping;
    (block.steps[0] as Step)();
    cpu.executed += 1;
    if (!wasLast) cpu.eip = block.addresses[1] as number;
    if (wasTrapping && cpu.flags.isTrapping)
      this.#raise(new ProcessorException(STATUS.singleStep, "a single step"));
  }
  /** If the handler cannot be called, such as without a stack, the exception is unhandled. */
  #isHandled(exception: ProcessorException): boolean {
    try {
      return this.#watcher.handle(exception);
    } catch (error) {
      if (error instanceof ProcessorException) return false;
      throw error;
    }
  }
  #raise(exception: ProcessorException): void {
    if (!this.#isHandled(exception))
      throw new EmulationEnd(
        `The program ends with an exception that it does not handle: ${exception.message} (0x${exception.status.toString(16)}) at 0x${this.cpu.wholeAddress(this.cpu.eip).toString(16)}.`,
      );
  }

  #blockAt(address: number): Block {
    const known = this.#blocks.get(address);
    if (known) return known;
    if (this.#blocks.size >= BLOCKS_MAX) {
      this.#blocks.clear();
      this.#blocksOfPages.clear();
    }
    const block = this.#decode(address);
    this.#blocks.set(address, block);
    for (const page of pagesOf(block)) {
      const others = this.#blocksOfPages.get(page);
      if (others) others.add(block);
      else this.#blocksOfPages.set(page, new Set([block]));
    }
    this.cpu.memory.markCode(address, (block.addresses.at(-1) as number) - address);
    return block;
  }
  #decode(start: number): Block {
    const { cpu } = this;
    const steps: Step[] = [];
    const addresses = [start];
    let isJumping = false;
    let isLast = false;
    while (steps.length < STEPS_MAX && !isLast) {
      const at = addresses.at(-1) as number;
      const reading = cpu instanceof LongCpu ? new LongReading(cpu, at) : new Reading(cpu, at);
      try {
        steps.push(reading instanceof LongReading ? translateLong(reading) : translate(reading));
      } catch (error) {
        // An instruction that cannot be decoded raises its exception only when it is reached.
        if (steps.length === 0) throw error;
        break;
      }
      addresses.push(reading.next);
      isLast = reading.isLast;
      isJumping = reading.isJump;
    }
    return { start, steps, addresses, isJumping };
  }

  #forget(address: number, bytes: number): void {
    this.#isStale = true;
    for (let page = address >>> 12, end = (address + bytes - 1) >>> 12; page <= end; page += 1)
      for (const block of this.#blocksOfPages.get(page) ?? []) {
        const last = block.addresses.at(-1) as number;
        if (block.start >>> 0 >= address + bytes + 16 || last >>> 0 <= (address & ~15)) continue;
        this.#blocks.delete(block.start);
        for (const one of pagesOf(block)) this.#blocksOfPages.get(one)?.delete(block);
      }
  }
}

function pagesOf({ start, addresses }: Block): number[] {
  const first = start >>> 12;
  const last = ((addresses.at(-1) as number) - 1) >>> 12;
  return first === last ? [first] : [first, last];
}
