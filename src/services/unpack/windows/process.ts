/** The emulated process: its memory, its one thread, its libraries, and the system that answers its calls. */
import { Cpu, EAX, EBP, ESP } from "../emulator/cpu.ts";
import { ALL, type Memory, PAGE_BYTES, READ, READ_WRITE } from "../emulator/memory.ts";
import { DIRECTORY, type PeFile } from "../pe/file.ts";
import { loadedImage } from "../pe/relocations.ts";
import type { Rc4 } from "./cryptography.ts";
import { Files } from "./files.ts";
import { Journal, type Notable } from "./journal.ts";
import {
  ATTACHED,
  HEAP_END,
  HEAP_START,
  OWN_PATH,
  PEB,
  PROCESS_ID,
  RETURNS,
  STACK_BYTES,
  STACK_TOP,
  START_OF_STACK,
  SYSTEM_START,
  TEB,
} from "./layout.ts";
import { Libraries, libraryName } from "./libraries.ts";
import { ProgramEnd } from "./program-end.ts";

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
  readonly libraries: Libraries;
  readonly files: Files;
  readonly debugRegisters = [0, 0, 0, 0, 0, 0];
  readonly journal = new Journal();
  readonly hashes: Uint8Array[] = [];
  readonly keys: Rc4[] = [];
  lastError = 0;
  environment = 0;
  /** How many of the system's processes it has been told of. */
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

  /** `namesOf`: the functions that a library is known to have. */
  constructor(file: PeFile, memory: Memory, namesOf: (library: string) => readonly string[]) {
    this.file = file;
    this.memory = memory;
    this.cpu = new Cpu(memory);
    this.files = new Files(file.content);
    this.libraries = new Libraries(memory, namesOf);
    memory.map(file.base, file.imageBytes, ALL);
    memory.load(file.base, loadedImage(file));
    memory.map(STACK_TOP - STACK_BYTES, STACK_BYTES, READ_WRITE);
    memory.map(RETURNS, PAGE_BYTES * 4, READ);
    this.#writeBlocks();
    this.#resolveImports();
    this.#prepareThread();
    memory.forgetWrites();
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
    this.journal.note({ kind, text, address: eip >>> 0, instructions: executed });
  }

  /** True where it is an address to return to, by which the system has heard of a result. */
  returnTo(address: number): boolean {
    const back = this.#returns.get(address);
    if (!back) return false;
    this.#returns.delete(address);
    back(this.cpu.wide[EAX] as number);
    return true;
  }
  /** An address to return to, by which the system hears of a result. */
  returnHook(answered: (result: number) => void): number {
    const address = this.#nextReturn;
    this.#nextReturn = RETURNS + ((address - RETURNS + 4) % (PAGE_BYTES * 4));
    this.#returns.set(address, answered);
    return address;
  }
  /** Another thread's work, done when the first one has come to its end; false where there are too many already. */
  callLater(address: number, given: readonly number[]): boolean {
    if (this.#later.length >= THREADS_MAX) return false;
    this.#later.push([address, given]);
    return true;
  }

  #writeBlocks(): void {
    this.memory.map(TEB, PAGE_BYTES, READ_WRITE);
    this.memory.map(PEB, PAGE_BYTES, READ_WRITE);
    this.cpu.fsBase = TEB;
    this.writeLong(TEB, 0xffff_ffff);
    this.writeLong(TEB + 4, STACK_TOP);
    this.writeLong(TEB + 8, STACK_TOP - STACK_BYTES);
    this.writeLong(TEB + 0x18, TEB);
    this.writeLong(TEB + 0x20, PROCESS_ID);
    this.writeLong(TEB + 0x24, 0x4dc);
    this.writeLong(TEB + 0x30, PEB);
    this.writeLong(PEB + 8, this.base);
    this.writeLong(PEB + 0x18, HEAP_START);
    this.writeLong(PEB + 0xa4, 5);
    this.writeLong(PEB + 0xa8, 1);
    this.writeLong(PEB + 0xac, 2600);
    this.environment = this.allocateOnHeap(64);
    const plain = this.allocateOnHeap(256);
    const wide = this.allocateOnHeap(512);
    this.writeText(plain, `"${OWN_PATH}"`, 256, false);
    this.writeText(wide, `"${OWN_PATH}"`, 256, true);
    this.#commandLines = [plain, wide];
    this.#writeLoaderLists();
  }
  /** Modules in the three orders, each a ring. */
  #writeLoaderLists(): void {
    const modules = [
      {
        base: this.base,
        bytes: this.file.imageBytes,
        entry: this.base + this.file.entryPoint,
        path: OWN_PATH,
      },
      ...[...this.libraries.all].map(({ name, base }) => ({
        base,
        bytes: 0x10_0000,
        entry: base + 0x1000,
        path: `C:\\WINDOWS\\system32\\${name}`,
      })),
    ];
    const data = this.allocateOnHeap(0x30);
    const entries = modules.map(() => this.allocateOnHeap(0x60));
    this.writeLong(PEB + 0xc, data);
    this.writeLong(data, 0x28);
    this.writeLong(data + 4, 1);
    for (const [index, { base, bytes, entry, path }] of modules.entries()) {
      const at = entries[index] as number;
      const text = this.allocateOnHeap(path.length * 2 + 2);
      this.writeText(text, path, path.length + 1, true);
      const nameAt = text + (path.lastIndexOf("\\") + 1) * 2;
      const name = path.length - path.lastIndexOf("\\") - 1;
      const fields = [base, entry, bytes, lengths(path.length), text, lengths(name), nameAt];
      for (const [i, value] of fields.entries()) this.writeLong(at + 0x18 + i * 4, value);
    }
    for (const offset of [0, 8, 16]) {
      // The third order is that of initialisation, in which the program itself is missing.
      const places = (offset === 16 ? entries.slice(1) : entries).map((entry) => entry + offset);
      const ring = [data + 0xc + offset, ...places];
      for (const [i, place] of ring.entries()) {
        this.writeLong(place, ring[(i + 1) % ring.length] as number);
        this.writeLong(place + 4, ring[(i + ring.length - 1) % ring.length] as number);
      }
    }
  }
  /** What the loader does with the import table before the program begins. */
  #resolveImports(): void {
    const { address } = this.file.directories[DIRECTORY.imports] ?? { address: 0 };
    if (address === 0) return;
    for (let at = this.base + address, count = 0; count < 256; at += 20, count += 1) {
      const lookup = this.readLong(at) >>> 0;
      const name = this.readLong(at + 12) >>> 0;
      const table = this.readLong(at + 16) >>> 0;
      if (name === 0 || table === 0 || !this.isInImage(this.base + name)) return;
      const library = this.libraries.get(this.readText(this.base + name));
      if (!library) return;
      this.#resolveTable(
        library.base,
        lookup === 0 || !this.isInImage(this.base + lookup) ? table : lookup,
        table,
      );
    }
  }
  #resolveTable(library: number, lookup: number, table: number): void {
    for (let index = 0; index < 4096; index += 1) {
      const entry = this.readLong(this.base + lookup + index * 4) >>> 0;
      if (entry === 0) return;
      const name = entry & 0x8000_0000 ? `#${entry & 0xffff}` : this.readText(this.base + entry + 2);
      this.writeLong(this.base + table + index * 4, this.functionAddress(library, name));
    }
  }
  #prepareThread(): void {
    const { cpu } = this;
    cpu.wide[ESP] = START_OF_STACK + 4;
    // A library is told where it lies, and that a process has loaded it.
    if (this.file.isLibrary)
      for (const [index, value] of [this.base, ATTACHED, 0].entries())
        this.writeLong(START_OF_STACK + 4 + index * 4, value);
    cpu.push(this.returnHook(() => this.#threadEnded()));
    const entry = (this.base + this.file.entryPoint) | 0;
    // As registers are when a real loader begins.
    cpu.wide.set([entry, 0x12_ffb0, 0x7500_1000, PEB]);
    cpu.wide[EBP] = STACK_TOP - 0x10;
    cpu.eip = entry;
    for (const callback of this.#tlsCallbacks().toReversed()) this.#callBefore(callback);
  }
  #tlsCallbacks(): number[] {
    const { address } = this.file.directories[DIRECTORY.tls] ?? { address: 0 };
    if (address === 0) return [];
    const list = this.readLong(this.base + address + 12) >>> 0;
    const callbacks: number[] = [];
    for (let i = 0; list !== 0 && i < 16; i += 1) {
      const callback = this.readLong(list + i * 4);
      if (callback === 0) break;
      callbacks.push(callback);
    }
    return callbacks;
  }
  #callBefore(callback: number): void {
    const { cpu } = this;
    const after = { eip: cpu.eip, esp: cpu.esp };
    const back = this.returnHook(() => {
      cpu.eip = after.eip;
      cpu.wide[ESP] = after.esp;
    });
    for (const value of [0, ATTACHED, this.base]) cpu.push(value);
    cpu.push(back);
    cpu.eip = callback;
  }
  #threadEnded(): void {
    const next = this.#later.shift();
    if (!next) throw new ProgramEnd("The program has come to its end.");
    const [address, given] = next;
    this.cpu.wide[ESP] = STACK_TOP - 0x40;
    for (const value of given.toReversed()) this.cpu.push(value);
    this.cpu.push(this.returnHook(() => this.#threadEnded()));
    this.cpu.eip = address;
  }

  findModule(name: string): number | undefined {
    if (libraryName(name) === libraryName(OWN_PATH)) return this.base;
    return this.libraries.find(name)?.base;
  }
  loadLibrary(name: string): number {
    // Whatever could be a library is one: what it is for is seen by what is asked of it.
    return LIBRARY_NAME.test(name) ? (this.libraries.get(name)?.base ?? 0) : 0;
  }
  functionAddress(module: number, name: string): number {
    const library = this.libraries.at(module);
    if (!library || !FUNCTION_NAME.test(name)) return 0;
    const exported = library.export(name);
    if (!exported) return 0;
    if (name === "_acmdln" || name === "_wcmdln")
      this.writeLong(exported.address, this.commandLine(name === "_wcmdln"));
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
  /** False where there are too many already. */
  keepForThread(slot: number, value: number): boolean {
    if (!this.#threadSlots.has(slot) && this.#threadSlots.size >= SLOTS_MAX) return false;
    this.#threadSlots.set(slot, value);
    return true;
  }
  keptForThread(slot: number): number {
    return this.#threadSlots.get(slot) ?? 0;
  }

  /** At the wanted place, or anywhere; 0 where there is no room. */
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
  /** Behind all that was allocated before, and behind the image where it lies in between. */
  #freePlace(bytes: number): number {
    const { base, file } = this;
    const next = this.#nextHeap;
    const isFree = next >= base + file.imageBytes || next + bytes <= base;
    return isFree ? next : Math.ceil((base + file.imageBytes) / GRANULARITY) * GRANULARITY;
  }
  /** The image, the stack and the system keep their places. */
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
  /** All of it where no length is given. */
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
  /** Answers its length without the zero at its end; what does not fit is cut off. */
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

const lengths = (characters: number): number => (characters * 2) | ((characters * 2 + 2) << 16);
