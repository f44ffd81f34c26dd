/** The parts of a process that the loader uses. */
import type { Cpu } from "../emulator/cpu.ts";
import type { Memory } from "../emulator/memory.ts";
import type { PeFile } from "../pe/file.ts";
import type { Libraries } from "./libraries.ts";

export type LoadedProcess = {
  readonly file: PeFile;
  readonly base: number;
  readonly memory: Memory;
  readonly cpu: Cpu;
  readonly libraries: Libraries;
  readonly wordBytes: 4 | 8;
  isInImage(address: number): boolean;
  allocateOnHeap(bytes: number): number;
  functionAddress(module: number, name: string): number;
  readLong(address: number): number;
  readText(address: number): string;
  writeLong(address: number, value: number): void;
  writePointer(address: number, value: number): void;
  writeText(address: number, text: string, room: number, isWide: boolean): number;
};
