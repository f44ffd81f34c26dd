/**
 * Address space of an emulated process: 4 KB pages with protections, in one growing buffer. Writes to pages
 * with decoded code take the slow path, which notifies the code cache.
 */
import { AccessViolation, EmulationEnd, STATUS } from "./faults.ts";

export const PAGE_BYTES = 4096;
const PAGES = 1 << 20;
const PAGE_MASK = PAGE_BYTES - 1;
/** Enough pages for most processes. */
const FIRST_PAGES = 2048;
/** Offset 0 of the buffer holds no page, so that zeroed tables mean "absent". */
const ABSENT = 0;
/** Code is tracked in lines of 16 bytes, so that writes to data beside code do not invalidate it. */
const LINE_SHIFT = 4;
const LINE_BYTES = 1 << LINE_SHIFT;

export const READ = 1;
export const WRITE = 2;
export const EXECUTE = 4;
/** Raises an exception on the first access, which clears the guard. */
export const GUARD = 8;
export const READ_WRITE = READ | WRITE;
export const ALL = READ | WRITE | EXECUTE;

export class Memory {
  #bytes = new Uint8Array(FIRST_PAGES * PAGE_BYTES);
  #view = new DataView(this.#bytes.buffer);
  /** The first page of the buffer stays unused. */
  #used = 1;
  readonly #free: number[] = [];
  readonly #pagesMax: number;
  /** Offset of each page in the buffer, independent of its protection. */
  readonly #places = new Int32Array(PAGES);
  /** The same offsets for pages that the fast path may read or write. */
  readonly #readable = new Int32Array(PAGES);
  readonly #writable = new Int32Array(PAGES);
  readonly #protections = new Uint8Array(PAGES);
  readonly #isCode = new Uint8Array(PAGES);
  readonly #isWritten = new Uint8Array(PAGES);
  /** One bit for each line of the buffer. */
  #codeLines = new Uint8Array(this.#bytes.length >>> (LINE_SHIFT + 3));
  /** Called after each write to lines that hold code. */
  codeWritten: (address: number, bytes: number) => void = () => {};

