/** System libraries as programs find them: headers, export tables, and for each function a few bytes that look like one. */
import { type Memory, READ, READ_WRITE } from "../emulator/memory.ts";
import { LIBRARY_BYTES, SYSTEM_START } from "./layout.ts";

/** mov edi,edi; push ebp; mov ebp,esp; pop ebp; jmp to the next: programs look for break points there, or take these bytes away. */
const ENTRY = [0x8b, 0xff, 0x55, 0x8b, 0xec, 0x5d, 0xeb, 0x00];
const ENTRY_BYTES = 16;
const HEADER_OFFSET = 0x80;
const CODE_ADDRESS = 0x1000;
const EXPORTS_ADDRESS = 0x8_0000;
const RETURN = 0xc3;
const DATA_ADDRESS = 0xf_0000;
const DATA_BYTES = 0x400;
/** What the C runtime exports that is no function: programs read and write there. */
const DATA = new Set(
  "__initenv _acmdln _wcmdln _fmode _commode _iob _environ __argc __argv __mb_cur_max _adjust_fdiv _pctype".split(
    " ",
  ),
);
const EXECUTE = 4;
const BEYOND = 2;
const UNKNOWN_NAME = "not_known_by_its_hash";

export type Export = { readonly library: Library; readonly name: string; readonly address: number };

export class Library {
  readonly name: string;
  readonly base: number;
  readonly #memory: Memory;
  readonly #byName = new Map<string, Export>();
  readonly #noteHook: (hook: number, exported: Export) => void;
  #next: number;
  #nextData: number;

  constructor(
    memory: Memory,
    name: string,
    base: number,
    names: readonly string[],
    noteHook: (hook: number, exported: Export) => void,
  ) {
    this.name = name;
    this.base = base;
    this.#memory = memory;
    this.#noteHook = noteHook;
    this.#next = base + CODE_ADDRESS;
    this.#nextData = base + DATA_ADDRESS;
    memory.map(base, CODE_ADDRESS, READ);
    memory.map(base + CODE_ADDRESS, EXPORTS_ADDRESS - CODE_ADDRESS, READ | EXECUTE);
    memory.map(base + EXPORTS_ADDRESS, LIBRARY_BYTES - EXPORTS_ADDRESS, READ_WRITE);
    for (const one of names) this.export(one);
    this.#writeHeaders(names);
  }
  /** Made when it is first asked for; undefined where there are too many already. */
  export(name: string): Export | undefined {
    const known = this.#byName.get(name);
    if (known) return known;
    if (DATA.has(name)) return this.#exportData(name);
    if (this.#next + ENTRY_BYTES > this.base + EXPORTS_ADDRESS) return undefined;
    const exported = { library: this, name, address: this.#next };
    this.#memory.load(this.#next, Uint8Array.of(...ENTRY, RETURN));
    this.#noteHook(this.#next + ENTRY.length, exported);
    this.#byName.set(name, exported);
    this.#next += ENTRY_BYTES;
    return exported;
  }

  #exportData(name: string): Export {
    const exported = { library: this, name, address: this.#nextData };
    this.#nextData += DATA_BYTES;
    this.#byName.set(name, exported);
    this.#noteHook(exported.address, exported);
    return exported;
  }

  #writeHeaders(names: readonly string[]): void {
    const header = new DataView(new ArrayBuffer(0x400));
    const word = (at: number, value: number) => header.setUint16(at, value, true);
    const long = (at: number, value: number) => header.setUint32(at, value, true);
    word(0, 0x5a4d);
    long(0x3c, HEADER_OFFSET);
    long(HEADER_OFFSET, 0x4550);
    word(HEADER_OFFSET + 4, 0x14c);
    word(HEADER_OFFSET + 6, 1);
    word(HEADER_OFFSET + 20, 0xe0);
    word(HEADER_OFFSET + 22, 0x210e);
    const optional = HEADER_OFFSET + 24;
    word(optional, 0x10b);
    long(optional + 4, EXPORTS_ADDRESS - CODE_ADDRESS);
    long(optional + 20, CODE_ADDRESS);
    long(optional + 28, this.base);
    long(optional + 32, 0x1000);
    long(optional + 36, 0x200);
    long(optional + 56, LIBRARY_BYTES);
    long(optional + 60, 0x400);
    word(optional + 68, 2);
    long(optional + 92, 16);
    long(optional + 96, EXPORTS_ADDRESS);
    const table = this.#exportTable(names);
    long(optional + 100, table.length);
    const section = optional + 0xe0;
    header.setUint32(section, 0x7865_742e, true);
    word(section + 4, 0x74);
    long(section + 8, LIBRARY_BYTES - CODE_ADDRESS);
    long(section + 12, CODE_ADDRESS);
    long(section + 36, 0x6000_0020);
    this.#memory.load(this.base, new Uint8Array(header.buffer));
    this.#memory.load(this.base + EXPORTS_ADDRESS, table);
  }
  /**
   * Names are in order, as programs search them by halves. Programs that search by hashes for what is not known here run past the
   * last name and take what comes: one more name, so that they go on.
   */
  #exportTable(names: readonly string[]): Uint8Array {
    const sorted = [...names].sort((a, b) => (a < b ? -1 : 1));
    const count = sorted.length;
    const functions = 40;
    const pointers = functions + count * 4;
    const ordinals = pointers + (count + BEYOND) * 4;
    const texts = ordinals + (count + BEYOND) * 2;
    const encoded = [this.name, ...sorted, UNKNOWN_NAME].map((text) => Buffer.from(`${text}\0`, "latin1"));
    const table = Buffer.alloc(texts + encoded.reduce((sum, { length }) => sum + length, 0));
    const at = (offset: number) => EXPORTS_ADDRESS + offset;
    const places: number[] = [];
    for (const [index, bytes] of encoded.entries()) {
      places.push(
        at(index === 0 ? texts : (places.at(-1) ?? 0) - EXPORTS_ADDRESS + (encoded[index - 1]?.length ?? 0)),
      );
      table.set(bytes, (places.at(-1) ?? 0) - EXPORTS_ADDRESS);
    }
    for (let index = 0; index < count + BEYOND; index += 1)
      table.writeUInt32LE(places[Math.min(index, count) + 1] ?? 0, pointers + index * 4);
    for (const [index, name] of sorted.entries()) {
      table.writeUInt32LE((this.export(name)?.address ?? this.base) - this.base, functions + index * 4);
      table.writeUInt16LE(index, ordinals + index * 2);
    }
    const fields = [at(texts), 1, count, count, at(functions), at(pointers), at(ordinals)];
    for (const [index, value] of fields.entries()) table.writeUInt32LE(value, 12 + index * 4);
    return table;
  }
}

