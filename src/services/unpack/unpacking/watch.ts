/** Watches a program unpack itself, and detects when the packed program starts. */
import { EmulationEnd } from "../emulator/faults.ts";
import { PAGE_BYTES } from "../emulator/memory.ts";
import { Processor } from "../emulator/processor.ts";
import { ATTACHED, isOfSystem, SYSTEM_END, SYSTEM_START } from "../windows/layout.ts";
import type { Allocation, WindowsProcess } from "../windows/process.ts";
import { ProgramEnd } from "../windows/program-end.ts";
import type { WindowsSystem } from "../windows/system.ts";
import type { Budget, Layer } from "./outcome.ts";
import { findThunkTarget } from "./thunks.ts";

const OUTSIDE = 0;
const SYSTEM = 255;
const HEADERS = 254;
/** First region number of allocated memory. Each allocation with executed code gets one number. */
const FIRST_ALLOCATED = 100;
const PAGES = 1 << 20;
const LAYERS_MAX = 200;
const CALLS_MAX = 1000;
const IMPORTS_MIN = 6;
const CALLBACK_ASKS_MAX = 60;
/** If execution stays in one region for this long without a system call, the packed program has started. */
const SETTLED_STEPS = 60_000_000;
/**
 * If nothing was unpacked this long after the first call that unpackers do not make, the file was not
 * packed.
 */
const PLAIN_STEPS = 10_000_000;

/** System functions that unpackers call. An unpacked program soon calls others. */
const LOADER_CALLS = new Set([
  "GetProcAddress",
  "LoadLibraryA",
  "LoadLibraryW",
  "LoadLibraryExA",
  "LoadLibraryExW",
  "FreeLibrary",
  "GetModuleHandleA",
  "GetModuleHandleW",
  "GetModuleFileNameA",
  "VirtualAlloc",
  "VirtualFree",
  "VirtualProtect",
  "VirtualQuery",
  "GlobalAlloc",
  "GlobalFree",
  "GlobalLock",
  "GlobalUnlock",
  "LocalAlloc",
  "LocalFree",
  "CreateFileA",
  "ReadFile",
  "SetFilePointer",
  "CloseHandle",
  "GetTickCount",
  "IsDebuggerPresent",
  "lstrlenA",
  "lstrcpyA",
  "HeapAlloc",
  "HeapFree",
  "GetProcessHeap",
  "HeapCreate",
  "HeapDestroy",
]);

/** An image in memory that may be the packed program. */
export type Candidate = {
  readonly address: number;
  readonly base: number;
  readonly image: Uint8Array;
  /** Regions that it executed in since. */
  readonly regions: Set<number>;
  /** The stack pointer had its value of program start. Unpackers restore it for the program. */
  readonly isAtStart: boolean;
  /** An unpacker called it like a TLS callback, so it may return. */
  readonly isCallback: boolean;
  /** Number of loader calls before it was reached. */
  readonly loaderCalls: number;
};
export type Watched = {
  /** The last entry into code that the program wrote, with the image at that time. */
  readonly candidate: Candidate | undefined;
  readonly layers: readonly Layer[];
  readonly reason: string;
  /**
   * The candidate is running: it made a call that unpackers do not make, or stayed in its region until the
   * end.
   */
  readonly isReached: boolean;
};

export class Watch {
  readonly #system: WindowsSystem;
  readonly #process: WindowsProcess;
  readonly #processor: Processor;
  /** Region number of each page. */
  readonly #regions = new Uint8Array(PAGES);
  #region = OUTSIDE;
  #candidate: Candidate | undefined;
  readonly #layers: Layer[] = [];
  readonly #seen = new Set<number>();
  #settledAt = 0;
  #reason = "";
  #isReached = false;
  readonly #looksPacked: boolean;
  #atWorkSince = 0;
  #allocated: (Allocation | undefined)[] = [];
  #questions = 0;
  /** Calls of the candidate that unpackers do not make. */
  #asked = 0;
  #loaderCalls = 0;
  readonly #callsFrom = new Set<number>();

