/**
 * Runs the engine's WebAssembly module as a command that sees only its arguments and one in-memory output
 * file.
 */
import {
  type CompiledModule,
  type ImportedFunctions,
  type ModuleMemory,
  webAssembly,
} from "./web-assembly.ts";

/**
 * node:wasi is not used: on Node 20 it crashes with a segmentation fault when the module's memory grows. It
 * would also need a folder on disk. The module imports only these few functions.
 */
const ERRNO_SUCCESS = 0;
const ERRNO_BAD_DESCRIPTOR = 8;
const ERRNO_NO_ENTRY = 44;
const ERRNO_FILE_TOO_LARGE = 22;

const DESCRIPTOR_ROOT = 3;
const DESCRIPTOR_OUTPUT = 4;
const FILE_TYPE_CHARACTER_DEVICE = 2;
const FILE_TYPE_FOLDER = 3;
const FILE_TYPE_FILE = 4;
const OPEN_CREATE = 1;
const ALL_RIGHTS = 0x1fff_ffffn;

export type CommandResult = {
  exitCode: number;
  output: Uint8Array;
};

class CommandExit {
  readonly exitCode: number;
  constructor(exitCode: number) {
    this.exitCode = exitCode;
  }
}

/** Runs the command once. It may write to `/output`; all other paths do not exist. */
export function runCommand(
  module: CompiledModule,
  commandArguments: readonly string[],
  outputBytesMax: number,
): CommandResult {
  const host = new CommandHost(commandArguments, outputBytesMax);
  const imports = { wasi_snapshot_preview1: host.imports() };
  const { memory, _start: start } = new webAssembly.Instance(module, imports).exports;
  host.memory = memory;
  try {
    start();
  } catch (error) {
    if (error instanceof CommandExit) return { exitCode: error.exitCode, output: host.output() };
    throw error;
  }
  return { exitCode: 0, output: host.output() };
}

class CommandHost {
  memory: ModuleMemory | undefined;
  readonly #arguments: Uint8Array[];
  readonly #outputBytesMax: number;
  #file = new Uint8Array(1 << 16);
  #fileSize = 0;
  #filePosition = 0;

  constructor(commandArguments: readonly string[], outputBytesMax: number) {
    this.#arguments = commandArguments.map((argument) => new TextEncoder().encode(`${argument}\0`));
    this.#outputBytesMax = outputBytesMax;
  }

  output(): Uint8Array {
    return this.#file.subarray(0, this.#fileSize);
  }

  imports(): ImportedFunctions {
    return {
      args_sizes_get: (countAt: number, bytesAt: number) => {
        this.#view().setUint32(countAt, this.#arguments.length, true);
        const bytes = this.#arguments.reduce((total, argument) => total + argument.length, 0);
        this.#view().setUint32(bytesAt, bytes, true);
        return ERRNO_SUCCESS;
      },
      args_get: (pointersAt: number, bytesAt: number) => this.#writeArguments(pointersAt, bytesAt),
      clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => {
        this.#view().setBigUint64(timeAt, 0n, true);
        return ERRNO_SUCCESS;
      },
      fd_close: () => ERRNO_SUCCESS,
      fd_fdstat_get: (descriptor: number, statusAt: number) => this.#writeStatus(descriptor, statusAt),
      fd_fdstat_set_flags: () => ERRNO_SUCCESS,
      fd_prestat_get: (descriptor: number, resultAt: number) => {
        if (descriptor !== DESCRIPTOR_ROOT) return ERRNO_BAD_DESCRIPTOR;
        this.#view().setUint32(resultAt, 0, true);
        this.#view().setUint32(resultAt + 4, 1, true);
        return ERRNO_SUCCESS;
      },
      fd_prestat_dir_name: (_descriptor: number, nameAt: number) => {
        this.#view().setUint8(nameAt, "/".charCodeAt(0));
        return ERRNO_SUCCESS;
      },
      fd_read: () => ERRNO_BAD_DESCRIPTOR,
      fd_seek: (descriptor: number, offset: bigint, whence: number, resultAt: number) =>
        this.#seek(descriptor, offset, whence, resultAt),
      fd_write: (descriptor: number, vectorsAt: number, count: number, writtenAt: number) =>
        this.#write(descriptor, vectorsAt, count, writtenAt),
      path_open: (
        _folder: number,
        _lookup: number,
        pathAt: number,
        pathLength: number,
        flags: number,
        ...rest: unknown[]
      ) => this.#open(pathAt, pathLength, flags, Number(rest.at(-1))),
      proc_exit: (exitCode: number) => {
        throw new CommandExit(exitCode);
      },
    };
  }

