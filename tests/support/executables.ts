/** Executables of our own making: packed, plain, broken, and odd in other ways. None of them is ever run. */
import { BASE, Writer, writeExecutable, writeImports } from "../../src/services/unpack/seed/executable.ts";
import { makePackedExecutable } from "../../src/services/unpack/seed/packed-sample.ts";

export { makePackedExecutable, SAMPLE_ENTRY_POINT } from "../../src/services/unpack/seed/packed-sample.ts";

const TEXT = 0x1000;
const SIGNATURE_AT = 0x3c;

/** Says something on the console and ends: nothing of it is packed. */
export function makePlainExecutable(saying = "Beans are up by the south wall."): Buffer {
  const data = new Writer(TEXT + 0x200);
  const { table, slots } = writeImports(data, "KERNEL32.dll", ["GetStdHandle", "WriteFile", "ExitProcess"]);
  const sayingAt = data.text(saying);
  const code = new Writer(TEXT);
  const push = (value: number) => {
    code.put(0x68);
    code.long(value);
  };
  const call = (name: string) => {
    code.put(0xff, 0x15);
    code.long(BASE + (slots.get(name) as number));
  };
  push(0xffff_fff5);
  call("GetStdHandle");
  for (const value of [0, 0, saying.length, BASE + sayingAt]) push(value);
  code.put(0x50);
  call("WriteFile");
  push(0);
  call("ExitProcess");
  const bytes = new Uint8Array(data.here - TEXT);
  bytes.set(code.bytes);
  bytes.set(data.bytes, 0x200);
  return writeExecutable({
    sections: [{ name: ".text", address: TEXT, bytes }],
    entryPoint: TEXT,
    imports: table,
  });
}

/** Its stub reads what is not there before it has unpacked anything. */
export const makeFailingExecutable = (): Buffer => makePackedExecutable({ prologue: [0xa1, 0, 0, 0, 0] });

/** As if it were made for another processor. */
export function makeForeignExecutable(): Buffer {
  const content = makePlainExecutable();
  content.writeUInt16LE(0xaa64, content.readUInt32LE(SIGNATURE_AT) + 4);
  return content;
}
/** As if it were made for 64 bits. */
export function makeWideExecutable(): Buffer {
  const content = makePlainExecutable();
  const header = content.readUInt32LE(SIGNATURE_AT);
  content.writeUInt16LE(0x8664, header + 4);
  content.writeUInt16LE(0x20b, header + 24);
  return content;
}
