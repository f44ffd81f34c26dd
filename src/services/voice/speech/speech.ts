/** Messages to WAV: checks them here, speaks them in worker threads. */
import { createWorkerPool, WorkerError, type WorkerPool, workerFile } from "#kernel/workers";
import type { RenderAnswer, RenderTask } from "./engine-worker.ts";
import { SpeechError } from "./errors.ts";
import { planSpeech, type SpeechContent } from "./plan.ts";
import { writeWav } from "./wav.ts";

export type SpeechOptions = {
  workersMax: number;
  /** For one message, counted from when a worker takes it up. A worker that needs longer is ended. */
  timeoutMs: number;
  /** 8000 (the telephone's, the default) or 16000 (the engine's own). */
  sampleRate?: 8000 | 16_000;
  /** Messages that may wait for a worker. */
  waitingMax?: number;
};

export type SpokenMessage = {
  wav: Buffer;
  durationMs: number;
  sampleRate: number;
};

export type Speech = {
  render(content: SpeechContent): Promise<SpokenMessage>;
  /** Not needed at the end of a process: idle workers do not keep it alive. */
  close(): Promise<void>;
};

const SAMPLE_RATE_DEFAULT = 8000;

export function createSpeech(options: SpeechOptions): Speech {
  const { workersMax, timeoutMs, waitingMax, sampleRate = SAMPLE_RATE_DEFAULT } = options;
  const pool: WorkerPool<RenderTask, RenderAnswer> = createWorkerPool({
    file: workerFile(import.meta.url, "services/voice/speech/engine-worker.js"),
    name: "render",
    timeoutMs,
    threadsMax: workersMax,
    ...(waitingMax !== undefined && { waitingMax }),
  });
  return {
    async render(content) {
      const segments = planSpeech(content);
      const answer = await pool.run({ segments, sampleRate }).catch((error: unknown) => {
        throw explain(error, timeoutMs);
      });
      if (!("samples" in answer)) throw new SpeechError(answer.reason, answer.message);
      const { samples } = answer;
      const durationMs = Math.round((samples.length * 1000) / sampleRate);
      return { wav: writeWav({ samples, sampleRate }), durationMs, sampleRate };
    },
    close: () => pool.close(),
  };
}

function explain(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof WorkerError)) return error;
  if (error.reason === "timedOut")
    return new SpeechError("timeout", `The message was not spoken within ${timeoutMs} ms`);
  if (error.reason === "busy") return new SpeechError("busy", "Too many messages are waiting to be spoken");
  if (error.reason === "closed") return new SpeechError("busy", "Speech has been stopped");
  return new SpeechError("engine", `The speech worker failed: ${error.message}`);
}
