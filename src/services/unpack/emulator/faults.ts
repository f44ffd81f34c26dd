/** Errors that stop an instruction: processor exceptions, and limits of the emulation. */

/** Windows status codes. */
export const STATUS = {
  guardPage: 0x8000_0001,
  breakpoint: 0x8000_0003,
  singleStep: 0x8000_0004,
  accessViolation: 0xc000_0005,
  illegalInstruction: 0xc000_001d,
  divideByZero: 0xc000_0094,
  integerOverflow: 0xc000_0095,
  privilegedInstruction: 0xc000_0096,
} as const;

export type Access = "read" | "write" | "execute";

/** An exception that the emulated program may handle. */
export class ProcessorException extends Error {
  readonly status: number;
  readonly parameters: readonly number[];
  /** A trap is raised after the instruction, a fault before it. */
  readonly isTrap: boolean;
  constructor(status: number, message: string, parameters: readonly number[] = [], isTrap = false) {
    super(message);
    this.status = status;
    this.parameters = parameters;
    this.isTrap = isTrap;
  }
}

const ACCESS_NUMBERS: Readonly<Record<Access, number>> = { read: 0, write: 1, execute: 8 };
const hex = (address: number): string => `0x${(address >>> 0).toString(16)}`;

export class AccessViolation extends ProcessorException {
  readonly address: number;
  readonly access: Access;
  constructor(access: Access, address: number, status: number = STATUS.accessViolation) {
    super(status, `${access} at ${hex(address)}`, [ACCESS_NUMBERS[access], address >>> 0]);
    this.access = access;
    this.address = address >>> 0;
  }
}

/**
 * A budget is exhausted, or the program uses a feature that is not emulated. The program cannot handle this.
 */
export class EmulationEnd extends Error {}
