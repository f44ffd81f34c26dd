/** Every instruction against what a real processor made of it: results recorded by tools/record-processor.mjs. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { memory, runInstruction } from "../../../../tests/support/instruction-run.ts";
import { DATA_BYTES, type ProcessorCase, processorCases } from "../../../../tests/support/processor-cases.ts";
import { Cpu } from "./cpu.ts";
import { LongCpu } from "./long/cpu.ts";

const recorded = join(import.meta.dirname, "recorded-results.bin");
/** Carry, parity, adjust, zero, sign, direction, overflow. */
const FLAGS = 0xcd5;
const CODE_BYTES = 32;
const RESULT_BYTES = 40 + DATA_BYTES;
/** The harness where results are to be recorded anew. */
const harness = process.env.PROCESSOR_HARNESS;

type Result =
  | { readonly registers: Uint32Array; readonly flags: number; readonly data: Uint8Array }
  | "fault";

function emulated({ registers, ...instruction }: ProcessorCase): Result {
  const cpu = new Cpu(memory);
  cpu.wide.set(registers);
  const data = runInstruction(cpu, instruction);
  if (!data) return "fault";
  return { registers: new Uint32Array(cpu.wide), flags: cpu.flags.value & FLAGS, data };
}

/** Of a result: short enough to be kept for each case. */
function digestOf(result: Result): number {
  if (result === "fault") return 0;
  let digest = 0x811c_9dc5;
  const take = (byte: number) => {
    digest = Math.imul(digest ^ (byte & 0xff), 0x0100_0193);
  };
  for (const value of [...result.registers, result.flags])
    for (let shift = 0; shift < 32; shift += 8) take(value >>> shift);
  for (const byte of result.data) take(byte);
  return digest >>> 0 || 1;
}

function record(cases: readonly ProcessorCase[], command: string): void {
  const input = cases.map(({ code, registers, flags, data }) => {
    const asked = Buffer.alloc(40 + CODE_BYTES + DATA_BYTES);
    for (const [index, value] of [...registers, flags, code.length].entries())
      asked.writeUInt32LE(value >>> 0, index * 4);
    asked.set(code, 40);
    asked.set(data, 40 + CODE_BYTES);
    return asked;
  });
  const { stdout } = spawnSync(command, { input: Buffer.concat(input), maxBuffer: 1 << 28 });
  expect(stdout.length).toBe(cases.length * RESULT_BYTES);
  const digests = Buffer.alloc(cases.length * 4);
  for (const index of cases.keys()) {
    const answer = stdout.subarray(index * RESULT_BYTES, (index + 1) * RESULT_BYTES);
    const registers = Uint32Array.from({ length: 8 }, (_, i) => answer.readUInt32LE(i * 4));
    const isFault = answer.readUInt32LE(36) === 1;
    const result = isFault
      ? "fault"
      : { registers, flags: answer.readUInt32LE(32) & FLAGS, data: new Uint8Array(answer.subarray(40)) };
    digests.writeUInt32LE(digestOf(result), index * 4);
  }
  writeFileSync(recorded, digests);
}

it("computes what a real processor computes: registers, flags and memory, in thirty thousand cases", () => {
  const cases = [...processorCases()];
  if (harness) record(cases, harness);
  const digests = readFileSync(recorded);
  expect(cases.length).toBeGreaterThan(30_000);
  expect(digests.length).toBe(cases.length * 4);
  const different = new Map<string, number>();
  for (const [index, one] of cases.entries())
    if (digestOf(emulated(one)) !== digests.readUInt32LE(index * 4))
      different.set(one.name, (different.get(one.name) ?? 0) + 1);
  expect([...different]).toEqual([]);
});

it.each([
  ["32", () => new Cpu(memory)],
  ["64", () => new LongCpu(memory, 0)],
])("an instruction of %s bits has at most fifteen bytes", (_bits, newCpu) => {
  const isDone = (length: number) => {
    const code = [...Array(length - 1).fill(0x66), 0x90];
    return runInstruction(newCpu(), { code, flags: 2, data: new Uint8Array(DATA_BYTES) }) !== undefined;
  };
  expect([isDone(15), isDone(16)]).toEqual([true, false]);
});
