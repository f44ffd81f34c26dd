/** The emulated process: memory, one thread, libraries and system state. */
import { Cpu, EAX, EBP, ECX, EDX, ESP } from "../emulator/cpu.ts";
import { LongCpu, R8, R9 } from "../emulator/long/cpu.ts";
import { ALL, type Memory, PAGE_BYTES, READ, READ_WRITE } from "../emulator/memory.ts";
import type { PeFile } from "../pe/file.ts";
import { loadedImage } from "../pe/relocations.ts";
import { writeBlocks, writeModuleLists } from "./blocks.ts";
import type { GrowingBytes, Rc4 } from "./cryptography.ts";
import { Files } from "./files.ts";
import { Journal, type Notable } from "./journal.ts";
import {
  ATTACHED,
  HEAP_END,
  HEAP_START,
  LONG_START_OF_STACK,
  OWN_PATH,
  PEB,
  RETURNS,
  STACK_BYTES,
  STACK_TOP,
  START_OF_STACK,
  SYSTEM_START,
} from "./layout.ts";
import { Libraries, libraryName } from "./libraries.ts";
import { resolveImports, threadCallbacks } from "./loader.ts";
import { ProgramEnd } from "./program-end.ts";

const ARGUMENT_REGISTERS = [ECX, EDX, R8, R9];
/** Shadow space that callers reserve for register arguments. */
const SHADOW_BYTES = 0x20;
const TEXT_MAX = 4096;
const ALLOCATIONS_MAX = 4096;
const GRANULARITY = 0x1_0000;
const STEPS_PER_MILLISECOND = 20_000;
const SMALL_HEAP_BYTES = 0x10_0000;
const HEAP_PIECES_MAX = 100_000;
const THREADS_MAX = 64;
const SLOTS_MAX = 1088;
const NO_SLOT = 0xffff_ffff;
const FUNCTION_NAME = /^[\x21-\x7e]{1,400}$/;
const LIBRARY_NAME = /^[\w.:\\/ $~-]{2,260}$/;

export type Allocation = { readonly start: number; readonly bytes: number };

export class WindowsProcess {
  readonly file: PeFile;
  readonly memory: Memory;
  readonly cpu: Cpu;
  readonly wordBytes: 4 | 8;
  /** Initial stack pointer. The return address lies there. */
  readonly startOfStack: number;
  readonly libraries: Libraries;
  readonly files: Files;
  readonly debugRegisters = [0, 0, 0, 0, 0, 0];
  readonly journal = new Journal();
  readonly hashes: GrowingBytes[] = [];
  readonly keys: Rc4[] = [];
  lastError = 0;
  environment = 0;
  /** Number of processes that the enumeration has returned. */
  listedProcesses = 0;
  #waitedMilliseconds = 0;
  readonly #allocations: Allocation[] = [];
  #nextHeap = HEAP_START;
  #smallHeap = 0;
  #smallHeapEnd = 0;
  readonly #heapBytes = new Map<number, number>();
  readonly #threadSlots = new Map<number, number>();
  #commandLines: readonly [number, number] = [0, 0];
  readonly #returns = new Map<number, (result: number) => void>();
  #nextReturn = RETURNS;
  readonly #runtimeCells = new Map<string, number>();
  readonly #later: (readonly [address: number, given: readonly number[]])[] = [];