const FIRST = ["ntdll.dll", "kernel32.dll", "user32.dll"];
const LIBRARIES_MAX = 48;

/** Every library there is or might be: one that a program asks for is made. */
export class Libraries {
  readonly #memory: Memory;
  readonly #all = new Map<string, Library>();
  readonly #hooks = new Map<number, Export>();
  readonly #byAddress = new Map<number, Export>();
  readonly #namesOf: (library: string) => readonly string[];

  /** `namesOf`: the functions that a library is known to have. */
  constructor(memory: Memory, namesOf: (library: string) => readonly string[]) {
    this.#memory = memory;
    this.#namesOf = namesOf;
    for (const name of FIRST) this.get(name);
  }
  get all(): Iterable<Library> {
    return this.#all.values();
  }
  find(name: string): Library | undefined {
    return this.#all.get(libraryName(name));
  }
  /** Undefined where there are too many already. */
  get(name: string): Library | undefined {
    const plain = libraryName(name);
    const known = this.#all.get(plain);
    if (known || this.#all.size >= LIBRARIES_MAX) return known;
    const base = SYSTEM_START + this.#all.size * LIBRARY_BYTES;
    const library = new Library(this.#memory, plain, base, this.#namesOf(plain), (hook, exported) => {
      this.#hooks.set(hook, exported);
      this.#byAddress.set(exported.address, exported);
    });
    this.#all.set(plain, library);
    return library;
  }
  at(base: number): Library | undefined {
    const index = ((base >>> 0) - SYSTEM_START) / LIBRARY_BYTES;
    return [...this.#all.values()][index];
  }
  /** What is called by going there. */
  findHook(address: number): Export | undefined {
    return this.#hooks.get(address);
  }
  findExport(address: number): Export | undefined {
    return this.#byAddress.get(address >>> 0);
  }
}

/** In small letters, without a folder, with its ending. */
export function libraryName(path: string): string {
  const name = path.toLowerCase().split(/[\\/]/).at(-1)?.trim() ?? "";
  return name.includes(".") ? name : `${name}.dll`;
}
