/** The emulated system of a process: handles calls and exceptions. */
import { EAX, ESP } from "../emulator/cpu.ts";
import { LongCpu } from "../emulator/long/cpu.ts";
import { type Memory, PAGE_BYTES } from "../emulator/memory.ts";
import type { PeFile } from "../pe/file.ts";
import { Exceptions } from "./exceptions.ts";
import { functionOf, namesOf } from "./functions/index.ts";
import { hex } from "./journal.ts";
import type { Export } from "./libraries.ts";
import { WindowsProcess } from "./process.ts";

/** 64-bit functions that return an address. */
const ANSWERS_ADDRESS =
  /Alloc|GetProcAddress|LoadLibrary|GetModuleHandle|GetCommandLine|EnvironmentStrings|(?:Tls|Fls)GetValue|Lock$|GlobalHandle|ProcessHeap|HeapCreate|alloc$|^(?:__p_|str|lstr|mem|_onexit|SetUnhandled|AddVectored|MapView|LoadRes|FindRes)/;
const LAST_HANDLE = -16;
const SHOWN_MIN = 3;
const SHOWN_MAX = 80;
const PRINTABLE = /^[\x20-\x7e]+$/;

export class WindowsSystem {
  readonly process: WindowsProcess;
  readonly exceptions: Exceptions;

  constructor(file: PeFile, memory: Memory) {
    this.process = new WindowsProcess(file, memory, namesOf);
    this.exceptions = new Exceptions(this.process);
  }

  /** True if the address belongs to the system. The call was handled, and the program continues elsewhere. */
  answerAt(address: number): boolean {
    const exported = this.process.libraries.findHook(address);
    if (!exported) return this.process.returnTo(address);
    this.#answer(exported);
    return true;
  }
  #answer({ library, name }: Export): void {
    const { process, exceptions } = this;
    const { cpu, journal } = process;
    const { function: found, isKnown } = functionOf(library.name, name);
    const returnsTo = cpu.pop();
    const given = process.givenAt(cpu.esp, found.takes);
    const shown = journal.hasRoom ? given.map((value) => this.#shown(value)) : [];
    const { executed: instructions } = cpu;
    const result = found.answer({ process, exceptions, name, given, returnsTo });
    journal.noteCall({
      library: library.name,
      name,
      given: shown,
      result: result === undefined ? undefined : this.#shownResult(name, result),
      caller: cpu.wholeAddress(returnsTo),
      instructions,
      isModelled: isKnown,
    });
    if (result === undefined) return;
    cpu.wide[EAX] = result;
    if (cpu instanceof LongCpu) cpu.high[EAX] = this.#upperHalf(cpu, name, result);
    else if (!found.isCdecl) cpu.wide[ESP] = cpu.esp + found.takes * 4;
    cpu.eip = returnsTo;
  }
  /**
   * Addresses get the window as upper half. Of other values, only small negative ones such as pseudo handles
   * are sign-extended.
   */
  #upperHalf({ window, memory }: LongCpu, name: string, result: number): number {
    if (ANSWERS_ADDRESS.test(name)) return memory.isMapped(result) ? window : 0;
    return (result | 0) < 0 && (result | 0) >= LAST_HANDLE ? -1 : 0;
  }
  #shownResult(name: string, result: number): string {
    const { cpu } = this.process;
    const isAddress = cpu instanceof LongCpu && this.#upperHalf(cpu, name, result) === cpu.window;
    return hex(isAddress ? cpu.wholeAddress(result) : result);
  }
  /** The string, if the value points to one. */
  #shown(value: number): string {
    const { process } = this;
    if (!process.memory.isMapped(value) || value >>> 0 < PAGE_BYTES) return hex(value);
    const address = process.cpu.wholeAddress(value);
    const text = process.readText(value).slice(0, SHOWN_MAX);
    return text.length >= SHOWN_MIN && PRINTABLE.test(text) ? JSON.stringify(text) : hex(address);
  }
}