  /** `looksPacked`: the watch does not give up early. */
  constructor(system: WindowsSystem, looksPacked: boolean) {
    const { process } = system;
    this.#system = system;
    this.#process = process;
    this.#looksPacked = looksPacked;
    this.#processor = new Processor(process.cpu, {
      beforeBlock: (address) => this.#arrive(address),
      handle: (exception) => system.exceptions.raise(exception),
    });
    this.#markRegions();
    this.#region = this.#regions[process.cpu.eip >>> 12] as number;
  }
  #markRegions(): void {
    const { file, base } = this.#process;
    this.#regions.fill(SYSTEM, SYSTEM_START >>> 12, SYSTEM_END >>> 12);
    this.#regions.fill(HEADERS, base >>> 12, (base + file.imageBytes) >>> 12);
    for (const [index, { address, bytes }] of file.sections.entries())
      this.#regions.fill(
        index + 1,
        (base + address) >>> 12,
        Math.ceil((base + address + bytes) / PAGE_BYTES),
      );
  }

  run({ instructionsMax }: Budget): Watched {
    try {
      this.#processor.run(instructionsMax);
    } catch (error) {
      if (!(error instanceof ProgramEnd || error instanceof EmulationEnd)) throw error;
      this.#reason = error.message;
      this.#isReached = error instanceof ProgramEnd && this.#candidate?.regions.has(this.#region) === true;
    }
    this.#process.note("end", this.#reason);
    return {
      candidate: this.#candidate,
      layers: this.#layers,
      reason: this.#reason,
      isReached: this.#isReached && this.#candidate !== undefined,
    };
  }

  #arrive(address: number): boolean {
    const region = (this.#regions[address >>> 12] as number) || this.#allocatedAt(address);
    if (region === this.#region) {
      if (this.#process.isAtStart) this.#returnToStart(address, region);
      if (this.#process.cpu.executed > this.#settledAt && this.#settledAt > 0) this.#end("It has settled.");
      return false;
    }
    if (region === SYSTEM) return this.#asks(address);
    if (this.#isAllocated(region) && this.#isThunk(address)) return false;
    const from = this.#region;
    this.#region = region;
    this.#settledAt = 0;
    if (this.#callsFrom.delete(address)) return false;
    const isCallback = this.#noteCall(from) && this.#isToldOfModule();
    if (this.#process.memory.isWritten(address) || this.#isHandedOver(region))
      this.#note(address, region, from, isCallback);
    return false;
  }
  /**
   * Detects the entry into code that the packer left unpacked: the stack is as at program start, after
   * loader calls.
   */
  #isHandedOver(region: number): boolean {
    const isElsewhere = region !== OUTSIDE && !this.#isAllocated(region);
    return this.#looksPacked && isElsewhere && this.#loaderCalls > 0 && this.#process.isAtStart;
  }
  /**
   * Assigns a region number at the first execution. All allocations beyond the limit share the last number.
   */
  #allocatedAt(address: number): number {
    const found = this.#process.findAllocation(address);
    if (!found) return OUTSIDE;
    const region = Math.min(FIRST_ALLOCATED + this.#allocated.length, HEADERS - 1);
    this.#allocated[region - FIRST_ALLOCATED] = found;
    this.#regions.fill(region, found.start >>> 12, Math.ceil((found.start + found.bytes) / PAGE_BYTES));
    return region;
  }
  #isThunk(address: number): boolean {
    const { memory } = this.#process;
    const read = (from: number, into: Uint8Array) => memory.tryRead(from, into);
    return findThunkTarget(address, read, this.#process.file.isWide) !== undefined;
  }
  #isAllocated(region: number): boolean {
    return region >= FIRST_ALLOCATED && region < HEADERS;
  }
  /** Whether the region was entered by a call. Its return address then is no new entry. */
  #noteCall(from: number): boolean {
    const back = this.#process.readLong(this.#process.cpu.esp) >>> 0;
    const isHere = (this.#regions[back >>> 12] as number) === from && from !== OUTSIDE;
    if (!isHere || this.#callsFrom.size >= CALLS_MAX || !this.#isAfterCall(back)) return false;
    this.#callsFrom.add(back);
    return true;
  }
  /** Whether the arguments are those of a TLS callback: a module and the reason "process attach". */
  #isToldOfModule(): boolean {
    const process = this.#process;
    const [module = 0, why] = process.givenAt(process.cpu.esp + process.wordBytes, 2);
    const isModule =
      module >>> 0 === process.base || process.findAllocation(module >>> 0)?.start === module >>> 0;
    return isModule && why === ATTACHED;
  }
  /** Whether a call instruction precedes the address: e8, or ff with a register or memory operand. */
  #isAfterCall(address: number): boolean {
    const bytes = new Uint8Array(6);
    if (!this.#process.memory.tryRead(address - 6, bytes)) return false;
    return (
      bytes[1] === 0xe8 ||
      [0, 3, 4].some((at) => bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0x38) === 0x10)
    );
  }
  /** An unpacker inside the region that it unpacks shows the end of its work by restoring the stack. */
  #returnToStart(address: number, region: number): void {
    const candidate = this.#candidate;
    if (!candidate || candidate.isAtStart || !candidate.regions.has(region)) return;
    if (this.#loaderCalls > candidate.loaderCalls) this.#note(address, region, region, false);
  }
  #note(address: number, region: number, from: number, isCallback: boolean): void {
    const { cpu } = this.#process;
    if (!this.#isAllocated(region)) this.#settledAt = cpu.executed + SETTLED_STEPS;
    if (this.#seen.has(address) || this.#layers.length >= LAYERS_MAX) return;
    this.#seen.add(address);
    const place = this.#nameOf(region);
    this.#layers.push({
      address: cpu.wholeAddress(address),
      place,
      from: this.#nameOf(from),
      instructions: cpu.executed,
    });
    this.#process.note("layer", `It goes on in what it has written, in ${place}.`);
    if (region === OUTSIDE) return;
    const { isAtStart } = this.#process;
    const before = this.#candidate;
    // A running program calls its other sections. Such a call is no new unpacking.
    if (before?.isAtStart && !isAtStart && before.loaderCalls === this.#loaderCalls)
      before.regions.add(region);
    else
      this.#candidate = {
        address,
        ...this.#imageOf(region),
        regions: new Set([region]),
        isAtStart,
        isCallback,
        loaderCalls: this.#loaderCalls,
      };
    this.#asked = 0;
  }
  #imageOf(region: number): { base: number; image: Uint8Array } {
    const { base, file, memory } = this.#process;
    const { start, bytes } = this.#allocated[region - FIRST_ALLOCATED] ?? {
      start: base,
      bytes: file.imageBytes,
    };
    const image = new Uint8Array(bytes);
    memory.tryRead(start, image);
    return { base: start, image };
  }
  #nameOf(region: number): string {
    if (region === OUTSIDE || this.#isAllocated(region)) return "allocated memory";
    if (region === HEADERS) return "the headers";
    const name = this.#process.file.sections[region - 1]?.name.trim();
    return name ? `section ${name}` : `section ${region}`;
  }
  #asks(address: number): boolean {
    const { cpu, libraries } = this.#process;
    const exported = libraries.findHook(address);
    if (exported && LOADER_CALLS.has(exported.name)) this.#loaderCalls += 1;
    else if (exported) {
      const caller = this.#process.readLong(cpu.esp) >>> 0;
      const region = this.#regions[caller >>> 12] as number;
      if (this.#candidate?.regions.has(region) && this.#hasCome() && this.#isCredible(region))
        return this.#end(`It asks for ${exported.name}.`);
      if (this.#atWorkSince === 0) this.#atWorkSince = cpu.executed;
    }
    const isPlain = !this.#looksPacked && this.#atWorkSince > 0 && !this.#candidate;
    if (isPlain && cpu.executed > this.#atWorkSince + PLAIN_STEPS)
      return this.#end("It never executes what it has written.");
    return this.#system.answerAt(address);
  }
  /** A callback counts as running only after more calls than callbacks usually make. */
  #hasCome(): boolean {
    this.#asked += 1;
    return !this.#candidate?.isCallback || this.#asked > CALLBACK_ASKS_MAX;
  }
  /**
   * Unpackers also run in memory that they allocated. There, a candidate counts only once the memory holds
   * addresses of functions that unpackers do not need. The scan is expensive, so it runs at the first,
   * second, fourth, … call.
   */
  #isCredible(region: number): boolean {
    if (!this.#isAllocated(region)) return true;
    this.#questions += 1;
    if ((this.#questions & (this.#questions - 1)) !== 0) return false;
    const { image } = this.#imageOf(region);
    const view = new DataView(image.buffer);
    let found = 0;
    for (let at = 0; at + 4 <= image.length && found < IMPORTS_MIN; at += 4) {
      const value = view.getUint32(at, true);
      const exported = isOfSystem(value) ? this.#process.libraries.findExport(value) : undefined;
      if (exported && !LOADER_CALLS.has(exported.name)) found += 1;
    }
    return found >= IMPORTS_MIN;
  }
  #end(reason: string): true {
    this.#reason = reason;
    this.#isReached = true;
    this.#processor.stop();
    return true;
  }
}
