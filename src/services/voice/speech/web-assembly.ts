/** Types of WebAssembly that the engine uses. Node's type declarations do not include them. */

/** Opaque: compiled once, instantiated for each run. */
export type CompiledModule = {
  readonly [Symbol.toStringTag]: string;
};

export type ModuleMemory = {
  readonly buffer: ArrayBuffer;
};

export type ModuleInstance = {
  readonly exports: { readonly memory: ModuleMemory; readonly _start: () => void };
};

// biome-ignore lint/suspicious/noExplicitAny: each imported function has its own parameters
export type ImportedFunctions = Record<string, (...values: any[]) => number>;

type WebAssemblyInterface = {
  compile(bytes: Uint8Array): Promise<CompiledModule>;
  Instance: new (module: CompiledModule, imports: Record<string, ImportedFunctions>) => ModuleInstance;
};

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly;
