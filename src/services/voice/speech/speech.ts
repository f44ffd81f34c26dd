/** Converts messages to WAV: validates them here and synthesizes them in worker threads. */
import { createWorkerPool, WorkerError, type WorkerPool, workerFile } from "#kernel/workers";
import type { RenderAnswer, RenderTask } from "./engine-worker.ts";
import { SpeechError } from "./errors.ts";
import { planSpeech, type SpeechContent } from "./plan.ts";
import { writeWav } from "./wav.ts";

export type SpeechOptions = {
  workersMax: number;
  /** Timeout of one message, from the start in a worker. A worker that exceeds it is terminated. */
  timeoutMs: number;
  /** 8000 (telephone, the default) or 16000 (native rate of the engine). */
  sampleRate?: 8000 | 16_000;
  /** Queue limit. */
  waitingMax?: number;
};

export type SpokenMessage = {
  wav: Buffer;
  durationMs: number;
  sampleRate: number;
};

export type Speech = {
  render(content: SpeechContent): Promise<SpokenMessage>;
  /** Optional at the end of a process, because idle workers do not keep it alive. */
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
