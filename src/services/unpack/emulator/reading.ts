/** Decoder of one instruction: prefixes, bytes and operands. */
import { type Cpu, EBP, EBX, EDI, ESI, ESP, FS } from "./cpu.ts";
import { ProcessorException, STATUS } from "./faults.ts";
import {
  memoryPlace,
  type Place,
  registerPlace,
  type Step,
  signed8,
  signed16,
  type Width,
} from "./places.ts";

const BYTES_MAX = 15;
const NO_SEGMENT = -1;
/** Registers that form a 16-bit address. */
const SHORT_ADDRESSES: readonly (readonly number[])[] = [
  [EBX, ESI],
  [EBX, EDI],
  [EBP, ESI],
  [EBP, EDI],
  [ESI],
  [EDI],
  [EBP],
  [EBX],
];

export class Reading {
  readonly cpu: Cpu;
  readonly start: number;
  #at: number;
  #operandWidth: 16 | 32 = 32;
  #isShortAddress = false;
  protected segment = NO_SEGMENT;
  /** Prefix 0xf2 or 0xf3, otherwise 0. */
  repeat = 0;
  hasOperandPrefix = false;
  /** The instruction ends its block. */
  isLast = false;
  /** The instruction sets the instruction pointer itself. */
  isJump = false;
  #second: number | undefined;
  #address: (() => number) | undefined;

  constructor(cpu: Cpu, start: number) {
    this.cpu = cpu;
    this.start = start;
    this.#at = start;
  }
  get next(): number {
    return this.#at;
  }
  get width(): 16 | 32 {
    return this.#operandWidth;
  }
  get isShortAddress(): boolean {
    return this.#isShortAddress;
  }
  /** Even opcodes have byte operands, odd ones have wide operands. */
  widthOf(opcode: number): Width {
    return opcode & 1 ? this.#operandWidth : 8;
  }

  byte(): number {
    if (this.#at - this.start >= BYTES_MAX) this.refuse();
    const value = this.cpu.memory.fetch8(this.#at);
    this.#at = (this.#at + 1) | 0;
    return value;
  }
  signedByte(): number {
    return signed8(this.byte());
  }
  word(): number {
    return this.byte() | (this.byte() << 8);
  }
  long(): number {
    return this.word() | (this.word() << 16);
  }
  immediate(width: Width): number {
    if (width === 8) return this.signedByte();
    return width === 16 ? signed16(this.word()) : this.long();
  }
  jumps(): void {
    this.isLast = true;
    this.isJump = true;
  }
  refuse(): never {
    throw new ProcessorException(STATUS.illegalInstruction, "an instruction that there is not");
  }

  /** Reads the prefixes and returns the opcode. */
  opcode(): number {
    for (;;) {
      const byte = this.byte();
      if (byte === 0x66) {
        this.#operandWidth = 16;
        this.hasOperandPrefix = true;
      } else if (byte === 0x67) this.#isShortAddress = true;
      else if (byte === 0xf2 || byte === 0xf3) this.repeat = byte;
      else if ((byte & 0xe7) === 0x26) this.segment = (byte >> 3) & 3;
      else if (byte === 0x64 || byte === 0x65) this.segment = byte - 0x60;
      else if (byte !== 0xf0) return byte;
    }
  }

  /** The ModR/M byte: a register and an r/m operand. */
  get modrm(): number {
    if (this.#second === undefined) {
      this.#second = this.byte();
      if (this.#second < 0xc0) this.#address = this.readAddress(this.#second);
    }
    return this.#second;
  }
  /** The register field, where it extends the opcode. */
  get extension(): number {
    return (this.modrm >> 3) & 7;
  }
  get registerNumber(): number {
    return (this.modrm >> 3) & 7;
  }
  get placeNumber(): number {
    return this.modrm & 7;
  }
  get isMemory(): boolean {
    return this.modrm < 0xc0;
  }
  register(width: Width): Place {
    return registerPlace(this.cpu, width, this.registerNumber);
  }
  place(width: Width): Place {
    return this.isMemory
      ? memoryPlace(this.cpu, width, this.address)
      : registerPlace(this.cpu, width, this.placeNumber);
  }
  /** Address of the memory operand, with the segment base. */
  get address(): () => number {
    const address = this.offset;
    return this.withSegment(address);
  }
  /** Address of the memory operand, without the segment base. */
  get offset(): () => number {
    void this.modrm;
    return this.#address ?? this.refuse();
  }
  withSegment(address: () => number): () => number {
    if (this.segment !== FS) return address;
    const { cpu } = this;
    return () => (address() + cpu.fsBase) | 0;
  }
  /** Absolute address of `mov` with the accumulator. */
  writtenAddress(): () => number {
    const address = this.#isShortAddress ? this.word() : this.long();
    return this.withSegment(() => address);
  }

  protected readAddress(modrm: number): () => number {
    if (this.#isShortAddress) return this.#readShortAddress(modrm);
    const mode = modrm >> 6;
    const number = modrm & 7;
    if (number === ESP) return this.#readScaled(mode);
    if (mode === 0 && number === EBP) {
      const address = this.long();
      return () => address;
    }
    return this.#displaced(mode, number);
  }
  protected displacement(mode: number): number {
    if (mode === 0) return 0;
    return mode === 1 ? this.signedByte() : this.long();
  }
  #displaced(mode: number, number: number): () => number {
    const { wide } = this.cpu;
    const displacement = this.displacement(mode);
    if (displacement === 0) return () => wide[number] as number;
    return () => ((wide[number] as number) + displacement) | 0;
  }
  #readScaled(mode: number): () => number {
    const { wide } = this.cpu;
    const byte = this.byte();
    const scale = byte >> 6;
    const index = (byte >> 3) & 7;
    const base = byte & 7;
    const hasBase = !(mode === 0 && base === EBP);
    const displacement = hasBase ? this.displacement(mode) : this.long();
    if (index === ESP) {
      if (!hasBase) return () => displacement;
      return () => ((wide[base] as number) + displacement) | 0;
    }
    if (!hasBase) return () => (((wide[index] as number) << scale) + displacement) | 0;
    return () => ((wide[base] as number) + ((wide[index] as number) << scale) + displacement) | 0;
  }
  #readShortAddress(modrm: number): () => number {
    const { wide } = this.cpu;
    const mode = modrm >> 6;
    const number = modrm & 7;
    if (mode === 0 && number === 6) {
      const address = this.word();
      return () => address;
    }
    const displacement = mode === 0 ? 0 : mode === 1 ? this.signedByte() : this.word();
    const [first = EBX, second] = SHORT_ADDRESSES[number] ?? [];
    if (second === undefined) return () => ((wide[first] as number) + displacement) & 0xffff;
    return () => ((wide[first] as number) + (wide[second] as number) + displacement) & 0xffff;
  }
}

/** Translates an instruction, whose opcode was read, into a step. */
export type Translate = (reading: Reading, opcode: number) => Step;
