import { expect, it } from "vitest";
import { ENGINE_SAMPLE_RATE, renderSegments } from "./engine.ts";
import { getEngineVoice } from "./voices.ts";
import type { CompiledModule } from "./web-assembly.ts";

const MINUTES_MAX = 10;

it("a message takes ten minutes at the most", () => {
  // Pauses need no engine.
  const rendered = (pauseMs: number) =>
    renderSegments(undefined as unknown as CompiledModule, [
      { text: "", pauseMs, rate: 1, volumeDb: 0, pitch: 1, voice: getEngineVoice("en-US") as never },
    ]);
  expect(rendered(MINUTES_MAX * 60_000)).toHaveLength(MINUTES_MAX * 60 * ENGINE_SAMPLE_RATE);
  expect(() => rendered(MINUTES_MAX * 60_000 + 1)).toThrow("longer than 10 minutes");
});
