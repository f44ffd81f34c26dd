/** The bundled engine: liblouis 3.2, compiled to JavaScript. It handles one call at a time, in one thread. */

import type { Line } from "../domain/cells.ts";
import { markedLetterRules } from "../domain/marked-letters.ts";
import { UNIFIED_ENGLISH } from "../domain/unified-english.ts";
import { withPunctuationOfLetters, withRevisedSigns } from "../domain/unified-english-signs.ts";
import { type BundledModule, loadBundledModule, readTableFile } from "./bundled-module.ts";
import {
  cellsOf,
  codePointsOf,
  type Engine,
  EngineError,
  markedCellsOf,
  textOf,
  withEnoughRoom,
} from "./engine.ts";
import { UnknownCharacters } from "./unknown-characters.ts";

/**
 * Mode flags of liblouis 3.2: dots as input and output, and dots as Unicode braille (forward) or with a
 * marker bit (back).
 */
const DOTS_IN_AND_OUT = 4;
const UNICODE_BRAILLE = 128;
const LOG_NOTHING = 60_000;

const TABLES_FOLDER = "/liblouis/tables";
const INCLUDE = /^[ \t]*include[ \t]+(\S+)/gm;
/** Definitions that the table of 2017 lacks. */
const LETTERS_FILE = "en-ueb-chardefs.uti";
const MARKED_LETTERS_FILE = "medley-marked-letters.uti";
/** Limit of compiled tables in the engine's memory. At the limit, all are dropped. */
const TABLES_KEPT_MAX = 8;
const BYTES_EACH = 4;

type Direction = "forward" | "back";

export class BundledEngine implements Engine {
  #module: BundledModule | undefined;
  #files = new Set<string>();
  #tables = new Map<string, number>();
  readonly #unknown = new Map<string, UnknownCharacters>();

  async translate(tableFile: string, texts: readonly string[]): Promise<readonly Line[]> {
    return texts.map((text) => this.#cellsOf(tableFile, text));
  }
  async translateBack(tableFile: string, lines: readonly Line[]): Promise<readonly string[]> {
    return lines.map((cells) => textOf(this.#run(tableFile, "back", markedCellsOf(cells))));
  }
  async findUnknown(tableFile: string, characters: readonly string[]): Promise<ReadonlySet<string>> {
    const unknown =
      this.#unknown.get(tableFile) ??
      new UnknownCharacters((character) => this.#cellsOf(tableFile, character), tableTextOf(tableFile));
    this.#unknown.set(tableFile, unknown);
    return new Set(characters.filter((character) => unknown.has(character)));
  }

  #cellsOf(tableFile: string, text: string): Line {
    const given = UNIFIED_ENGLISH.test(tableFile) ? withPunctuationOfLetters(text) : text;
    return cellsOf(this.#run(tableFile, "forward", codePointsOf(given)));
  }
  #run(tableFile: string, direction: Direction, input: Uint32Array): Uint32Array {
    if (input.length === 0) return input;
    try {
      const module = this.#module ?? this.#start();
      this.#module = module;
      const table = this.#tableAddress(module, tableFile);
      return withEnoughRoom(input.length, (room) => call(module, table, direction, input, room));
    } catch (error) {
      this.#module = undefined;
      if (error instanceof EngineError) throw error;
      // The engine throws a string, or a RangeError of its stack. Its memory is undefined afterwards.
      throw new EngineError(error instanceof Error ? error.message : String(error).slice(0, 200));
    }
  }

  #start(): BundledModule {
    const module = loadBundledModule();
    this.#files = new Set();
    this.#tables = new Map();
    module.FS.mkdir("/liblouis");
    module.FS.mkdir(TABLES_FOLDER);
    module._lou_setLogLevel(LOG_NOTHING);
    const root = textAddress(module, "/");
    module._lou_setDataPath(root);
    return module;
  }

  /** Address of the table's name, after the table is available. */
  #tableAddress(module: BundledModule, tableFile: string): number {
    const known = this.#tables.get(tableFile);
    if (known !== undefined) return known;
    if (this.#tables.size >= TABLES_KEPT_MAX) this.#dropTables(module);
    for (const name of filesOf(tableFile)) this.#addFile(module, name);
    const names = UNIFIED_ENGLISH.test(tableFile)
      ? `${tableFile},${this.#addMarkedLetters(module)}`
      : tableFile;
    const address = textAddress(module, names);
    if (module._lou_getTable(address) === 0) throw new EngineError(`the table ${tableFile} is broken`);
    this.#tables.set(tableFile, address);
    return address;
  }
  #dropTables(module: BundledModule): void {
    for (const address of this.#tables.values()) module._free(address);
    this.#tables.clear();
    module._lou_free();
  }
  #addFile(module: BundledModule, name: string): void {
    if (this.#files.has(name)) return;
    this.#files.add(name);
    const bytes = readTableFile(name);
    const isRevised = name === LETTERS_FILE;
    writeTable(
      module,
      name,
      isRevised ? Buffer.from(withRevisedSigns(bytes.toString("latin1")), "latin1") : bytes,
    );
  }
  #addMarkedLetters(module: BundledModule): string {
    if (!this.#files.has(MARKED_LETTERS_FILE)) {
      this.#files.add(MARKED_LETTERS_FILE);
      const rules = markedLetterRules(readTableFile(LETTERS_FILE).toString("latin1"));
      writeTable(module, MARKED_LETTERS_FILE, Buffer.from(rules));
    }
    return MARKED_LETTERS_FILE;
  }
}

/** The table's file and all included files. */
function filesOf(tableFile: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(tableFile)) return found;
  found.add(tableFile);
  for (const [, included = ""] of readTableFile(tableFile).toString("latin1").matchAll(INCLUDE))
    filesOf(included, found);
  return found;
}
const tableTextOf = (tableFile: string): string =>
  [...filesOf(tableFile)].map((name) => readTableFile(name).toString("utf8")).join("\n");

