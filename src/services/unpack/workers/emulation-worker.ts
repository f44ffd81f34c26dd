/** Worker side of emulation. It handles one executable at a time and never runs one natively. */
import { handOver, startThreadMeter } from "#kernel/workers";
import { BrokenFileError } from "../pe/file.ts";
import { DEFAULT_BUDGET, type Outcome } from "../unpacking/outcome.ts";
import { unpackExecutable } from "../unpacking/unpack.ts";
import { keptOf } from "./kept.ts";
import { beQuiet } from "./quiet-thread.ts";
import type { Emulated, EmulationTask, Refused } from "./tasks.ts";

beQuiet();

/** Copies a view of a larger buffer, because posting a view transfers the whole buffer. */
function wholeOf(bytes: Uint8Array): Uint8Array {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

/** The limits count instructions and memory, so they do not depend on the machine's load. */
export async function run({ content: file, meter }: EmulationTask): Promise<Emulated | Refused> {
  startThreadMeter(meter);
  const beganMs = performance.now();
  let outcome: Outcome;
  try {
    outcome = unpackExecutable(file, DEFAULT_BUDGET);
  } catch (error) {
    if (error instanceof BrokenFileError) return { problem: error.message };
    throw error;
  }
  const { parts, unpackedSha256 } = keptOf(outcome);
  const content = outcome.content && wholeOf(outcome.content);
  const tookMs = Math.round(performance.now() - beganMs);
  return handOver(
    { ...outcome, content, unpackedSha256, parts, tookMs },
    ...(content ? [content.buffer] : []),
  );
}
