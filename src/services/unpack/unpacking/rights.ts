/**
 * Derives the rights of sections in an unpacked image. Packers request all rights and merge code and data
 * into one section. The evidence is in the code: call targets, and addresses that it reads or writes.
 */
import { viewOf } from "../pe/image.ts";

const PAGE = 0x1000;
const CALL = 0xe8;
/** Bytes before a function: the return of the previous one, or padding. */
const BEFORE_FUNCTION: ReadonlySet<number> = new Set([0xcc, 0x90, 0xc3]);
const RETURN_WITH = 0xc2;
/** One-byte opcodes with a ModR/M byte: opcodes that write memory, and opcodes that only read it. */
const WRITING: ReadonlySet<number> = new Set([0x01, 0x09, 0x21, 0x29, 0x31, 0x88, 0x89, 0xc6, 0xc7, 0xfe]);
const READING: ReadonlySet<number> = new Set([
  0x03, 0x0b, 0x23, 0x2b, 0x33, 0x39, 0x3b, 0x8a, 0x8b, 0xdd, 0xff,
]);
/** Arithmetic with an immediate. Extension 7 is cmp, which does not write. */
const WITH_NUMBER: ReadonlySet<number> = new Set([0x80, 0x81, 0x83]);
const COMPARES = 7;
const SHORT_CONSTANT: ReadonlySet<number> = new Set([0x80, 0x83, 0xc6, 0x6b]);
const LONG_CONSTANT: ReadonlySet<number> = new Set([0x81, 0xc7, 0x69, 0xf7]);
/** ModR/M byte of an absolute (32-bit) or RIP-relative (64-bit) address. */
const isAddressOperand = (kind: number): boolean => (kind & 0xc7) === 0x05;
/** mov with the accumulator and an absolute address. */
const ACCUMULATOR_WRITES: ReadonlySet<number> = new Set([0xa2, 0xa3]);
const ACCUMULATOR_READS: ReadonlySet<number> = new Set([0xa0, 0xa1]);

const ZEROS_BETWEEN = 16;

export type Evidence = {
  /** Pages with function starts. */
  readonly code: ReadonlySet<number>;
  /** Pages that code writes, and pages that code reads or writes, by address. */
  readonly written: ReadonlySet<number>;
  readonly data: ReadonlySet<number>;
  /** Pages that follow a run of zeros, which indicates the start of an original section. */
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

/** Size of the immediate after the operand. */
function constantBytes(image: Uint8Array, at: number): number {
  const [kind = 0, operation = 0] = [image[at - 1], image[at - 2]];
  if (SHORT_CONSTANT.has(operation)) return 1;
  if (!LONG_CONSTANT.has(operation)) return 0;
  return operation === 0xf7 && (kind & 0x38) !== 0 ? 0 : 4;
}
/**
 * Image offset that the word refers to: absolute in 32-bit code, relative to the next instruction in 64-bit
 * code.
 */
function namedBy(image: Uint8Array, at: number, word: number, { isWide, base }: Code): number {
  if (!isWide) return word - base;
  return isAddressOperand(image[at - 1] as number) ? at + 4 + constantBytes(image, at) + (word | 0) : 0;
}

/** Base, entry point and mode of the image's code. */
export type Code = {
  readonly base: number;
  readonly entryPoint: number;
  readonly isWide: boolean;
  /** Pages with functions from the function table. Empty without a table. */
  readonly functions: ReadonlySet<number>;
};
const pageOf = (address: number): number => Math.floor(address / PAGE);
/** Target of a call at this word. Undefined if it is no call to a function start. */
function calledBy(image: Uint8Array, at: number, word: number): number | undefined {
  if (image[at - 1] !== CALL) return undefined;
  const target = (at + 4 + word) >>> 0;
  return target >= PAGE && target < image.length && isFunctionStart(image, target) ? target : undefined;
}

/**
 * With a function table, only code in its functions counts. This excludes the packer's code and data that
 * looks like code.
 */
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

/** A section as a whole, or split in two if its data follows its code. Both parts are whole pages. */
export function partsOf(address: number, bytes: number, { code, written, data, separate }: Evidence): Part[] {
  const [first, end] = [Math.floor(address / PAGE), Math.ceil((address + bytes) / PAGE)];
  const within = (pages: ReadonlySet<number>) => [...pages].filter((page) => page >= first && page < end);
  const [codes, writes] = [within(code), within(written)];
  if (codes.length === 0) return [{ address, rights: "data" }];
  const last = Math.max(...codes);
  if (writes.some((page) => page <= last)) return [{ address, rights: "both" }];
  // Read-only data may be constants of the code, unless a gap separates it.
  const behind = within(writes.length > 0 ? data : separate).filter((page) => page > last);
  if (behind.length === 0) return [{ address, rights: "code" }];
  return [
    { address, rights: "code" },
    { address: Math.min(...behind) * PAGE, rights: "data" },
  ];
}
