/** Opcode tables of 32-bit mode. */
import * as arithmetic from "./arithmetic.ts";
import * as jumps from "./jumps.ts";
import { media } from "./media.ts";
import * as moves from "./moves.ts";
import type { Step } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";
import * as shifts from "./shifts.ts";
import { strings } from "./strings.ts";
import * as system from "./system.ts";
import { threeBytes } from "./three-bytes.ts";
import { floating } from "./x87.ts";

const TWO_BYTES = 0x0f;

/** fe, ff: inc, dec, call, jmp, push. */
const group: Translate = (reading, opcode) => {
  const width = reading.widthOf(opcode);
  const number = reading.extension;
  if (number < 2) return arithmetic.countPlace(reading, width);
  if (opcode === 0xfe) return reading.refuse();
  const place = reading.place(width);
  if (number === 2) return jumps.callTo(reading, place);
  if (number === 4) return jumps.jumpTo(reading, place);
  return number === 6 ? moves.pushStep(reading, place) : reading.refuse();
};
const multiplyConstant: Translate = (reading, opcode) =>
  arithmetic.multiplyInto(reading, () =>
    opcode === 0x6b ? reading.signedByte() : reading.immediate(reading.width),
  );

type Range = readonly [first: number, last: number, translate: Translate];
function tableOf(ranges: readonly Range[]): readonly (Translate | undefined)[] {
  const table: (Translate | undefined)[] = new Array(256).fill(undefined);
  for (const [first, last, translate] of ranges)
    for (let opcode = first; opcode <= last; opcode += 1) table[opcode] = translate;
  return table;
}

/** Later entries override earlier ones. */
const oneByte = tableOf([
  [0x00, 0x3f, arithmetic.binary],
  ...[0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f].map((one): Range => [one, one, moves.stackSelector]),
  ...[0x27, 0x2f].map((one): Range => [one, one, arithmetic.decimalAdjust]),
  ...[0x37, 0x3f].map((one): Range => [one, one, arithmetic.asciiAdjust]),
  [0x40, 0x4f, arithmetic.countRegister],
  [0x50, 0x5f, moves.stackRegister],
  [0x60, 0x61, moves.stackAll],
  [0x62, 0x62, jumps.bound],
  [0x68, 0x68, moves.pushConstant],
  [0x69, 0x69, multiplyConstant],
  [0x6a, 0x6a, moves.pushConstant],
  [0x6b, 0x6b, multiplyConstant],
  [0x6c, 0x6f, jumps.privileged],
  [0x70, 0x7f, jumps.jumpShortIf],
  [0x80, 0x83, arithmetic.binaryConstant],
  [0x84, 0x85, arithmetic.test],
  [0x86, 0x87, moves.exchange],
  [0x88, 0x8b, moves.movePlace],
  [0x8c, 0x8c, moves.moveSelector],
  [0x8d, 0x8d, moves.loadAddress],
  [0x8e, 0x8e, moves.moveSelector],
  [0x8f, 0x8f, moves.popPlace],
  [0x90, 0x90, system.nothing],
  [0x91, 0x97, moves.exchange],
  [0x98, 0x99, moves.widen],
  [0x9b, 0x9b, system.nothing],
  [0x9c, 0x9d, moves.stackFlags],
  [0x9e, 0x9f, moves.lowFlags],
  [0xa0, 0xa3, moves.moveAccumulator],
  [0xa8, 0xa9, arithmetic.test],
  ...Object.entries(strings).map(
    ([opcode, translate]): Range => [Number(opcode), Number(opcode) + 1, translate],
  ),
  [0xb0, 0xbf, moves.moveConstant],
  [0xc0, 0xc1, shifts.shift],
  [0xc2, 0xc3, jumps.leave],
  [0xc6, 0xc7, moves.movePlaceConstant],
  [0xc8, 0xc9, moves.frame],
  [0xcc, 0xce, jumps.interrupt],
  [0xd0, 0xd3, shifts.shift],
  [0xd4, 0xd5, arithmetic.asciiDigits],
  [0xd6, 0xd6, moves.carryToAccumulator],
  [0xd7, 0xd7, moves.lookUp],
  [0xd8, 0xdf, floating],
  [0xe0, 0xe3, jumps.loop],
  [0xe4, 0xe7, jumps.privileged],
  [0xe8, 0xe8, jumps.call],
  [0xe9, 0xe9, jumps.jump],
  [0xeb, 0xeb, jumps.jump],
  [0xec, 0xef, jumps.privileged],
  [0xf1, 0xf1, jumps.interrupt],
  [0xf4, 0xf4, jumps.privileged],
  [0xf5, 0xf5, system.changeFlag],
  [0xf6, 0xf7, arithmetic.unary],
  [0xf8, 0xf9, system.changeFlag],
  [0xfa, 0xfb, jumps.privileged],
  [0xfc, 0xfd, system.changeFlag],
  [0xfe, 0xff, group],
]);
const twoBytes = tableOf([
  [0x0b, 0x0b, jumps.illegal],
  [0x10, 0x17, media],
  [0x18, 0x1f, (reading) => skipPlace(reading)],
  [0x28, 0x2f, media],
  [0x31, 0x31, system.readTime],
  [0x38, 0x38, threeBytes],
  [0x40, 0x4f, moves.moveIf],
  [0x50, 0x7f, media],
  [0x80, 0x8f, jumps.jumpIfFar],
  [0x90, 0x9f, moves.setIf],
  [0xa0, 0xa1, moves.stackSelector],
  [0xa2, 0xa2, system.identify],
  [0xa3, 0xa3, shifts.bitByRegister],
  [0xa4, 0xa5, shifts.shiftDouble],
  [0xa8, 0xa9, moves.stackSelector],
  [0xab, 0xab, shifts.bitByRegister],
  [0xac, 0xad, shifts.shiftDouble],
  [0xae, 0xae, (reading) => skipPlace(reading)],
  [0xaf, 0xaf, (reading) => arithmetic.multiplyInto(reading, undefined)],
  [0xb0, 0xb1, moves.compareExchange],
  [0xb3, 0xb3, shifts.bitByRegister],
  [0xb6, 0xb7, moves.extend],
  [0xba, 0xba, shifts.bitByConstant],
  [0xbb, 0xbb, shifts.bitByRegister],
  [0xbc, 0xbd, shifts.findBit],
  [0xbe, 0xbf, moves.extend],
  [0xc0, 0xc1, moves.exchangeAdd],
  [0xc2, 0xc6, media],
  [0xc7, 0xc7, moves.compareExchangeTwice],
  [0xc8, 0xcf, moves.swapBytes],
  [0xd0, 0xff, media],
]);

/** Hints and fences have an operand but no effect. */
function skipPlace(reading: Reading): Step {
  void reading.modrm;
  return () => {};
}

/** 64-bit mode uses these tables for instructions that do not differ. */
export const TABLES = { oneByte, twoBytes } as const;

/** Decodes one instruction and translates it into a step. */
export function translate(reading: Reading): Step {
  const opcode = reading.opcode();
  const second = opcode === TWO_BYTES ? reading.byte() : undefined;
  const found = second === undefined ? oneByte[opcode] : twoBytes[second];
  return found ? found(reading, second ?? opcode) : reading.refuse();
}
