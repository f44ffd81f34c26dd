/** Instructions of 64-bit mode against what another processor made of them: results recorded by tools/record-processor.mjs. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { memory, runInstruction } from "../../../../../tests/support/instruction-run.ts";
import {
  DATA_BYTES,
  type LongCase,
  longProcessorCases,
  WINDOW,
} from "../../../../../tests/support/long-processor-cases.ts";
import { LongCpu } from "./cpu.ts";

const recorded = join(import.meta.dirname, "recorded-results.bin");
/** Carry, parity, adjust, zero, sign, direction, overflow. */
const FLAGS = 0xcd5;
const CODE_BYTES = 32;
const REGISTERS = 16;
const HEADER_BYTES = REGISTERS * 8 + 16;
const RESULT_BYTES = HEADER_BYTES + DATA_BYTES;
/** The harness, with what runs it, where results are to be recorded anew. */
const harness = process.env.LONG_PROCESSOR_HARNESS;

/** Lower and upper halves in turn. */
type Result =
  | { readonly registers: readonly number[]; readonly flags: number; readonly data: Uint8Array }
  | "fault";

function emulated({ registers, ...instruction }: LongCase): Result {
  const cpu = new LongCpu(memory, WINDOW);
  for (const [index, value] of registers.entries()) (index % 2 ? cpu.high : cpu.wide)[index >> 1] = value;
  const data = runInstruction(cpu, instruction);
  if (!data) return "fault";
  const halves = registers.map((_, index) => (index % 2 ? cpu.high : cpu.wide)[index >> 1] as number);
  return { registers: halves, flags: cpu.flags.value, data };
}

/** Of a result: short enough to be kept for each case. */
function digestOf(result: Result, open: number): number {
  if (result === "fault") return 0;
  let digest = 0x811c_9dc5;
  const take = (byte: number) => {
    digest = Math.imul(digest ^ (byte & 0xff), 0x0100_0193);
  };
  for (const value of [...result.registers, result.flags & FLAGS & ~open])
    for (let shift = 0; shift < 32; shift += 8) take(value >>> shift);
  for (const byte of result.data) take(byte);
  return digest >>> 0 || 1;
}

function record(cases: readonly LongCase[], [command = "", ...words]: readonly string[]): void {
  const input = cases.map(({ code, registers, flags, data }) => {
    const asked = Buffer.alloc(HEADER_BYTES + CODE_BYTES + DATA_BYTES);
    for (const [index, value] of [...registers, flags, 0, code.length].entries())
      asked.writeUInt32LE(value >>> 0, index * 4);
    asked.set(code, HEADER_BYTES);
    asked.set(data, HEADER_BYTES + CODE_BYTES);
    return asked;
  });
  const { stdout } = spawnSync(command, words, { input: Buffer.concat(input), maxBuffer: 1 << 28 });
  expect(stdout.length).toBe(cases.length * RESULT_BYTES);
  const digests = Buffer.alloc(cases.length * 4);
  for (const [index, { open }] of cases.entries()) {
    const answer = stdout.subarray(index * RESULT_BYTES, (index + 1) * RESULT_BYTES);
    const registers = Array.from({ length: REGISTERS * 2 }, (_, i) => answer.readInt32LE(i * 4));
    const isFault = answer.readUInt32LE(HEADER_BYTES - 8) === 1;
    const data = new Uint8Array(answer.subarray(HEADER_BYTES));
    const result = isFault ? "fault" : { registers, flags: answer.readUInt32LE(REGISTERS * 8), data };
    digests.writeUInt32LE(digestOf(result, open), index * 4);
  }
  writeFileSync(recorded, digests);
}

it("computes what another processor computes: registers, flags and memory, in eight thousand cases", () => {
  const cases = [...longProcessorCases()];
  if (harness) record(cases, harness.split(" "));
  const digests = readFileSync(recorded);
  expect(cases.length).toBeGreaterThan(8_000);
  expect(digests.length).toBe(cases.length * 4);
  const different = new Map<string, number>();
  for (const [index, one] of cases.entries())
    if (digestOf(emulated(one), one.open) !== digests.readUInt32LE(index * 4))
      different.set(one.name, (different.get(one.name) ?? 0) + 1);
  expect([...different]).toEqual([]);
});
