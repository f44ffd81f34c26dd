/** System libraries in memory: headers, export tables, and a short stub for each function. */
import { type Memory, READ, READ_WRITE } from "../emulator/memory.ts";
import type { PeFile } from "../pe/file.ts";
import { LIBRARY_BYTES, SYSTEM_START } from "./layout.ts";
import {
  CODE_ADDRESS,
  DATA_ADDRESS,
  Entries,
  EXPORTS_ADDRESS,
  entryBytes,
  HOOK_OFFSET,
  imageOf,
  type LibraryImage,
} from "./library-image.ts";

const EXECUTE = 4;

/** The kind of process that loads the library. */
type Made = Pick<PeFile, "isWide" | "window">;
export type Export = { readonly library: Library; readonly name: string; readonly address: number };

export class Library {
  readonly name: string;
  readonly base: number;
  readonly #memory: Memory;
  readonly #isWide: boolean;
  readonly #known: Entries;
  /** Exports added when the program looked them up. */
  readonly #asked: Entries;

  constructor(memory: Memory, name: string, base: number, image: LibraryImage, file: Made) {
    this.name = name;
    this.base = base;
    this.#memory = memory;
    this.#isWide = file.isWide;
    this.#known = image.entries;
    this.#asked = new Entries(image.entries);
    memory.map(base, CODE_ADDRESS, READ);
    memory.map(base + CODE_ADDRESS, EXPORTS_ADDRESS - CODE_ADDRESS, READ | EXECUTE);
    memory.map(base + EXPORTS_ADDRESS, LIBRARY_BYTES - EXPORTS_ADDRESS, READ_WRITE);
    memory.load(base, image.headersAt(base, file));
    memory.load(base + CODE_ADDRESS, image.code);
    memory.load(base + EXPORTS_ADDRESS, image.table);
  }
  /** Adds unknown exports on demand. Undefined if the library is full. */
  export(name: string): Export | undefined {
    const address = this.#known.addressOf(name) ?? this.#asked.addressOf(name) ?? this.#add(name);
    return address === undefined ? undefined : { library: this, name, address: this.base + address };
  }
  #add(name: string): number | undefined {
    const address = this.#asked.add(name);
    if (address !== undefined && address < DATA_ADDRESS)
      this.#memory.load(this.base + address, entryBytes(this.#isWide));
    return address;
  }
  findExport(address: number): Export | undefined {
    const place = address - this.base;
    const name = this.#known.nameAt(place) ?? this.#asked.nameAt(place);
    return name === undefined ? undefined : { library: this, name, address };
  }
}

const FIRST = ["ntdll.dll", "kernel32.dll", "user32.dll"];
const LIBRARIES_MAX = 48;

/** All libraries. A library is created when the program loads it. */
export class Libraries {
  readonly #memory: Memory;
  readonly #all = new Map<string, Library>();
  /** Ordered by address. */
  readonly #inOrder: Library[] = [];
  readonly #namesOf: (library: string) => readonly string[];
  readonly #file: Made;

  /** `namesOf`: the known functions of a library. */
  constructor(memory: Memory, namesOf: (library: string) => readonly string[], file: Made) {
    this.#memory = memory;
    this.#file = file;
    this.#namesOf = namesOf;
    for (const name of FIRST) this.get(name);
  }
  get all(): Iterable<Library> {
    return this.#all.values();
  }
  find(name: string): Library | undefined {
    return this.#all.get(libraryName(name));
  }
  /** Undefined if the limit of libraries is reached. */
  get(name: string): Library | undefined {
    const plain = libraryName(name);
    const known = this.#all.get(plain);
    if (known || this.#all.size >= LIBRARIES_MAX) return known;
    const base = SYSTEM_START + this.#all.size * LIBRARY_BYTES;
    const library = new Library(
      this.#memory,
      plain,
      base,
      imageOf(plain, this.#namesOf, this.#file.isWide),
      this.#file,
    );
    this.#all.set(plain, library);
    this.#inOrder.push(library);
    return library;
  }
  at(base: number): Library | undefined {
    return this.#inOrder[((base >>> 0) - SYSTEM_START) / LIBRARY_BYTES];
  }
  /** The export that is called at this address. */
  findHook(address: number): Export | undefined {
    const isData = ((address >>> 0) - SYSTEM_START) % LIBRARY_BYTES >= DATA_ADDRESS;
    return this.findExport(isData ? address : address - HOOK_OFFSET);
  }
  findExport(address: number): Export | undefined {
    const place = (address >>> 0) - SYSTEM_START;
    if (place < 0) return undefined;
    return this.#inOrder[Math.floor(place / LIBRARY_BYTES)]?.findExport(address >>> 0);
  }
}

/** Normalized: lower case, no folder, with an extension. */
export function libraryName(path: string): string {
  const name = path.toLowerCase().split(/[\\/]/).at(-1)?.trim() ?? "";
  return name.includes(".") ? name : `${name}.dll`;
}
