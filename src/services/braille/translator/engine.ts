/** The braille engine: text to cells and back by the rules of a table. One call at a time, in one thread. */
import { type EngineModule, loadEngineModule, readTableFile } from "./engine-module.ts";

/** The engine gave up on this input. It has been thrown away; the next call gets a fresh one. */
export class EngineError extends Error {}

/** Of liblouis: dots instead of characters, and those as Unicode braille (forward) or with a mark of their own (back). */
const DOTS_IN_AND_OUT = 4;
const UNICODE_BRAILLE = 128;
const DOTS_MARK = 0x8000;
const LOG_NOTHING = 60_000;

const TABLES_FOLDER = "/liblouis/tables";
const INCLUDE = /^[ \t]*include[ \t]+(\S+)/gm;
/** Compiled tables stay in the engine's memory; after so many they are dropped. */
const TABLES_KEPT_MAX = 8;

/** How much longer than the input the output may be: mostly it is shorter, but there are rules that spell things out. */
const OUTPUT_GROWTH = 3;
const OUTPUT_GROWTH_MAX = 48;
const OUTPUT_EXTRA = 256;
const BYTES_EACH = 4;

type Direction = "forward" | "back";

export class Engine {
  #module: EngineModule | undefined;
  #files = new Set<string>();
  #tables = new Map<string, number>();

  /** The cells of a text. */
  translate(tableFile: string, text: string): Uint8Array {
    const characters = Uint32Array.from(text, (character) => character.codePointAt(0) as number);
    // The low byte of a braille character is its cell.
    return Uint8Array.from(this.#run(tableFile, "forward", characters));
  }

  /** The text of a row of cells. */
  translateBack(tableFile: string, cells: Uint8Array): string {
    const marked = Uint32Array.from(cells, (cell) => DOTS_MARK | cell);
    const characters = this.#run(tableFile, "back", marked);
    let text = "";
    for (const character of characters) text += String.fromCodePoint(character);
    return text;
  }

  #run(tableFile: string, direction: Direction, input: Uint32Array): Uint32Array {
    if (input.length === 0) return input;
    try {
      this.#module ??= this.#start();
      const table = this.#tableAddress(this.#module, tableFile);
      for (let growth = OUTPUT_GROWTH; growth <= OUTPUT_GROWTH_MAX; growth *= 4) {
        const output = call(this.#module, table, direction, input, growth * input.length + OUTPUT_EXTRA);
        if (output) return output;
      }
      throw new EngineError("the output is too long");
    } catch (error) {
      this.#module = undefined;
      if (error instanceof EngineError) throw error;
      // What the engine throws is a text or a RangeError of its stack; either leaves its memory in disorder.
      throw new EngineError(error instanceof Error ? error.message : String(error).slice(0, 200));
    }
  }

  #start(): EngineModule {
    const module = loadEngineModule();
    this.#files = new Set();
    this.#tables = new Map();
    module.FS.mkdir("/liblouis");
    module.FS.mkdir(TABLES_FOLDER);
    module._lou_setLogLevel(LOG_NOTHING);
    const root = textAddress(module, "/");
    module._lou_setDataPath(root);
    return module;
  }

  /** The address of the table's name, once the table is there. */
  #tableAddress(module: EngineModule, tableFile: string): number {
    const known = this.#tables.get(tableFile);
    if (known !== undefined) return known;
    if (this.#tables.size >= TABLES_KEPT_MAX) this.#dropTables(module);
    this.#addFile(module, tableFile);
    const address = textAddress(module, tableFile);
    if (module._lou_getTable(address) === 0) throw new EngineError(`the table ${tableFile} is broken`);
    this.#tables.set(tableFile, address);
    return address;
  }
  #dropTables(module: EngineModule): void {
    for (const address of this.#tables.values()) module._free(address);
    this.#tables.clear();
    module._lou_free();
  }
  /** Puts the file where the engine finds it, with all files that it includes. */
  #addFile(module: EngineModule, name: string): void {
    if (this.#files.has(name)) return;
    this.#files.add(name);
    const bytes = readTableFile(name);
    module.FS.writeFile(`${TABLES_FOLDER}/${name}`, bytes, { encoding: "binary" });
    for (const [, included] of bytes.toString("latin1").matchAll(INCLUDE))
      if (included !== undefined) this.#addFile(module, included);
  }
}

const textAddress = (module: EngineModule, text: string): number =>
  module.allocate(module.intArrayFromString(text), "i8", module.ALLOC_NORMAL);

/** Undefined when the output had no room. */
function call(
  module: EngineModule,
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
  // Backwards the engine miscounts what it has read, so only the way forward is held to it.
  const isWhole = direction === "back" ? used < outputRoom : module.HEAP32[inputLength] === input.length;
  const output = module.HEAPU32.slice(outputAddress / BYTES_EACH, outputAddress / BYTES_EACH + used);
  for (const address of [lengths, inputAddress, outputAddress]) module._free(address);
  return isWhole ? output : undefined;
}
