/** A packer of our own that leaves its place: it loads a whole executable into memory that it has allocated, as loaders do. */
import { BASE, Writer, writeExecutable } from "../../src/services/unpack/seed/executable.ts";
import { call, DATA, encoded, importsAt, KEY, long, SECOND, STUB } from "./packed-program.ts";

const PAGE = 0x1000;
const CODE = PAGE;
/** What the program asks for: more than any unpacker does. */
const FUNCTIONS = [
  "GetVersion",
  "GetCommandLineA",
  "GetACP",
  "GetOEMCP",
  "GetCurrentProcessId",
  "GetCurrentThreadId",
];
const ENTRY = CODE + 0x100;
const SLOTS = CODE + 0x800;

/** Asks for all of them, one after another; its addresses count from zero. */
function programImage() {
  const texts = new Writer(CODE);
  const names = FUNCTIONS.map((name) => texts.text(name));
  const slots = FUNCTIONS.map((_, index) => SLOTS + index * 4);
  const code = new Writer(ENTRY);
  const words = slots.map((slot) => {
    code.put(0xff, 0x15);
    const word = code.here;
    code.long(slot);
    return word;
  });
  code.put(0xeb, 0xfe);
  const bytes = Buffer.alloc(PAGE);
  bytes.set(texts.bytes);
  bytes.set(code.bytes, ENTRY - CODE);
  return { bytes, names, slots, words };
}
const push = (value: number): number[] => [0x68, ...long(value)];

export function makePackedElsewhere() {
  const program = programImage();
  const whole = writeExecutable({
    sections: [{ name: ".text", address: CODE, bytes: program.bytes, isWritable: true }],
    entryPoint: ENTRY,
  });
  const image = Buffer.alloc(CODE + program.bytes.length);
  image.set(whole.subarray(0, 0x200));
  image.set(program.bytes, CODE);
  const libraryAt = BASE + SECOND + image.length;
  const stub = [
    ...[...push(0x40), ...push(0x3000), ...push(image.length), ...push(0), ...call("VirtualAlloc")],
    // mov ebx, eax; mov edi, eax; then from the section to there, byte by byte.
    ...[0x89, 0xc3, 0x89, 0xc7, 0xbe, ...long(BASE + SECOND), 0xb9, ...long(image.length)],
    ...[0xac, 0x34, KEY, 0xaa, 0xe2, 0xfa],
    ...program.words.flatMap((word) => [0x01, 0x9b, ...long(word)]),
    ...[...push(libraryAt), ...call("GetModuleHandleA"), 0x89, 0xc5],
    ...program.names.flatMap((name, index) => [
      ...[0x8d, 0x83, ...long(name), 0x50, 0x55, ...call("GetProcAddress")],
      ...[0x89, 0x83, ...long(program.slots[index] ?? 0)],
    ]),
    ...[0x8d, 0x83, ...long(ENTRY), 0xff, 0xe0],
  ];
  const data = new Writer(DATA);
  const { table } = importsAt(data);
  const second = Buffer.concat([encoded(image), Buffer.from("kernel32.dll\0", "latin1")]);
  const content = writeExecutable({
    sections: [
      { name: ".text", address: PAGE, bytes: Uint8Array.of(0xc3) },
      { name: ".stub", address: STUB, bytes: Uint8Array.from(stub), isWritable: true },
      { name: ".data", address: DATA, bytes: data.bytes, isWritable: true },
      { name: ".second", address: SECOND, bytes: second, isWritable: true },
    ],
    entryPoint: STUB,
    imports: table,
  });
  return { content, functions: FUNCTIONS, entryPoint: ENTRY };
}
