/** A small program that shows a message, plain and packed by a small test packer. */
import { BASE, Writer, writeExecutable, writeImports } from "./executable.ts";

const TEXT = 0x1000;
const LIBRARIES = { user32: "user32.dll", kernel32: "kernel32.dll" } as const;
const TITLE = "Greenhouse keeper";
const MESSAGE = "The tomatoes want water before the sun is high.";
const SAYINGS = [
  "Usage: keeper [--bed NAME] [--litres COUNT]",
  "https://greenhouse.example/readings/upload",
  "Software\\Example\\Greenhouse\\LastReading",
  "C:\\keeper\\build\\release\\keeper.pdb",
];
const WIDE_SAYING = "Watering schedule of the north bed";

type Program = {
  readonly bytes: Uint8Array;
  /** Relative to the image base. */
  readonly entryPoint: number;
  readonly slots: readonly { readonly library: string; readonly nameAt: number; readonly slot: number }[];
  readonly libraryNames: ReadonlyMap<string, number>;
};

/** Code that shows a message, loops for a while, and exits. Strings and the import slots follow the code. */
function writeProgram(message: string): Program {
  const data = new Writer(TEXT + 0x200);
  const titleAt = data.text(TITLE);
  const messageAt = data.text(message);
  for (const saying of SAYINGS) data.text(saying);
  data.text(WIDE_SAYING, { isWide: true });
  const libraryNames = new Map(Object.values(LIBRARIES).map((name) => [name as string, data.text(name)]));
  const names = [
    [LIBRARIES.user32, "MessageBoxA"],
    [LIBRARIES.kernel32, "GetCommandLineA"],
    [LIBRARIES.kernel32, "ExitProcess"],
  ] as const;
  const placed = names.map(([library, name]) => ({ library, nameAt: data.text(name) }));
  while (data.here % 4 !== 0) data.put(0);
  const first = data.here;
  // User32 has one function. Each library's table ends with a zero.
  const slots = placed.map((one, index) => ({ ...one, slot: first + (index === 0 ? 0 : index + 1) * 4 }));
  for (let i = 0; i < 5; i += 1) data.long(0);
  const code = new Writer(TEXT);
  const call = (index: number) => {
    code.put(0xff, 0x15);
    code.long(BASE + (slots[index]?.slot ?? 0));
  };
  code.put(0x55, 0x8b, 0xec, 0xb9);
  code.long(5000);
  code.put(0xe2, 0xfe);
  call(1);
  code.put(0x6a, 0, 0x68);
  code.long(BASE + titleAt);
  code.put(0x68);
  code.long(BASE + messageAt);
  code.put(0x6a, 0);
  call(0);
  code.put(0x6a, 0);
  call(2);
  const bytes = new Uint8Array(data.here - TEXT);
  bytes.set(code.bytes);
  bytes.set(data.bytes, 0x200);
  return { bytes, entryPoint: TEXT, slots, libraryNames };
}

export type SampleOptions = {
  readonly message?: string;
  /** Key of the cipher. */
  readonly key?: number;
  /** Machine code that the stub executes before it unpacks. */
  readonly prologue?: readonly number[];
};

/** The packer's cipher: each byte depends on the number of bytes left. */
const packed = (bytes: Uint8Array, key: number): Uint8Array =>
  bytes.map((byte, index) => ((byte - (bytes.length - index)) & 0xff) ^ key);

/** Entry point of the unpacked program, relative to the image base. */
export const SAMPLE_ENTRY_POINT = TEXT;

/**
 * The first section is empty in the file. The second holds the packed bytes and the stub, which unpacks them
 * and resolves imports.
 */
export function makePackedExecutable({
  message = MESSAGE,
  key = 0x5a,
  prologue = [],
}: SampleOptions = {}): Buffer {
  const program = writeProgram(message);
  const second = TEXT + 0x2000;
  const writer = new Writer(second);
  const { table, slots } = writeImports(writer, "KERNEL32.DLL", ["LoadLibraryA", "GetProcAddress"]);
  const payloadAt = writer.here;
  writer.put(...packed(program.bytes, key));
  const entryPoint = writer.here;
  const call = (name: string) => {
    writer.put(0xff, 0x15);
    writer.long(BASE + (slots.get(name) ?? 0));
  };
  writer.put(...prologue, 0x60);
  for (const [code, value] of [
    [0xbe, BASE + payloadAt],
    [0xbf, BASE + TEXT],
    [0xb9, program.bytes.length],
  ] as const) {
    writer.put(code);
    writer.long(value);
  }
  writer.put(0xac, 0x34, key, 0x00, 0xc8, 0xaa, 0xe2, 0xf8);
  for (const { library, nameAt, slot } of program.slots) {
    writer.put(0x68);
    writer.long(BASE + nameAt);
    writer.put(0x68);
    writer.long(BASE + (program.libraryNames.get(library) ?? 0));
    call("LoadLibraryA");
    writer.put(0x50);
    call("GetProcAddress");
    writer.put(0xa3);
    writer.long(BASE + slot);
  }
  writer.put(0x61, 0xe9);
  writer.long(program.entryPoint - (writer.here + 4));
  return writeExecutable({
    sections: [
      { name: "GREEN0", address: TEXT, bytes: new Uint8Array(), size: 0x2000, isWritable: true },
      { name: "GREEN1", address: second, bytes: writer.bytes, isWritable: true },
    ],
    entryPoint,
    imports: table,
  });
}
