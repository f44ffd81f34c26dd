/** Messages to WAV: checks them here, speaks them in workers that start on first use and stop when idle. */
import { Piscina } from "piscina";
import type { RenderAnswer, RenderTask } from "./engine-worker.ts";
import { SpeechError } from "./errors.ts";
import { planSpeech, type SpeechContent } from "./plan.ts";
import { writeWav } from "./wav.ts";
import { workerFile } from "./worker-file.ts";

export interface SpeechOptions {
  workersMax: number;
  /** For one message, counted from when a worker takes it up. A worker that needs longer is ended. */
  timeoutMs: number;
  /** 8000 (the telephone's, the default) or 16000 (the engine's own). */
  sampleRate?: 8000 | 16_000;
  /** Messages that may wait for a worker. */
  waitingMax?: number;
}

export interface SpokenMessage {
  wav: Buffer;
  durationMs: number;
  sampleRate: number;
}

export interface Speech {
  render(content: SpeechContent): Promise<SpokenMessage>;
  close(): Promise<void>;
}

const SAMPLE_RATE_DEFAULT = 8000;
const WAITING_MAX_DEFAULT = 100;
const IDLE_MS = 60_000;

export function createSpeech(options: SpeechOptions): Speech {
  return new SpeechWorkers(options);
}

class SpeechWorkers implements Speech {
  readonly #options: SpeechOptions;
  readonly #waiting: (() => void)[] = [];
  #pool: Piscina<RenderTask, RenderAnswer> | undefined;
  #running = 0;
  #isClosed = false;

  constructor(options: SpeechOptions) {
    this.#options = options;
  }

  async render(content: SpeechContent): Promise<SpokenMessage> {
    const segments = planSpeech(content);
    const sampleRate = this.#options.sampleRate ?? SAMPLE_RATE_DEFAULT;
    await this.#enter();
    try {
      const samples = await this.#run({ segments, sampleRate });
      const durationMs = Math.round((samples.length * 1000) / sampleRate);
      return { wav: writeWav({ samples, sampleRate }), durationMs, sampleRate };
    } finally {
      this.#leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  async #run(task: RenderTask): Promise<Int16Array> {
    if (this.#isClosed) throw new SpeechError("busy", "Speech has been stopped");
    this.#pool ??= new Piscina<RenderTask, RenderAnswer>({
      filename: workerFile(import.meta.url, "engine-worker"),
      name: "render",
      minThreads: 0,
      maxThreads: this.#options.workersMax,
      idleTimeout: IDLE_MS,
    });
    const signal = AbortSignal.timeout(this.#options.timeoutMs);
    const answer = await this.#pool.run(task, { signal }).catch((error: unknown) => {
      throw this.#explain(error, signal);
    });
    if ("samples" in answer) return answer.samples;
    throw new SpeechError(answer.reason, answer.message);
  }

  #explain(error: unknown, signal: AbortSignal): SpeechError {
    if (this.#isClosed) return new SpeechError("busy", "Speech has been stopped");
    if (signal.aborted)
      return new SpeechError("timeout", `The message was not spoken within ${this.#options.timeoutMs} ms`);
    return new SpeechError(
      "engine",
      `The speech worker failed: ${error instanceof Error ? error.message : error}`,
    );
  }

  /** The time limit must not count waiting, so that a message reaches the pool only when a worker is free. */
  async #enter(): Promise<void> {
    if (this.#running < this.#options.workersMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= (this.#options.waitingMax ?? WAITING_MAX_DEFAULT))
      throw new SpeechError("busy", "Too many messages are waiting to be spoken");
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
