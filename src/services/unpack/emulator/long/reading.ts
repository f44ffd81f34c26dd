/**
 * Decoder of one 64-bit instruction. Addresses are checked against the window and returned as lower halves.
 */
import { EBP, ESP, FS } from "../cpu.ts";
import { lowBytePlace, type Place, registerPlace, type Step, type Width } from "../places.ts";
import { Reading } from "../reading.ts";
import type { LongCpu } from "./cpu.ts";
import { type LongPlace, longMemory, longRegister } from "./places.ts";

const GS = FS + 1;
const NO_INDEX = ESP;
/** Bits of the REX prefix: 64-bit operands, and the fourth bit of register, index and base. */
const REX = 0x40;
const REX_WIDE = 8;
const REX_REGISTER = 4;
const REX_INDEX = 2;
const REX_PLACE = 1;

type Sum = {
  readonly base: number | undefined;
  readonly index: number | undefined;
  readonly scale: number;
  readonly displacement: number;
};

export class LongReading extends Reading {
  declare readonly cpu: LongCpu;
  #rex = 0;
  #offset: (() => number) | undefined;

  override opcode(): number {
    let byte = super.opcode();
    while ((byte & 0xf0) === REX) {
      const { next } = this;
      this.#rex = byte;
      byte = super.opcode();
      // A REX prefix is valid only directly before the opcode.
      if (this.next !== ((next + 1) | 0)) this.#rex = 0;
    }
    return byte;
  }
  get isWide(): boolean {
    return (this.#rex & REX_WIDE) !== 0;
  }
  /** Register number in the opcode itself. */
  opcodeNumber(opcode: number): number {
    return (opcode & 7) | ((this.#rex & REX_PLACE) << 3);
  }
  override get registerNumber(): number {
    return this.extension | ((this.#rex & REX_REGISTER) << 1);
  }
  override get placeNumber(): number {
    return (this.modrm & 7) | ((this.#rex & REX_PLACE) << 3);
  }
  registerAt(width: Width, number: number): Place {
    return width === 8 && this.#rex !== 0
      ? lowBytePlace(this.cpu, number)
      : registerPlace(this.cpu, width, number);
  }
  override register(width: Width): Place {
    return this.registerAt(width, this.registerNumber);
  }
  override place(width: Width): Place {
    return this.isMemory ? super.place(width) : this.registerAt(width, this.placeNumber);
  }
  get longRegister(): LongPlace {
    return longRegister(this.cpu, this.registerNumber);
  }
  get longPlace(): LongPlace {
    return this.isMemory ? longMemory(this.cpu, this.address) : longRegister(this.cpu, this.placeNumber);
  }
  /** Lower half of the unchecked address. The upper half is in the processor's `upper`. */
  get wholeOffset(): () => number {
    void this.modrm;
    return this.#offset ?? this.refuse();
  }
  /**
   * Adds the GS base to an address. The offset may be relative to the next instruction, so it is evaluated
   * at execution.
   */
  override withSegment(address: () => number): () => number {
    if (this.segment !== GS) return address;
    const { cpu } = this;
    const offset = this.#offset ?? address;
    return () => (offset() + cpu.fsBase) | 0;
  }
  /** Reads a register as an address, as string instructions use it. */
  pointer(register: number): () => number {
    const { cpu } = this;
    const { wide, high, window } = cpu;
    if (this.isShortAddress)
      return () => {
        if (window !== 0) cpu.refuseAddress(wide[register] as number, 0);
        return wide[register] as number;
      };
    return () => {
      const low = wide[register] as number;
      if (high[register] !== window) cpu.refuseAddress(low, high[register] as number);
      return low;
    };
  }

  protected override readAddress(modrm: number): () => number {
    const mode = modrm >> 6;
    const number = modrm & 7;
    if (number === ESP) return this.#located(this.#readSum(mode));
    if (mode === 0 && number === EBP) return this.#relative();
    const base = number | ((this.#rex & REX_PLACE) << 3);
    return this.#located({ base, index: undefined, scale: 0, displacement: this.displacement(mode) });
  }
  #readSum(mode: number): Sum {
    const byte = this.byte();
    const index = ((byte >> 3) & 7) | ((this.#rex & REX_INDEX) << 2);
    const hasBase = !(mode === 0 && (byte & 7) === EBP);
    return {
      base: hasBase ? (byte & 7) | ((this.#rex & REX_PLACE) << 3) : undefined,
      index: index === NO_INDEX ? undefined : index,
      scale: byte >> 6,
      displacement: hasBase ? this.displacement(mode) : this.long(),
    };
  }
  /** RIP-relative address. The end of the instruction is known only at execution. */
  #relative(): () => number {
    const displacement = this.long();
    const { cpu } = this;
    const offset = (): number => {
      cpu.upper = this.isShortAddress ? 0 : cpu.window;
      return (this.next + displacement) | 0;
    };
    this.#offset = offset;
    return this.isShortAddress ? this.#checked(offset) : () => (this.next + displacement) | 0;
  }
  #located(sum: Sum): () => number {
    const offset = this.#wholeOffsetOf(sum);
    this.#offset = offset;
    const { base, index, displacement } = sum;
    if (this.isShortAddress || base === undefined) return this.#checked(offset);
    if (index === undefined) return this.#near(base, displacement);
    return this.#checked(offset);
  }
  /** Fast path for the most frequent form: a base register with an optional displacement. */
  #near(base: number, displacement: number): () => number {
    const { cpu } = this;
    const { wide, high, window } = cpu;
    const sign = displacement >> 31;
    return () => {
      const from = wide[base] as number;
      const low = (from + displacement) | 0;
      const upper = ((high[base] as number) + sign + (low >>> 0 < from >>> 0 ? 1 : 0)) | 0;
      if (upper !== window) cpu.refuseAddress(low, upper);
      return low;
    };
  }
  #checked(offset: () => number): () => number {
    const { cpu } = this;
    const { window } = cpu;
    return () => {
      const low = offset();
      if (cpu.upper !== window) cpu.refuseAddress(low, cpu.upper);
      return low;
    };
  }
  #wholeOffsetOf({ base, index, scale, displacement }: Sum): () => number {
    const { cpu, isShortAddress } = this;
    const { wide, high } = cpu;
    return () => {
      let low = displacement;
      let upper = displacement >> 31;
      if (base !== undefined) {
        const from = wide[base] as number;
        low = (low + from) | 0;
        upper += (high[base] as number) + (low >>> 0 < from >>> 0 ? 1 : 0);
      }
      if (index !== undefined) {
        const from = wide[index] as number;
        const scaled = from << scale;
        low = (low + scaled) | 0;
        const above =
          scale === 0
            ? (high[index] as number)
            : ((high[index] as number) << scale) | (from >>> (32 - scale));
        upper += above + (low >>> 0 < scaled >>> 0 ? 1 : 0);
      }
      cpu.upper = isShortAddress ? 0 : upper | 0;
      return low;
    };
  }
}

/** Translates an instruction of 64-bit mode, whose opcode was read, into a step. */
export type TranslateLong = (reading: LongReading, opcode: number) => Step;