  constructor(bytesMax: number) {
    this.#pagesMax = Math.floor(bytesMax / PAGE_BYTES) + 1;
  }
  get bytesInUse(): number {
    return (this.#used - 1 - this.#free.length) * PAGE_BYTES;
  }

  map(address: number, bytes: number, protection: number): void {
    for (let page = address >>> 12, end = lastPage(address, bytes); page <= end; page += 1) {
      if (this.#places[page] === ABSENT) this.#places[page] = this.#newPlace();
      this.#protections[page] = protection;
      this.#settle(page);
    }
  }
  unmap(address: number, bytes: number): void {
    for (let page = address >>> 12, end = lastPage(address, bytes); page <= end; page += 1) {
      const place = this.#places[page] as number;
      if (place === ABSENT) continue;
      if (this.#isCode[page]) this.#forgetCode(page);
      this.#free.push(place);
      this.#places[page] = ABSENT;
      this.#protections[page] = 0;
      this.#isWritten[page] = 0;
      this.#settle(page);
    }
  }
  protect(address: number, bytes: number, protection: number): void {
    for (let page = address >>> 12, end = lastPage(address, bytes); page <= end; page += 1) {
      if (this.#places[page] === ABSENT) continue;
      this.#protections[page] = protection;
      this.#settle(page);
    }
  }
  isMapped(address: number): boolean {
    return this.#places[address >>> 12] !== ABSENT;
  }
  protectionAt(address: number): number {
    return this.#protections[address >>> 12] as number;
  }
  /** Whether the program has written to the page since it was loaded. */
  isWritten(address: number): boolean {
    return this.#isWritten[address >>> 12] === 1;
  }
  /** Addresses of the written pages, ascending. */
  *writtenPages(): Iterable<number> {
    for (let page = this.#isWritten.indexOf(1); page >= 0; page = this.#isWritten.indexOf(1, page + 1))
      if (this.#places[page] !== ABSENT) yield page * PAGE_BYTES;
  }
  /** Restarts the recording of written pages. */
  forgetWrites(): void {
    for (let page = this.#isWritten.indexOf(1); page >= 0; page = this.#isWritten.indexOf(1, page + 1)) {
      this.#isWritten[page] = 0;
      this.#settle(page);
    }
  }
  markCode(address: number, bytes: number): void {
    const start = address >>> 0;
    for (let at = start - (start % LINE_BYTES); at < start + bytes; at += LINE_BYTES) {
      const line = this.#placeOf(at) >>> LINE_SHIFT;
      this.#codeLines[line >>> 3] = (this.#codeLines[line >>> 3] as number) | (1 << (line & 7));
    }
    for (let page = address >>> 12, end = (address + bytes - 1) >>> 12; page <= end; page += 1) {
      this.#isCode[page] = 1;
      this.#writable[page] = ABSENT;
    }
  }
  #placeOf(address: number): number {
    return (this.#places[address >>> 12] as number) + (address & PAGE_MASK);
  }
  #forgetCode(page: number): void {
    this.#isCode[page] = 0;
    const first = (this.#places[page] as number) >>> (LINE_SHIFT + 3);
    this.#codeLines.fill(0, first, first + (PAGE_BYTES >>> (LINE_SHIFT + 3)));
    this.codeWritten((page * PAGE_BYTES) >>> 0, PAGE_BYTES);
    this.#settle(page);
  }
  /** Handles a write to one page with code. Only writes to lines with code are reported. */
  #noteWrite(address: number, bytes: number): void {
    const place = this.#placeOf(address);
    let hadCode = false;
    for (let line = place >>> LINE_SHIFT, end = (place + bytes - 1) >>> LINE_SHIFT; line <= end; line += 1) {
      const bit = 1 << (line & 7);
      const lines = this.#codeLines[line >>> 3] as number;
      if ((lines & bit) === 0) continue;
      hadCode = true;
      this.#codeLines[line >>> 3] = lines & ~bit;
    }
    if (hadCode) this.codeWritten(address, bytes);
  }

  #newPlace(): number {
    const freed = this.#free.pop();
    if (freed !== undefined) {
      this.#bytes.fill(0, freed, freed + PAGE_BYTES);
      return freed;
    }
    if (this.#used >= this.#pagesMax)
      throw new EmulationEnd("The program asks for more memory than it may have.");
    if ((this.#used + 1) * PAGE_BYTES > this.#bytes.length) this.#grow();
    this.#used += 1;
    return (this.#used - 1) * PAGE_BYTES;
  }
  #grow(): void {
    const larger = new Uint8Array(Math.min(this.#bytes.length * 2, this.#pagesMax * PAGE_BYTES));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
    const lines = new Uint8Array(larger.length >>> (LINE_SHIFT + 3));
    lines.set(this.#codeLines);
    this.#codeLines = lines;
  }
  #settle(page: number): void {
    const protection = this.#protections[page] as number;
    const place = protection & GUARD ? ABSENT : (this.#places[page] as number);
    this.#readable[page] = protection & (READ | EXECUTE) ? place : ABSENT;
    const isPlain = protection & WRITE && !this.#isCode[page] && this.#isWritten[page];
    this.#writable[page] = isPlain ? place : ABSENT;
  }
  read8(address: number): number {
    const place = this.#readable[address >>> 12] as number;
    if (place === ABSENT) this.#refuseRead(address);
    return this.#bytes[place + (address & PAGE_MASK)] as number;
  }
  read16(address: number): number {
    const place = this.#readable[address >>> 12] as number;
    const at = address & PAGE_MASK;
    if (place === ABSENT || at > PAGE_BYTES - 2) return this.read8(address) | (this.read8(address + 1) << 8);
    return this.#view.getUint16(place + at, true);
  }
  /** Returns a signed number, like the registers. */
  read32(address: number): number {
    const place = this.#readable[address >>> 12] as number;
    const at = address & PAGE_MASK;
    if (place === ABSENT || at > PAGE_BYTES - 4)
      return this.read16(address) | (this.read16(address + 2) << 16);
    return this.#view.getInt32(place + at, true);
  }
  write8(address: number, value: number): void {
    let place = this.#writable[address >>> 12] as number;
    if (place === ABSENT) place = this.#openForWriting(address, 1);
    this.#bytes[place + (address & PAGE_MASK)] = value;
  }
  write16(address: number, value: number): void {
    const at = address & PAGE_MASK;
    if (at > PAGE_BYTES - 2) {
      this.#checkWritable(address + 1);
      this.write8(address, value);
      this.write8(address + 1, value >> 8);
      return;
    }
    let place = this.#writable[address >>> 12] as number;
    if (place === ABSENT) place = this.#openForWriting(address, 2);
    this.#view.setUint16(place + at, value, true);
  }
  write32(address: number, value: number): void {
    const at = address & PAGE_MASK;
    if (at > PAGE_BYTES - 4) {
      this.#checkWritable(address + 3);
      for (let i = 0; i < 4; i += 1) this.write8(address + i, value >> (8 * i));
      return;
    }
    let place = this.#writable[address >>> 12] as number;
    if (place === ABSENT) place = this.#openForWriting(address, 4);
    this.#view.setInt32(place + at, value, true);
  }

  write64(address: number, low: number, high: number): void {
    const at = address & PAGE_MASK;
    if (at > PAGE_BYTES - 8) {
      this.#checkWritable(address + 7);
      this.write32(address, low);
      this.write32(address + 4, high);
      return;
    }
    let place = this.#writable[address >>> 12] as number;
    if (place === ABSENT) place = this.#openForWriting(address, 8);
    this.#view.setInt32(place + at, low, true);
    this.#view.setInt32(place + at + 4, high, true);
  }

  #refuseRead(address: number): void {
    this.#endGuard(address, "read");
    throw new AccessViolation("read", address);
  }
  #endGuard(address: number, access: "read" | "write" | "execute"): void {
    const page = address >>> 12;
    const protection = this.#protections[page] as number;
    if (!(protection & GUARD)) return;
    this.#protections[page] = protection & ~GUARD;
    this.#settle(page);
    throw new AccessViolation(access, address, STATUS.guardPage);
  }
  /** A write across two pages changes both pages or neither. */
  #checkWritable(address: number): void {
    this.#endGuard(address, "write");
    if (!((this.#protections[address >>> 12] as number) & WRITE)) throw new AccessViolation("write", address);
  }
  #openForWriting(address: number, bytes: number): number {
    this.#checkWritable(address);
    const page = address >>> 12;
    if (this.#isCode[page]) this.#noteWrite(address, bytes);
    if (!this.#isWritten[page]) {
      this.#isWritten[page] = 1;
      this.#settle(page);
    }
    return this.#places[page] as number;
  }

  fetch8(address: number): number {
    const page = address >>> 12;
    this.#endGuard(address, "execute");
    if (!((this.#protections[page] as number) & (EXECUTE | READ)))
      throw new AccessViolation("execute", address);
    return this.#bytes[(this.#places[page] as number) + (address & PAGE_MASK)] as number;
  }

  /** Reads like the kernel: ignores protections and leaves guards in place. False if a page is missing. */
  tryRead(address: number, into: Uint8Array): boolean {
    return this.#eachPiece(address, into.length, (place, from, bytes) =>
      into.set(this.#bytes.subarray(place, place + bytes), from),
    );
  }
  load(address: number, content: Uint8Array): boolean {
    return this.#eachPiece(address, content.length, (place, from, bytes, page) => {
      if (this.#isCode[page]) this.#noteWrite((address + from) >>> 0, bytes);
      this.#isWritten[page] = 1;
      this.#settle(page);
      this.#bytes.set(content.subarray(from, from + bytes), place);
    });
  }
  #eachPiece(
    address: number,
    bytes: number,
    use: (place: number, from: number, bytes: number, page: number) => void,
  ): boolean {
    let from = 0;
    while (from < bytes) {
      const at = (address + from) >>> 0;
      const place = this.#places[at >>> 12] as number;
      if (place === ABSENT) return false;
      const piece = Math.min(bytes - from, PAGE_BYTES - (at & PAGE_MASK));
      use(place + (at & PAGE_MASK), from, piece, at >>> 12);
      from += piece;
    }
    return true;
  }
}

const lastPage = (address: number, bytes: number): number =>
  Math.min(0xffff_ffff, (address >>> 0) + Math.max(bytes, 1) - 1) >>> 12;
