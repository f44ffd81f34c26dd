/** Loads liblouis, which is C compiled to JavaScript, with the memory that whole texts need. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import { workerFile } from "#kernel/workers";

/** What we use of the compiled module. Addresses are byte offsets into its memory. */
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
/** Answers 0 when it failed. Lengths are addresses: they go in as what is there and come out as what was used. */
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

/** Only the pages in use take up real memory. The package's own default, 16 MB, is enough for 20,000 characters. */
const MEMORY_BYTES = 128 * 1024 * 1024;
/** The last statement of the package's file: it calls the factory without settings, so it is left out. */
const OWN_CALL = "liblouisBuild = liblouisBuild();";
/** Characters are four bytes wide in this one, so that an emoji is one character. */
const BUILD = "liblouis-build/build-no-tables-utf32.js";

const buildFile = createRequire(import.meta.url).resolve(BUILD);
const tablesFolder = join(dirname(buildFile), "tables");

/** Where the tables of the bundled engine lie. */
export const bundledTablesFolder = (): string => tablesFolder;
/** Newer tables that the engine of 2017 reads as they are. */
const newerFolder = workerFile(import.meta.url, "vendor/braille-tables");
export function readTableFile(name: string): Buffer {
  const newer = join(newerFolder, name);
  return readFileSync(existsSync(newer) ? newer : join(tablesFolder, name));
}

/** As if in a bare shell: the engine gets neither the file system nor the terminal of the process. */
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