  /** Created for each use, because memory growth detaches the old buffer. */
  #view(): DataView {
    if (this.memory === undefined) throw new TypeError("The speech engine has no memory yet");
    return new DataView(this.memory.buffer);
  }

  #bytes(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.#view().buffer, offset, length);
  }

  #writeArguments(pointersAt: number, bytesAt: number): number {
    let at = bytesAt;
    for (const [index, argument] of this.#arguments.entries()) {
      this.#view().setUint32(pointersAt + index * 4, at, true);
      this.#bytes(at, argument.length).set(argument);
      at += argument.length;
    }
    return ERRNO_SUCCESS;
  }

  #writeStatus(descriptor: number, statusAt: number): number {
    const view = this.#view();
    const streams = descriptor < DESCRIPTOR_ROOT ? FILE_TYPE_CHARACTER_DEVICE : FILE_TYPE_FILE;
    view.setUint16(statusAt, descriptor === DESCRIPTOR_ROOT ? FILE_TYPE_FOLDER : streams, true);
    view.setUint16(statusAt + 2, 0, true);
    view.setBigUint64(statusAt + 8, ALL_RIGHTS, true);
    view.setBigUint64(statusAt + 16, ALL_RIGHTS, true);
    return ERRNO_SUCCESS;
  }

  #open(pathAt: number, pathLength: number, flags: number, descriptorAt: number): number {
    const path = new TextDecoder().decode(this.#bytes(pathAt, pathLength));
    if (path !== "output" || (flags & OPEN_CREATE) === 0) return ERRNO_NO_ENTRY;
    this.#fileSize = 0;
    this.#filePosition = 0;
    this.#view().setUint32(descriptorAt, DESCRIPTOR_OUTPUT, true);
    return ERRNO_SUCCESS;
  }

  #seek(descriptor: number, offset: bigint, whence: number, resultAt: number): number {
    if (descriptor !== DESCRIPTOR_OUTPUT) return ERRNO_BAD_DESCRIPTOR;
    const bases = [0, this.#filePosition, this.#fileSize];
    const position = Number(offset) + (bases[whence] ?? 0);
    if (position < 0 || position > this.#outputBytesMax) return ERRNO_FILE_TOO_LARGE;
    this.#filePosition = position;
    this.#view().setBigUint64(resultAt, BigInt(position), true);
    return ERRNO_SUCCESS;
  }

  #write(descriptor: number, vectorsAt: number, count: number, writtenAt: number): number {
    const view = this.#view();
    let written = 0;
    for (let index = 0; index < count; index += 1) {
      const from = view.getUint32(vectorsAt + index * 8, true);
      const length = view.getUint32(vectorsAt + index * 8 + 4, true);
      written += length;
      // The engine's console output is discarded.
      if (descriptor < DESCRIPTOR_ROOT) continue;
      if (this.#filePosition + length > this.#outputBytesMax) return ERRNO_FILE_TOO_LARGE;
      this.#append(this.#bytes(from, length));
    }
    view.setUint32(writtenAt, written, true);
    return ERRNO_SUCCESS;
  }

  #append(bytes: Uint8Array): void {
    const end = this.#filePosition + bytes.length;
    if (end > this.#file.length) {
      const larger = new Uint8Array(Math.max(end, this.#file.length * 2));
      larger.set(this.output());
      this.#file = larger;
    }
    this.#file.set(bytes, this.#filePosition);
    this.#filePosition = end;
    this.#fileSize = Math.max(this.#fileSize, end);
  }
}
