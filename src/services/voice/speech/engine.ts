/** Synthesizes segments. It runs in a worker, because a long text occupies a core for seconds. */
import { SpeechError } from "./errors.ts";
import { runCommand } from "./flite-host.ts";
import { resample } from "./resample.ts";
import type { SpeechSegment } from "./segments.ts";
import { toPieces } from "./spoken-text.ts";
import type { EngineVoiceName } from "./voices.ts";
import { changeVolume, concatenate, readWav, silence, trimSilence } from "./wav.ts";
import type { CompiledModule } from "./web-assembly.ts";

/** Sample rate of all voices. */
export const ENGINE_SAMPLE_RATE = 16_000;
const DURATION_MS_MAX = 600_000;
const OUTPUT_BYTES_MAX = (DURATION_MS_MAX / 1000) * ENGINE_SAMPLE_RATE * 2 + 1024;
/** Silence kept around each piece, so that words stay separate. */
const EDGE_MS = 40;

/**
 * These voices ignore the pitch setting. Their pitch is changed by resampling, with the duration preserved.
 */
const VOICES_OF_FIXED_PITCH: ReadonlySet<EngineVoiceName> = new Set(["rms"]);

export function renderSegments(module: CompiledModule, segments: readonly SpeechSegment[]): Int16Array {
  const parts: Int16Array[] = [];
  let durationMs = 0;
  const add = (part: Int16Array) => {
    durationMs += (part.length * 1000) / ENGINE_SAMPLE_RATE;
    if (durationMs > DURATION_MS_MAX)
      throw new SpeechError(
        "tooLong",
        `The message takes longer than ${DURATION_MS_MAX / 60_000} minutes to speak`,
      );
    parts.push(part);
  };
  for (const segment of segments) {
    for (const piece of toPieces(segment.text)) {
      add(changeVolume(speak(module, piece.text, segment), segment.volumeDb));
      add(silence(piece.pauseMs / segment.rate, ENGINE_SAMPLE_RATE));
    }
    add(silence(segment.pauseMs, ENGINE_SAMPLE_RATE));
  }
  return concatenate(parts);
}

function speak(module: CompiledModule, text: string, segment: SpeechSegment): Int16Array {
  const { name, pitch: ownPitch } = segment.voice;
  const pitch = Math.round(segment.pitch * ownPitch * 100) / 100;
  const isFixed = VOICES_OF_FIXED_PITCH.has(name);
  const stretch = (isFixed ? pitch : 1) / segment.rate;
  const features = ["--setf", `duration_stretch=${stretch.toFixed(3)}`];
  if (!isFixed && pitch !== 1) features.push("--setf", `f0_shift=${pitch.toFixed(2)}`);
  const samples = runEngine(module, ["flite", "-voice", name, ...features, "-t", text, "-o", "/output"]);
  const tuned = isFixed
    ? resample(samples, Math.round(ENGINE_SAMPLE_RATE * pitch), ENGINE_SAMPLE_RATE)
    : samples;
  return trimSilence({ samples: tuned, sampleRate: ENGINE_SAMPLE_RATE }, EDGE_MS);
}

function runEngine(module: CompiledModule, commandArguments: readonly string[]): Int16Array {
  try {
    const { exitCode, output } = runCommand(module, commandArguments, OUTPUT_BYTES_MAX);
    if (exitCode === 0) return readWav(output).samples;
    throw new SpeechError("engine", `The speech engine ended with ${exitCode}`);
  } catch (error) {
    if (error instanceof SpeechError) throw error;
    throw new SpeechError(
      "engine",
      `The speech engine failed: ${error instanceof Error ? error.message : error}`,
    );
  }
}
