/** Tricks of packers that do a loader's work: they find functions by hashes, read their own file, unpack before the program begins. */
import { BASE, Writer } from "../../src/services/unpack/seed/executable.ts";
import {
  CALLBACK,
  call,
  chain,
  decode,
  encoded,
  ending,
  goOn,
  jump,
  long,
  PACKED_ENTRY,
  packedProgram,
  SECOND,
  STUB,
  slotOf,
  TEXT,
} from "./packed-program.ts";

export type Packed = {
  readonly stub: readonly number[];
  /** What lies in the file where the program will be; encoded, if not said otherwise. */
  readonly text?: Uint8Array;
  readonly second?: readonly number[];
  readonly hasImports?: boolean;
  readonly entryPoint?: number;
  readonly directories?: ReadonlyMap<number, { readonly address: number; readonly bytes: number }>;
  readonly overlay?: Uint8Array;
};

const TLS_DIRECTORY = 9;

/** Each letter turns and adds, the zero at its end as well: as programs look functions up without naming them. */
const hashOf = (name: string): number =>
  [...Buffer.from(`${name}\0`, "latin1")].reduce(
    (hash, letter) => (((hash >>> 13) | (hash << 19)) + letter) >>> 0,
    0,
  );
/** Walks the loader's list to the second library and its names, for each pair of hash and place at esi until a zero. */
const FIND_BY_HASH = Buffer.from(
  "ad85c0745b89c564a1300000008b400c8b40148b008b008b58108b533c8b54137801da31c98b7a2001df8b3c8f01df5131c90fb60747" +
    "c1c90d01c185c075f339e959740341ebde8b422401d80fb70c488b421c01d88b048801d893ad8918eba0",
  "hex",
);
/** From esi to edi: runs of literals (their count), copies of what is there (0x80 and its length, then how far back), 0 at the end. */
const COPY_BACK = Buffer.from("ac0fb6c884c078067415f3a4ebf283e17fac0fb6c05689fe29c6f3a45eebe1", "hex");
const LENGTH_MIN = 3;
const RUN_MAX = 0x7f;

/** The longest that begins like what comes, at most 255 bytes before. */
function copyOf(bytes: Uint8Array, at: number): { length: number; back: number } {
  let best = { length: 0, back: 0 };
  for (let back = 1; back <= Math.min(at, 255); back += 1) {
    let length = 0;
    while (length < RUN_MAX && at + length < bytes.length && bytes[at + length] === bytes[at + length - back])
      length += 1;
    if (length > best.length) best = { length, back };
  }
  return best;
}
function compressed(bytes: Uint8Array): number[] {
  const out: number[] = [];
  let run: number[] = [];
  const endRun = () => {
    if (run.length > 0) out.push(run.length, ...run);
    run = [];
  };
  for (let at = 0; at < bytes.length; ) {
    const { length, back } = copyOf(bytes, at);
    if (length >= LENGTH_MIN) {
      endRun();
      out.push(0x80 | length, back);
      at += length;
    } else {
      run.push(bytes[at] as number);
      if (run.length === RUN_MAX) endRun();
      at += 1;
    }
  }
  endRun();
  return [...out, 0];
}

const push = (value: number): number[] => [0x68, ...long(value)];
/** Where stubs keep what they are told. */
const SCRATCH = BASE + STUB + 0x800;
const protectTo = (protection: number): number[] => [
  ...push(SCRATCH),
  ...push(protection),
  ...push(0x1000),
  ...push(BASE + TEXT),
  ...call("VirtualProtect"),
];
const UNCHAIN = [0x64, 0x8f, 0x05, 0, 0, 0, 0, 0x83, 0xc4, 0x04];
/** With ecx at the context: goes round for ever where an address for break points is set. */
const NO_BREAK_POINTS = [
  ...[0x8b, 0x4c, 0x24, 0x0c, 0x8b, 0x41, 0x04],
  ...[0x0b, 0x41, 0x08, 0x0b, 0x41, 0x0c, 0x0b, 0x41, 0x10],
  ...[0x75, 0xfe],
];

export const loaderTricks: Readonly<Record<string, (bytes: number) => Packed>> = {
  "functions found by hashes of their names": (bytes) => {
    const pairs = ["GetVersion", "ExitProcess"].flatMap((name) => [
      ...long(hashOf(name)),
      ...long(BASE + slotOf(name)),
    ]);
    const find = [0xbe, ...long(BASE + SECOND), ...FIND_BY_HASH];
    return {
      stub: ending([0x60, ...decode(TEXT, bytes), ...find, 0x61]),
      second: [...pairs, ...long(0)],
      hasImports: false,
    };
  },
  "copies of what is already there": () => ({
    stub: ending([0xbe, ...long(BASE + SECOND), 0xbf, ...long(BASE + TEXT), ...COPY_BACK]),
    second: compressed(packedProgram()),
    text: new Uint8Array(),
  }),
  "a callback of threads that unpacks before the start": (bytes) => {
    const table = new Writer(SECOND);
    const list = SECOND + 28;
    for (const value of [0, 0, BASE + SECOND + 24, BASE + list, 0, 0, 0, BASE + STUB, 0]) table.long(value);
    return {
      stub: [0x60, ...decode(TEXT, bytes), 0x61, 0xc2, 0x0c, 0x00],
      second: [...table.bytes],
      entryPoint: PACKED_ENTRY,
      directories: new Map([[TLS_DIRECTORY, { address: SECOND, bytes: 24 }]]),
    };
  },
  "calls of the program's callbacks before it begins": (bytes) => {
    const before = [...decode(TEXT, bytes), 0x6a, 0, 0x6a, 1, ...push(BASE)];
    const here = STUB + before.length;
    return { stub: ending([...before, 0xe8, ...long(CALLBACK - (here + 5))]) };
  },
  "a page that it may not write to until its handler allows it": (bytes) => {
    const stub = (handler: number) => [
      ...protectTo(2),
      ...chain(handler),
      ...decode(TEXT, bytes),
      ...UNCHAIN,
    ];
    const end = STUB + stub(0).length;
    return {
      stub: [...stub(end + 5), ...jump(end, PACKED_ENTRY), ...protectTo(0x40), 0x31, 0xc0, 0xc3],
    };
  },
  "a look for break points in the context of an exception": (bytes) => {
    const before = [...decode(TEXT, bytes), ...chain(0), 0xcc];
    const handler = STUB + before.length;
    return { stub: [...decode(TEXT, bytes), ...chain(handler), 0xcc, ...NO_BREAK_POINTS, ...goOn] };
  },
  "what lies at the end of its own file": (bytes) => {
    const open = [...push(0), ...push(0), ...push(3), ...push(0), ...push(1), ...push(0x8000_0000)];
    // From the end, where it lies.
    return {
      stub: ending([
        ...[...push(260), ...push(SCRATCH), ...push(0), ...call("GetModuleFileNameA")],
        ...[...open, ...push(SCRATCH), ...call("CreateFileA"), 0x89, 0xc3],
        ...[...push(2), ...push(0), ...push(-bytes), 0x53, ...call("SetFilePointer")],
        ...[...push(0), ...push(SCRATCH), ...push(bytes), ...push(BASE + TEXT), 0x53, ...call("ReadFile")],
        ...decode(TEXT, bytes),
      ]),
      text: new Uint8Array(),
      overlay: encoded(packedProgram()),
    };
  },
};
