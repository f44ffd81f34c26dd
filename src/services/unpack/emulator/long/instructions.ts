/**
 * Opcode tables of 64-bit mode: instructions that differ from 32-bit mode, and instructions with 64-bit
 * operands.
 */
import { EAX, EBX, ECX, EDX } from "../cpu.ts";
import { TABLES } from "../instructions.ts";
import type { Step } from "../places.ts";
import type { Translate } from "../reading.ts";
import * as arithmetic from "./arithmetic.ts";
import * as jumps from "./jumps.ts";
import { media } from "./media.ts";
import * as moves from "./moves.ts";
import type { LongReading, TranslateLong } from "./reading.ts";
import * as shifts from "./shifts.ts";
import { strings } from "./strings.ts";

const TWO_BYTES = 0x0f;
type Range = readonly [first: number, last: number, translate: TranslateLong];
type Table = readonly (TranslateLong | undefined)[];
function tableOf(ranges: readonly Range[]): Table {
  const table: (TranslateLong | undefined)[] = new Array(256).fill(undefined);
  for (const [first, last, translate] of ranges)
    for (let opcode = first; opcode <= last; opcode += 1) table[opcode] = translate;
  return table;
}
const refused: TranslateLong = (reading) => reading.refuse();
const NO_LONGER = [
  0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61, 0x62, 0x82, 0x9a, 0xc4, 0xc5,
  0xce, 0xd4, 0xd5, 0xd6, 0xea,
];
/** ff: inc, dec, call, jmp, push. */
const group: TranslateLong = (reading) => {
  switch (reading.extension) {
    case 0:
    case 1:
      return reading.isWide ? arithmetic.count(reading) : (TABLES.oneByte[0xff] as Translate)(reading, 0xff);
    case 2:
    case 4:
      return jumps.goTo(reading, reading.extension === 2);
    case 6:
      return moves.pushPlace(reading);
    default:
      return reading.refuse();
  }
};
/** Instructions that write 32-bit results: the upper halves of the result registers are cleared. */
const clearingHalves =
  (translate: Translate, registers: readonly number[]): TranslateLong =>
  (reading, opcode) => {
    const step = translate(reading, opcode);
    const { high } = reading.cpu;
    return () => {
      step();
      for (const register of registers) high[register] = 0;
    };
  };

/** Instructions of any operand width. */
const oneByte = tableOf([
  ...NO_LONGER.map((one): Range => [one, one, refused]),
  [0x50, 0x5f, moves.stackRegister],
  [0x63, 0x63, moves.moveSigned],
  [0x68, 0x68, moves.pushConstant],
  [0x6a, 0x6a, moves.pushConstant],
  [0x88, 0x8b, moves.movePlace],
  [0x8d, 0x8d, moves.loadAddress],
  [0x8f, 0x8f, moves.popPlace],
  [0x90, 0x97, (reading, opcode) => (reading.isWide ? moves.exchange : moves.exchangeShort)(reading, opcode)],
  [0x98, 0x99, moves.widen],
  [0x9c, 0x9d, moves.stackFlags],
  [0xa0, 0xa3, moves.moveAccumulator],
  ...Object.entries(strings).map(
    ([opcode, translate]): Range => [Number(opcode), Number(opcode) + 1, translate],
  ),
  [0xb0, 0xbf, moves.moveConstant],
  [0xc8, 0xc9, moves.frame],
  [0xd7, 0xd7, moves.lookUp],
  [0xe0, 0xe3, jumps.loop],
  [0xff, 0xff, group],
]);
const twoBytes = tableOf([
  [0x10, 0x17, media],
  [0x28, 0x2f, media],
  [0x31, 0x31, clearingHalves(TABLES.twoBytes[0x31] as Translate, [EAX, EDX])],
  [0x40, 0x4f, moves.moveIf],
  [0x50, 0x7f, media],
  [0xa0, 0xa1, refused],
  [0xa2, 0xa2, clearingHalves(TABLES.twoBytes[0xa2] as Translate, [EAX, EBX, ECX, EDX])],
  [0xa8, 0xa9, refused],
  [0xc2, 0xc2, media],
  [0xc4, 0xc6, media],
  [0xc7, 0xc7, moves.compareExchangeTwice],
  [0xc8, 0xcf, shifts.swapBytes],
  [0xd0, 0xff, media],
]);
/** Instructions with 64-bit operands. Byte operands are in the other tables. */
const oneByteWide = tableOf([
  ...Array.from({ length: 8 }, (_, kind): Range[] =>
    [1, 3, 5].map((form): Range => [kind * 8 + form, kind * 8 + form, arithmetic.binary]),
  ).flat(),
  [0x69, 0x69, arithmetic.multiplyInto],
  [0x6b, 0x6b, arithmetic.multiplyInto],
  [0x81, 0x81, arithmetic.binaryConstant],
  [0x83, 0x83, arithmetic.binaryConstant],
  [0x85, 0x85, arithmetic.test],
  [0x87, 0x87, moves.exchange],
  [0xa9, 0xa9, arithmetic.test],
  [0xc1, 0xc1, shifts.shift],
  [0xc7, 0xc7, moves.movePlaceConstant],
  [0xd1, 0xd1, shifts.shift],
  [0xd3, 0xd3, shifts.shift],
  [0xf7, 0xf7, arithmetic.unary],
]);
const twoBytesWide = tableOf([
  [0x38, 0x38, refused],
  [0xa3, 0xa3, shifts.bitByRegister],
  [0xa4, 0xa5, shifts.shiftDouble],
  [0xab, 0xab, shifts.bitByRegister],
  [0xac, 0xad, shifts.shiftDouble],
  [0xaf, 0xaf, arithmetic.multiplyInto],
  [0xb1, 0xb1, moves.compareExchange],
  [0xb3, 0xb3, shifts.bitByRegister],
  [0xb6, 0xb7, moves.extend],
  [0xba, 0xba, shifts.bitByConstant],
  [0xbb, 0xbb, shifts.bitByRegister],
  [0xbc, 0xbd, shifts.findBit],
  [0xbe, 0xbf, moves.extend],
  [0xc1, 0xc1, moves.exchangeAdd],
]);

/** Decodes one instruction and translates it into a step. */
export function translateLong(reading: LongReading): Step {
  const first = reading.opcode();
  const isLonger = first === TWO_BYTES;
  const opcode = isLonger ? reading.byte() : first;
  const wide = reading.isWide ? (isLonger ? twoBytesWide : oneByteWide)[opcode] : undefined;
  const found =
    wide ?? (isLonger ? twoBytes : oneByte)[opcode] ?? (isLonger ? TABLES.twoBytes : TABLES.oneByte)[opcode];
  return found ? found(reading, opcode) : reading.refuse();
}
