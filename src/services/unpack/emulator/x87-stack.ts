/** The x87 register stack, with control, status and tag words. */
import type { Cpu } from "./cpu.ts";
import { CARRY, PARITY, ZERO } from "./flags.ts";

const AFTER_RESET = 0x37f;
const CONDITIONS = 0x4700;
const C0 = 0x100;
const C1 = 0x200;
const C2 = 0x400;
const C3 = 0x4000;
const TWO_63 = 2 ** 63;

/** Round half to even. */
function nearest(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
const ROUNDINGS = [nearest, Math.floor, Math.ceil, Math.trunc];

export class FloatingStack {
  readonly #cpu: Cpu;
  readonly #values = new Float64Array(8);
  readonly #exact: (bigint | undefined)[] = new Array(8).fill(undefined);
  readonly #isFree = new Uint8Array(8).fill(1);
  readonly #scratch = new DataView(new ArrayBuffer(8));
  #top = 0;
  #conditions = 0;
  control = AFTER_RESET;
  /** Address of the last computing instruction. Programs read it to find their own address. */
  lastAddress = 0;

  constructor(cpu: Cpu) {
    this.#cpu = cpu;
  }
  get status(): number {
    return this.#conditions | (this.#top << 11);
  }
  #at(index: number): number {
    return (this.#top + index) & 7;
  }
  get(index: number): number {
    return this.#values[this.#at(index)] as number;
  }
  exact(index: number): bigint | undefined {
    return this.#exact[this.#at(index)];
  }
  set(index: number, value: number, exact?: bigint): void {
    const at = this.#at(index);
    this.#values[at] = value;
    this.#exact[at] = exact;
    this.#isFree[at] = 0;
  }
  push(value: number, exact?: bigint): void {
    this.#top = (this.#top - 1) & 7;
    this.set(0, value, exact);
  }
  pop(): void {
    this.#isFree[this.#top] = 1;
    this.#top = (this.#top + 1) & 7;
  }
  free(index: number): void {
    this.#isFree[this.#at(index)] = 1;
  }
  turn(by: number): void {
    this.#top = (this.#top + by) & 7;
  }
  exchange(index: number): void {
    const [value, exact] = [this.get(0), this.exact(0)];
    this.set(0, this.get(index), this.exact(index));
    this.set(index, value, exact);
  }
  combineAndPop(combine: (top: number, second: number) => number): void {
    this.set(1, combine(this.get(0), this.get(1)));
    this.pop();
  }
  reset(): void {
    this.control = AFTER_RESET;
    this.#conditions = 0;
    this.#top = 0;
    this.#isFree.fill(1);
  }
  clearExceptions(): void {
    this.#conditions &= CONDITIONS;
  }
  #setConditions(bits: number): void {
    this.#conditions = (this.#conditions & ~CONDITIONS) | bits;
  }

  compare(left: number, right: number): void {
    if (Number.isNaN(left) || Number.isNaN(right)) this.#setConditions(C0 | C2 | C3);
    else this.#setConditions(left < right ? C0 : left === right ? C3 : 0);
  }
  compareToFlags(left: number, right: number): void {
    const { flags } = this.#cpu;
    if (Number.isNaN(left) || Number.isNaN(right)) flags.told(1, 1, 0);
    flags.value &= ~0x895;
    if (Number.isNaN(left) || Number.isNaN(right)) flags.change(CARRY | PARITY | ZERO, CARRY | PARITY | ZERO);
    else flags.change(CARRY | PARITY | ZERO, left < right ? CARRY : left === right ? ZERO : 0);
  }
  examine(): void {
    const value = this.get(0);
    const sign = value < 0 || Object.is(value, -0) ? C1 : 0;
    if (this.#isFree[this.#at(0)]) this.#setConditions(C3 | C0 | sign);
    else if (Number.isNaN(value)) this.#setConditions(C0 | sign);
    else if (!Number.isFinite(value)) this.#setConditions(C2 | C0 | sign);
    else this.#setConditions((value === 0 ? C3 : C2) | sign);
  }
  extract(): void {
    const value = this.get(0);
    const exponent = value === 0 ? Number.NEGATIVE_INFINITY : Math.floor(Math.log2(Math.abs(value)));
    this.set(0, exponent);
    this.push(value === 0 ? value : value / 2 ** exponent);
  }
  remainder(round: (value: number) => number): void {
    const quotient = round(this.get(0) / this.get(1));
    this.set(0, this.get(0) - quotient * this.get(1));
    const low = Number.isFinite(quotient) ? Number(BigInt.asUintN(3, BigInt(Math.abs(quotient)))) : 0;
    this.#setConditions((low & 4 ? C0 : 0) | (low & 2 ? C3 : 0) | (low & 1 ? C1 : 0));
  }

  rounded(value: number): number {
    return (ROUNDINGS[(this.control >> 10) & 3] as (value: number) => number)(value);
  }
  roundedTo(bits: 16 | 32): number {
    return fitting(this.rounded(this.get(0)), bits);
  }
  cutTo(bits: 16 | 32): number {
    return fitting(Math.trunc(this.get(0)), bits);
  }

  readFloat(address: number): number {
    this.#scratch.setInt32(0, this.#cpu.memory.read32(address), true);
    return this.#scratch.getFloat32(0, true);
  }
  writeFloat(address: number, value: number): void {
    this.#scratch.setFloat32(0, value, true);
    this.#cpu.memory.write32(address, this.#scratch.getInt32(0, true));
  }
  #readScratch(address: number): void {
    this.#scratch.setInt32(0, this.#cpu.memory.read32(address), true);
    this.#scratch.setInt32(4, this.#cpu.memory.read32((address + 4) | 0), true);
  }
  #writeScratch(address: number): void {
    const { memory } = this.#cpu;
    memory.write32((address + 4) | 0, this.#scratch.getInt32(4, true));
    memory.write32(address, this.#scratch.getInt32(0, true));
  }
  readDouble(address: number): number {
    this.#readScratch(address);
    return this.#scratch.getFloat64(0, true);
  }
  writeDouble(address: number, value: number): void {
    this.#scratch.setFloat64(0, value, true);
    this.#writeScratch(address);
  }
  /** Loads a 64-bit integer exactly, because programs copy bytes through it. */
  readHuge(address: number): void {
    this.#readScratch(address);
    const exact = this.#scratch.getBigInt64(0, true);
    this.push(Number(exact), exact);
  }
  writeHuge(address: number, isCut: boolean): void {
    const value = this.get(0);
    const whole = isCut ? Math.trunc(value) : this.rounded(value);
    const exact = this.exact(0) ?? (Math.abs(whole) < TWO_63 ? BigInt(whole) : -(2n ** 63n));
    this.#scratch.setBigInt64(0, exact, true);
    this.#writeScratch(address);
  }
  /** Loads an 80-bit float: sign and exponent, then a 64-bit mantissa. */
  readExtended(address: number): void {
    this.#readScratch(address);
    const mantissa = this.#scratch.getBigUint64(0, true);
    const head = this.#cpu.memory.read16((address + 8) | 0);
    const sign = head & 0x8000 ? -1 : 1;
    const exponent = (head & 0x7fff) - 16_383 - 63;
    if ((head & 0x7fff) === 0x7fff)
      this.push(mantissa << 1n === 0n ? sign * Number.POSITIVE_INFINITY : Number.NaN);
    else {
      const isWhole = exponent <= 0 && exponent > -64 && mantissa % (1n << BigInt(-exponent)) === 0n;
      const exact = isWhole ? BigInt(sign) * (mantissa >> BigInt(-exponent)) : undefined;
      this.push(sign * Number(mantissa) * 2 ** exponent, exact);
    }
  }
  writeExtended(address: number): void {
    const { memory } = this.#cpu;
    const [mantissa, head] = extendedOf(this.get(0), this.exact(0));
    memory.write16((address + 8) | 0, head);
    this.#scratch.setBigUint64(0, mantissa, true);
    this.#writeScratch(address);
  }

  #tags(): number {
    let tags = 0;
    for (let at = 0; at < 8; at += 1) {
      const value = this.#values[at] as number;
      const tag = this.#isFree[at] ? 3 : value === 0 ? 1 : Number.isFinite(value) ? 0 : 2;
      tags |= tag << (at * 2);
    }
    return tags;
  }
  /** fstenv: seven words. One of them is the address of the last computing instruction. */
  writeEnvironment(address: number, width: 16 | 32): void {
    const { memory } = this.#cpu;
    const words = [this.control, this.status, this.#tags(), this.lastAddress, 0x23, 0, 0x2b];
    for (const [index, word] of words.entries())
      if (width === 32) memory.write32((address + index * 4) | 0, index < 3 ? word | 0xffff_0000 : word);
      else memory.write16((address + index * 2) | 0, word);
    this.control |= 0x3f;
  }
  readEnvironment(address: number, width: 16 | 32): void {
    const { memory } = this.#cpu;
    const word = (index: number) => memory.read16((address + index * (width / 8)) | 0);
    this.control = word(0);
    this.#conditions = word(1) & ~0x3800;
    this.#top = (word(1) >> 11) & 7;
    const tags = word(2);
    for (let at = 0; at < 8; at += 1) this.#isFree[at] = ((tags >> (at * 2)) & 3) === 3 ? 1 : 0;
  }
  save(address: number, width: 16 | 32): void {
    this.writeEnvironment(address, width);
    const start = address + 7 * (width / 8);
    for (let index = 0; index < 8; index += 1) {
      this.writeExtended((start + index * 10) | 0);
      this.turn(1);
    }
    this.reset();
  }
  restore(address: number, width: 16 | 32): void {
    const start = address + 7 * (width / 8);
    this.#top = 0;
    for (let index = 7; index >= 0; index -= 1) this.readExtended((start + index * 10) | 0);
    const held = Array.from({ length: 8 }, (_, index) => [this.get(index), this.exact(index)] as const);
    this.readEnvironment(address, width);
    const free = this.#isFree.slice();
    for (const [index, [value, exact]] of held.entries()) this.set(index, value, exact);
    this.#isFree.set(free);
  }
}

/** A value out of range becomes the smallest integer. */
function fitting(value: number, bits: 16 | 32): number {
  const limit = 2 ** (bits - 1);
  return value >= -limit && value < limit ? value : -limit;
}
function extendedOf(value: number, exact: bigint | undefined): readonly [mantissa: bigint, head: number] {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (Number.isNaN(value)) return [0xc000_0000_0000_0000n, 0xffff];
  if (!Number.isFinite(value)) return [0x8000_0000_0000_0000n, sign | 0x7fff];
  if (value === 0 && !exact) return [0n, sign];
  const magnitude = exact === undefined ? Math.abs(value) : Number(exact < 0n ? -exact : exact);
  const exponent = Math.floor(Math.log2(magnitude));
  if (exact !== undefined) {
    const plain = exact < 0n ? -exact : exact;
    const bits = plain.toString(2).length;
    return [plain << BigInt(64 - bits), sign | (bits - 1 + 16_383)];
  }
  const scaled = BigInt(Math.round((magnitude / 2 ** exponent) * 2 ** 52)) << 11n;
  const isOver = scaled >= 1n << 64n;
  return [isOver ? scaled >> 1n : scaled, sign | (exponent + (isOver ? 1 : 0) + 16_383)];
}