const writeTable = (module: BundledModule, name: string, bytes: Uint8Array): void =>
  module.FS.writeFile(`${TABLES_FOLDER}/${name}`, bytes, { encoding: "binary" });

const textAddress = (module: BundledModule, text: string): number =>
  module.allocate(module.intArrayFromString(text), "i8", module.ALLOC_NORMAL);

/** Undefined if the output buffer is too small. */
function call(
  module: BundledModule,
  table: number,
  direction: Direction,
  input: Uint32Array,
  outputRoom: number,
): Uint32Array | undefined {
  const lengths = module._malloc(2 * BYTES_EACH);
  const inputAddress = module._malloc(input.length * BYTES_EACH);
  const outputAddress = module._malloc(outputRoom * BYTES_EACH);
  const [inputLength, outputLength] = [lengths / BYTES_EACH, lengths / BYTES_EACH + 1];
  module.HEAPU32.set(input, inputAddress / BYTES_EACH);
  module.HEAP32[inputLength] = input.length;
  module.HEAP32[outputLength] = outputRoom;
  const translate = direction === "forward" ? module._lou_translateString : module._lou_backTranslateString;
  const mode = direction === "forward" ? DOTS_IN_AND_OUT | UNICODE_BRAILLE : DOTS_IN_AND_OUT;
  const succeeded = translate(table, inputAddress, lengths, outputAddress, lengths + BYTES_EACH, 0, 0, mode);
  if (succeeded === 0) throw new EngineError("the engine refused the input");
  const used = module.HEAP32[outputLength] as number;
  const read = module.HEAP32[inputLength] as number;
  // In back-translation, the engine miscounts its input, so the check applies only to forward translation.
  // There, a rule for the end of a text (such as Danish percent) makes it count one too many.
  const isWhole = direction === "back" ? used < outputRoom : read >= input.length;
  const output = module.HEAPU32.slice(outputAddress / BYTES_EACH, outputAddress / BYTES_EACH + used);
  for (const address of [lengths, inputAddress, outputAddress]) module._free(address);
  return isWhole ? output : undefined;
}
