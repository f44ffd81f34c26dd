/** Loads liblouis, which is compiled from C to JavaScript, with enough memory for whole texts. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import { workerFile } from "#kernel/workers";

/** The used part of the compiled module. Addresses are byte offsets into its memory. */
export type BundledModule = {
  readonly HEAP32: Int32Array;
  readonly HEAPU32: Uint32Array;
  readonly FS: {
    mkdir(path: string): void;
    writeFile(path: string, bytes: Uint8Array, options: { encoding: "binary" }): void;
  };
  readonly ALLOC_NORMAL: number;
  allocate(bytes: readonly number[], type: "i8", allocator: number): number;
  intArrayFromString(text: string): number[];
  _malloc(bytes: number): number;
  _free(address: number): void;
  _lou_setLogLevel(level: number): void;
  _lou_setDataPath(path: number): number;
  _lou_getTable(tables: number): number;
  _lou_free(): void;
  _lou_translateString: Translate;
  _lou_backTranslateString: Translate;
};
/** Returns 0 on failure. Lengths are addresses of in-out values: available on input, used on output. */
type Translate = (
  tables: number,
  input: number,
  inputLength: number,
  output: number,
  outputLength: number,
  emphasis: 0,
  spacing: 0,
  mode: number,
) => number;

type Factory = (settings: object) => BundledModule;

/** Only used pages occupy real memory. The package's default of 16 MB suffices for 20,000 characters. */
const MEMORY_BYTES = 128 * 1024 * 1024;
/** The last statement of the package's file. It is removed, because it calls the factory without settings. */
const OWN_CALL = "liblouisBuild = liblouisBuild();";
/** This build has four-byte characters, so that an emoji is one character. */
const BUILD = "liblouis-build/build-no-tables-utf32.js";

const buildFile = createRequire(import.meta.url).resolve(BUILD);
const tablesFolder = join(dirname(buildFile), "tables");

export const bundledTablesFolder = (): string => tablesFolder;
/** Newer tables that the engine of 2017 can read. */
const newerFolder = workerFile(import.meta.url, "vendor/braille-tables");
export function readTableFile(name: string): Buffer {
  const newer = join(newerFolder, name);
  return readFileSync(existsSync(newer) ? newer : join(tablesFolder, name));
}

/** Emulates a bare shell environment: the engine gets no access to the file system or the terminal. */
export function loadBundledModule(): BundledModule {
  const source = readFileSync(buildFile, "utf8");
  const end = source.lastIndexOf(OWN_CALL);
  if (end < 0) throw new Error(`${BUILD} does not end as it used to`);
  const makeFactory = compileFunction(`${source.slice(0, end)}return liblouisBuild;`, ["read", "quit"], {
    filename: buildFile,
  });
  const silent = () => {};
  const factory = makeFactory(silent, silent) as Factory;
  return factory({
    ENVIRONMENT: "SHELL",
    TOTAL_MEMORY: MEMORY_BYTES,
    noExitRuntime: true,
    print: silent,
    printErr: silent,
  });
}