  /** `namesOf`: the known functions of a library. */
  constructor(file: PeFile, memory: Memory, namesOf: (library: string) => readonly string[]) {
    this.file = file;
    this.memory = memory;
    this.cpu = file.isWide ? new LongCpu(memory, file.window) : new Cpu(memory);
    this.wordBytes = file.isWide ? 8 : 4;
    this.startOfStack = file.isWide ? LONG_START_OF_STACK : START_OF_STACK;
    this.files = new Files(file.content);
    this.libraries = new Libraries(memory, namesOf, file);
    memory.map(file.base, file.imageBytes, ALL);
    memory.load(file.base, loadedImage(file));
    memory.map(STACK_TOP - STACK_BYTES, STACK_BYTES, READ_WRITE);
    memory.map(RETURNS, PAGE_BYTES * 4, READ);
    writeBlocks(this);
    this.environment = this.allocateOnHeap(64);
    this.#commandLines = [this.#newCommandLine(false), this.#newCommandLine(true)];
    writeModuleLists(this);
    resolveImports(this);
    this.#prepareThread();
    memory.forgetWrites();
  }
  #newCommandLine(isWide: boolean): number {
    const made = this.allocateOnHeap(isWide ? 512 : 256);
    this.writeText(made, `"${OWN_PATH}"`, 256, isWide);
    return made;
  }
  get isAtStart(): boolean {
    return this.cpu.esp === this.startOfStack;
  }
  get base(): number {
    return this.file.base;
  }
  get milliseconds(): number {
    return 0x10_0000 + this.#waitedMilliseconds + Math.floor(this.cpu.executed / STEPS_PER_MILLISECOND);
  }
  wait(milliseconds: number): void {
    this.#waitedMilliseconds += Math.min(milliseconds, 60_000);
  }
  isInImage(address: number): boolean {
    return address >>> 0 >= this.base && address >>> 0 < this.base + this.file.imageBytes;
  }
  note(kind: Notable["kind"], text: string): void {
    const { eip, executed } = this.cpu;
    this.journal.note({ kind, text, address: this.cpu.wholeAddress(eip), instructions: executed });
  }

  /** True if the address is a return hook. Its callback then has received the result. */
  returnTo(address: number): boolean {
    const back = this.#returns.get(address);
    if (!back) return false;
    this.#returns.delete(address);
    back(this.cpu.wide[EAX] as number);
    return true;
  }
  /** Reserves a return address. `answered` is called when the program returns there. */
  returnHook(answered: (result: number) => void): number {
    const address = this.#nextReturn;
    this.#nextReturn = RETURNS + ((address - RETURNS + 4) % (PAGE_BYTES * 4));
    this.#returns.set(address, answered);
    return address;
  }
  /** Queues the start of another thread until the first one ends. False if the queue is full. */
  callLater(address: number, given: readonly number[]): boolean {
    if (this.#later.length >= THREADS_MAX) return false;
    this.#later.push([address, given]);
    return true;
  }

  #prepareThread(): void {
    const { cpu } = this;
    const entry = (this.base + this.file.entryPoint) | 0;
    // Register values that Windows sets at the entry point.
    if (!this.file.isWide) cpu.wide.set([entry, 0x12_ffb0, 0x7500_1000, PEB]);
    cpu.wide[EBP] = STACK_TOP - 0x10;
    cpu.wide[ESP] = this.startOfStack + this.wordBytes;
    // Arguments of DllMain: base address and reason "process attach".
    if (this.file.isLibrary) {
      if (!this.file.isWide) cpu.wide[ESP] = cpu.esp + 3 * this.wordBytes;
      this.give([this.base, ATTACHED, 0]);
    } else if (this.file.isWide) this.give([PEB]);
    cpu.wide[ESP] = this.startOfStack + this.wordBytes;
    cpu.push(this.returnHook(() => this.#threadEnded()));
    cpu.eip = entry;
    for (const callback of threadCallbacks(this).toReversed()) this.#callBefore(callback);
  }
  #callBefore(callback: number): void {
    const { cpu } = this;
    const { eip, esp } = cpu;
    const given = this.givenAt(esp, 3);
    const back = this.returnHook(() => {
      if (this.file.isWide) this.give(given);
      cpu.eip = eip;
      cpu.wide[ESP] = esp;
    });
    this.call(callback, [this.base, ATTACHED, 0], back);
  }
  #threadEnded(): void {
    const next = this.#later.shift();
    if (!next) throw new ProgramEnd("The program has come to its end.");
    const [address, given] = next;
    this.cpu.wide[ESP] = STACK_TOP - 0x40;
    this.call(
      address,
      given,
      this.returnHook(() => this.#threadEnded()),
    );
  }

  /** Arguments of a call. `stack`: address of the first argument word. */
  givenAt(stack: number, count: number): number[] {
    const { wide } = this.cpu;
    if (!this.file.isWide) return Array.from({ length: count }, (_, i) => this.readLong(stack + i * 4));
    return Array.from({ length: count }, (_, i) => {
      const register = ARGUMENT_REGISTERS[i];
      return register === undefined ? this.readLong(stack + i * 8) : (wide[register] as number);
    });
  }
  /** Calls a function of the program. */
  call(address: number, given: readonly number[], back: number): void {
    this.give(given);
    this.cpu.push(back);
    this.cpu.eip = address;
  }
  /** Passes arguments on the stack, or in registers with shadow space. */
  give(given: readonly number[]): void {
    const { cpu } = this;
    if (!(cpu instanceof LongCpu)) {
      for (const value of given.toReversed()) cpu.push(value);
      return;
    }
    cpu.wide[ESP] = (cpu.esp & ~15) - SHADOW_BYTES;
    for (const [index, value] of given.slice(0, ARGUMENT_REGISTERS.length).entries()) {
      const register = ARGUMENT_REGISTERS[index] as number;
      cpu.wide[register] = value;
      cpu.high[register] = this.memory.isMapped(value) ? cpu.window : 0;
    }
  }

  findModule(name: string): number | undefined {
    if (libraryName(name) === libraryName(OWN_PATH)) return this.base;
    return this.libraries.find(name)?.base;
  }
  loadLibrary(name: string): number {
    // Any plausible library name loads. The functions that the program looks up show its purpose.
    return LIBRARY_NAME.test(name) ? (this.libraries.get(name)?.base ?? 0) : 0;
  }
  functionAddress(module: number, name: string): number {
    const library = this.libraries.at(module);
    if (!library || !FUNCTION_NAME.test(name)) return 0;
    const exported = library.export(name);
    if (!exported) return 0;
    if (name === "_acmdln" || name === "_wcmdln")
      this.writePointer(exported.address, this.commandLine(name === "_wcmdln"));
    return exported.address;
  }
  commandLine(isWide: boolean): number {
    return this.#commandLines[isWide ? 1 : 0];
  }
  runtimeCell(name: string): number {
    const known = this.#runtimeCells.get(name);
    if (known !== undefined) return known;
    const made = this.allocateOnHeap(64);
    this.#runtimeCells.set(name, made);
    return made;
  }
  newThreadSlot(): number {
    const slot = this.#threadSlots.size;
    return this.keepForThread(slot, 0) ? slot : NO_SLOT;
  }
  /** False if the limit of slots is reached. */
  keepForThread(slot: number, value: number): boolean {
    if (!this.#threadSlots.has(slot) && this.#threadSlots.size >= SLOTS_MAX) return false;
    this.#threadSlots.set(slot, value);
    return true;
  }
  keptForThread(slot: number): number {
    return this.#threadSlots.get(slot) ?? 0;
  }

  /** Allocates at the wanted address, or anywhere for 0. Returns 0 if no space is left. */
  allocate(wanted: number, bytes: number, protection: number): number {
    const isTooMuch = bytes > HEAP_END - HEAP_START || this.#allocations.length >= ALLOCATIONS_MAX;
    if (bytes === 0 || isTooMuch) return 0;
    const start = wanted === 0 ? this.#freePlace(bytes) : (wanted & ~(PAGE_BYTES - 1)) >>> 0;
    const end = wanted === 0 ? start + bytes : wanted + bytes;
    if (wanted === 0) {
      if (end > HEAP_END) return 0;
      this.#nextHeap = Math.ceil(end / GRANULARITY) * GRANULARITY;
    }
    if (wanted !== 0 && this.#isTaken(start, end)) return 0;
    this.memory.map(start, end - start, protection);
    if (!this.findAllocation(start)) this.#allocations.push({ start, bytes: end - start });
    return start;
  }
  /** Next address behind all allocations, and behind the image if it overlaps. */
  #freePlace(bytes: number): number {
    const { base, file } = this;
    const next = this.#nextHeap;
    const isFree = next >= base + file.imageBytes || next + bytes <= base;
    return isFree ? next : Math.ceil((base + file.imageBytes) / GRANULARITY) * GRANULARITY;
  }
  /** Whether a range overlaps the image, the stack or the system. */
  #isTaken(start: number, end: number): boolean {
    const { base, file } = this;
    const isOnStack = start < STACK_TOP && end > STACK_TOP - STACK_BYTES;
    return (
      start < PAGE_BYTES || end > SYSTEM_START || isOnStack || (start < base + file.imageBytes && end > base)
    );
  }
  findAllocation(address: number): Allocation | undefined {
    return this.#allocations.find(({ start, bytes }) => address >= start && address < start + bytes);
  }
  /** Frees the whole allocation if no length is given. */
  free(address: number, bytes: number): void {
    const index = this.#allocations.findIndex(({ start }) => start === address);
    const whole = this.#allocations[index]?.bytes ?? 0;
    if (bytes === 0 && index >= 0) this.#allocations.splice(index, 1);
    if (bytes !== 0 || whole !== 0) this.memory.unmap(address, bytes || whole);
  }
  allocateOnHeap(bytes: number): number {
    if (this.#heapBytes.size >= HEAP_PIECES_MAX) return 0;
    const whole = (Math.max(bytes, 1) + 15) & ~15;
    if (whole > SMALL_HEAP_BYTES / 4) {
      const made = this.allocate(0, whole, READ_WRITE);
      this.#heapBytes.set(made, bytes);
      return made;
    }
    if (this.#smallHeap + whole > this.#smallHeapEnd) {
      this.#smallHeap = this.allocate(0, SMALL_HEAP_BYTES, READ_WRITE);
      if (this.#smallHeap === 0) return 0;
      this.#smallHeapEnd = this.#smallHeap + SMALL_HEAP_BYTES;
    }
    const made = this.#smallHeap;
    this.#smallHeap += whole;
    this.#heapBytes.set(made, bytes);
    return made;
  }
  heapBytesAt(address: number): number {
    return this.#heapBytes.get(address) ?? 0;
  }

  readLong(address: number): number {
    const bytes = new Uint8Array(4);
    return this.memory.tryRead(address, bytes) ? new DataView(bytes.buffer).getInt32(0, true) : 0;
  }
  writeLong(address: number, value: number): void {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setInt32(0, value, true);
    this.memory.load(address, bytes);
  }
  /** Writes an address with the word size of the process. Zero stays zero. */
  writePointer(address: number, value: number): void {
    this.writeLong(address, value);
    if (this.cpu instanceof LongCpu) this.writeLong(address + 4, value === 0 ? 0 : this.cpu.window);
  }
  readText(address: number): string {
    const one = new Uint8Array(1);
    const bytes: number[] = [];
    while (bytes.length < TEXT_MAX && this.memory.tryRead(address + bytes.length, one) && one[0])
      bytes.push(one[0]);
    return Buffer.from(bytes).toString("latin1");
  }
  readWideText(address: number): string {
    const one = new Uint8Array(2);
    let text = "";
    while (text.length < TEXT_MAX && this.memory.tryRead(address + text.length * 2, one)) {
      const code = (one[0] as number) | ((one[1] as number) << 8);
      if (code === 0) break;
      text += String.fromCharCode(code);
    }
    return text;
  }
  /** Truncates text that does not fit. Returns the length without the final zero. */
  writeText(address: number, text: string, room: number, isWide: boolean): number {
    const cut = text.slice(0, Math.max(0, room - 1));
    this.memory.load(address, Buffer.from(`${cut}\0`, isWide ? "utf16le" : "latin1"));
    return cut.length;
  }
  copy(to: number, from: number, bytes: number): void {
    const held = new Uint8Array(Math.min(bytes, 0x400_0000));
    if (this.memory.tryRead(from, held)) this.memory.load(to, held);
  }
  fill(address: number, bytes: number, value: number): void {
    this.memory.load(address, new Uint8Array(Math.min(bytes, 0x400_0000)).fill(value));
  }
}
