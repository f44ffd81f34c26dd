/**
 * Which rights the sections of an unpacked image need. Packers ask for all of them, and put code and data of the program into one section.
 * What the code itself says decides: where it calls, and what it reads and writes by address.
 */
import { viewOf } from "../pe/image.ts";

const PAGE = 0x1000;
const CALL = 0xe8;
/** What stands before a function: the end of another, or what fills the room between them. */
const BEFORE_FUNCTION: ReadonlySet<number> = new Set([0xcc, 0x90, 0xc3]);
const RETURN_WITH = 0xc2;
/** Instructions with one byte before the kind of operand: those that write to it, and those that only read. */
const WRITING: ReadonlySet<number> = new Set([0x01, 0x09, 0x21, 0x29, 0x31, 0x88, 0x89, 0xc6, 0xc7, 0xfe]);
const READING: ReadonlySet<number> = new Set([
  0x03, 0x0b, 0x23, 0x2b, 0x33, 0x39, 0x3b, 0x8a, 0x8b, 0xdd, 0xff,
]);
/** Numbers added to or compared with what lies there: the last of eight kinds compares. */
const WITH_NUMBER: ReadonlySet<number> = new Set([0x80, 0x81, 0x83]);
const COMPARES = 7;
const SHORT_CONSTANT: ReadonlySet<number> = new Set([0x80, 0x83, 0xc6, 0x6b]);
const LONG_CONSTANT: ReadonlySet<number> = new Set([0x81, 0xc7, 0x69, 0xf7]);
/** The address alone is the operand. */
const isAddressOperand = (kind: number): boolean => (kind & 0xc7) === 0x05;
/** Instructions of the accumulator, with the address right behind them. */
const ACCUMULATOR_WRITES: ReadonlySet<number> = new Set([0xa2, 0xa3]);
const ACCUMULATOR_READS: ReadonlySet<number> = new Set([0xa0, 0xa1]);

const ZEROS_BETWEEN = 16;

export type Evidence = {
  /** Pages with beginnings of functions. */
  readonly code: ReadonlySet<number>;
  /** Pages that code writes to, and pages that it reads or writes, by address. */
  readonly written: ReadonlySet<number>;
  readonly data: ReadonlySet<number>;
  /** Pages that zeros stand before, as they do where a section of the program begins. */
  readonly separate: ReadonlySet<number>;
};

function usageAt(image: Uint8Array, at: number, isWide: boolean): "read" | "written" | undefined {
  const [kind = 0, operation = 0] = [image[at - 1], image[at - 2]];
  if (!isWide && ACCUMULATOR_WRITES.has(kind)) return "written";
  if (!isWide && ACCUMULATOR_READS.has(kind)) return "read";
  if (!isAddressOperand(kind)) return undefined;
  if (WITH_NUMBER.has(operation)) return (kind >>> 3) % 8 === COMPARES ? "read" : "written";
  if (WRITING.has(operation)) return "written";
  return READING.has(operation) ? "read" : undefined;
}
const isFunctionStart = (image: Uint8Array, at: number): boolean =>
  BEFORE_FUNCTION.has(image[at - 1] as number) || image[at - 3] === RETURN_WITH;

/** Bytes of the number that an instruction has behind its place. */
function constantBytes(image: Uint8Array, at: number): number {
  const [kind = 0, operation = 0] = [image[at - 1], image[at - 2]];
  if (SHORT_CONSTANT.has(operation)) return 1;
  if (!LONG_CONSTANT.has(operation)) return 0;
  return operation === 0xf7 && (kind & 0x38) !== 0 ? 0 : 4;
}
/** Which place of the image the word at this one names: by its address, or in 64-bit code by the distance from the next instruction. */
function namedBy(image: Uint8Array, at: number, word: number, { isWide, base }: Code): number {
  if (!isWide) return word - base;
  return isAddressOperand(image[at - 1] as number) ? at + 4 + constantBytes(image, at) + (word | 0) : 0;
}

/** Where the image lies, where its code begins, and whether that is 64-bit code. */
export type Code = {
  readonly base: number;
  readonly entryPoint: number;
  readonly isWide: boolean;
  /** Pages with functions, as a table of the program names them; empty where there is none. */
  readonly functions: ReadonlySet<number>;
};
const pageOf = (address: number): number => Math.floor(address / PAGE);
/** The function that is called by the word at this place; undefined where there is none. */
function calledBy(image: Uint8Array, at: number, word: number): number | undefined {
  if (image[at - 1] !== CALL) return undefined;
  const target = (at + 4 + word) >>> 0;
  return target >= PAGE && target < image.length && isFunctionStart(image, target) ? target : undefined;
}

/** Where a table names the functions, only what they do counts: neither the code of the packer nor bytes that look like code. */
export function evidenceOf(image: Uint8Array, file: Code): Evidence {
  const view = viewOf(image);
  const entryPage = pageOf(file.entryPoint);
  const named = file.functions.has(entryPage) ? file.functions : undefined;
  const code = new Set(named ?? [entryPage]);
  const written = new Set<number>();
  const data = new Set<number>();
  const isData = (place: number): boolean =>
    place >= PAGE && place < image.length && !named?.has(pageOf(place));
  for (let at = PAGE; at + 4 <= image.length; at += 1) {
    if (named && !named.has(pageOf(at))) continue;
    const word = view.getUint32(at, true);
    const place = namedBy(image, at, word, file);
    const usage = isData(place) ? usageAt(image, at, file.isWide) : undefined;
    if (usage) data.add(pageOf(place));
    if (usage === "written") written.add(pageOf(place));
    const called = calledBy(image, at, word);
    if (called !== undefined) code.add(pageOf(called));
  }
  const separate = new Set(
    [...data].filter((page) =>
      image.subarray(page * PAGE - ZEROS_BETWEEN, page * PAGE).every((byte) => byte === 0),
    ),
  );
  return { code, written, data, separate };
}

export type Part = { readonly address: number; readonly rights: Rights };
export type Rights = "code" | "data" | "both";

/** A section as it is, or in two where its data lies behind its code. Both are whole pages. */
export function partsOf(address: number, bytes: number, { code, written, data, separate }: Evidence): Part[] {
  const [first, end] = [Math.floor(address / PAGE), Math.ceil((address + bytes) / PAGE)];
  const within = (pages: ReadonlySet<number>) => [...pages].filter((page) => page >= first && page < end);
  const [codes, writes] = [within(code), within(written)];
  if (codes.length === 0) return [{ address, rights: "data" }];
  const last = Math.max(...codes);
  if (writes.some((page) => page <= last)) return [{ address, rights: "both" }];
  // Data that is only read may be the code's own, unless it lies apart.
  const behind = within(writes.length > 0 ? data : separate).filter((page) => page > last);
  if (behind.length === 0) return [{ address, rights: "code" }];
  return [
    { address, rights: "code" },
    { address: Math.min(...behind) * PAGE, rights: "data" },
  ];
}
