/** Messages really spoken by the engine in its worker: length, level, pauses, voices, limits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSpeech,
  levelOf,
  planSpeech,
  readWav,
  type Speech,
  type SpeechContent,
  SpeechError,
} from "./index.ts";

let speech: Speech;

beforeAll(() => {
  speech = createSpeech({ workersMax: 1, timeoutMs: 120_000 });
});

afterAll(() => speech.close());

async function samplesOf(content: SpeechContent): Promise<{ samples: Int16Array; durationMs: number }> {
  const { wav, durationMs, sampleRate } = await speech.render(content);
  const audio = readWav(wav);
  expect(audio.sampleRate).toBe(sampleRate);
  expect(sampleRate).toBe(8000);
  expect(durationMs).toBe(Math.round(audio.samples.length / 8));
  return { samples: audio.samples, durationMs };
}

const ssml = (text: string): SpeechContent => ({ kind: "ssml", text: `<speak>${text}</speak>` });

function longestSilenceMs(samples: Int16Array): number {
  let longest = 0;
  let current = 0;
  for (const sample of samples) {
    current = Math.abs(sample) < 200 ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest / 8;
}

/** The most common distance between two similar stretches of sound, as a frequency. */
function pitchOf(samples: Int16Array): number {
  const found: number[] = [];
  const width = 320;
  for (let start = 0; start + 2 * width < samples.length; start += width) {
    if (levelOf(samples.subarray(start, start + width)).rms < 0.05) continue;
    let best = 0;
    let bestLag = 1;
    for (let lag = 23; lag < 133; lag += 1) {
      let correlation = 0;
      for (let index = 0; index < width; index += 1)
        correlation += (samples[start + index] ?? 0) * (samples[start + index + lag] ?? 0);
      if (correlation > best) [best, bestLag] = [correlation, lag];
    }
    found.push(8000 / bestLag);
  }
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0;
}

describe("a spoken sentence", () => {
  it("has a plausible length and level", async () => {
    const { samples, durationMs } = await samplesOf({
      kind: "text",
      text: "Your appointment is on Monday at ten.",
    });
    expect(durationMs).toBeGreaterThan(1500);
    expect(durationMs).toBeLessThan(4000);
    const level = levelOf(samples);
    expect(level.rms).toBeGreaterThan(0.03);
    expect(level.peak).toBeGreaterThan(0.2);
    expect(level.peak).toBeLessThanOrEqual(1);
  });

  it("pauses for as long as a break says", async () => {
    const plain = await samplesOf(ssml("Hello. World."));
    const paused = await samplesOf(ssml('Hello.<break time="1s"/>World.'));
    expect(longestSilenceMs(paused.samples)).toBeGreaterThan(1000);
    expect(longestSilenceMs(paused.samples)).toBeLessThan(1150);
    expect(longestSilenceMs(plain.samples)).toBeLessThan(700);
    const waited = await samplesOf({ kind: "callInstructions", text: 'Hello.<wait time="1s"/>World.' });
    expect(waited.samples).toEqual(paused.samples);
  });

  it("follows rate, volume and pitch", async () => {
    const words = "All our lines are open again now";
    const [usual, slow, soft, high] = await Promise.all([
      samplesOf(ssml(words)),
      samplesOf(ssml(`<prosody rate="50%">${words}</prosody>`)),
      samplesOf(ssml(`<prosody volume="-12dB">${words}</prosody>`)),
      samplesOf(ssml(`<prosody pitch="+30%">${words}</prosody>`)),
    ]);
    expect(slow.durationMs / usual.durationMs).toBeGreaterThan(1.7);
    expect(slow.durationMs / usual.durationMs).toBeLessThan(2.2);
    expect(levelOf(usual.samples).rms / levelOf(soft.samples).rms).toBeCloseTo(4, 0);
    expect(pitchOf(high.samples) / pitchOf(usual.samples)).toBeGreaterThan(1.15);
    expect(Math.abs(high.durationMs - usual.durationMs)).toBeLessThan(300);
  });

  it("changes the pitch of the voice that has no pitch setting, too", async () => {
    const words = "All our lines are open again now";
    const usual = await samplesOf({ kind: "text", text: words, voiceId: "Matthew" });
    const high = await samplesOf({
      kind: "ssml",
      text: `<speak><prosody pitch="+30%">${words}</prosody></speak>`,
      voiceId: "Matthew",
    });
    expect(pitchOf(high.samples) / pitchOf(usual.samples)).toBeGreaterThan(1.15);
    expect(Math.abs(high.durationMs - usual.durationMs)).toBeLessThan(300);
  });

  it("differs by voice", async () => {
    const text = "All our lines are open again now";
    const woman = await samplesOf({ kind: "text", text, languageCode: "en-US", voiceId: "JOANNA" });
    const man = await samplesOf({ kind: "text", text, languageCode: "en-US", voiceId: "Matthew" });
    expect(pitchOf(woman.samples)).toBeGreaterThan(1.3 * pitchOf(man.samples));
  });

  it.each([
    "1234567890",
    "Привет, мир",
    "北京你好",
    "👍 😀",
    "x".repeat(100),
    "a (b) [c] {d} <e>",
    "$5.20 & 7%",
  ])("is heard for %s", async (text) => {
    expect(levelOf((await samplesOf({ kind: "text", text })).samples).rms).toBeGreaterThan(0.02);
  });
});

describe("limits", () => {
  it.each<[string, SpeechContent, string]>([
    ["no text", { kind: "text", text: "" }, "empty"],
    ["signs alone", { kind: "text", text: "...!?" }, "empty"],
    ["pauses alone", ssml('<break time="1s"/>'), "empty"],
    ["long text", { kind: "text", text: "a ".repeat(1501) }, "tooLong"],
    ["long SSML", ssml("<mark name='a'/>".repeat(400)), "tooLong"],
    ["much spoken in SSML", ssml("a ".repeat(1501)), "tooLong"],
    ["long call instructions", { kind: "callInstructions", text: " ".repeat(6001) }, "tooLong"],
    ["hours of silence", ssml(`a${'<break time="10s"/>'.repeat(61)}`), "tooLong"],
    ["unknown voice", { kind: "text", text: "a", voiceId: "Nobody" }, "unknownVoice"],
    [
      "voice of another language",
      { kind: "text", text: "a", languageCode: "en-US", voiceId: "Vicki" },
      "unknownVoice",
    ],
    ["unknown language", { kind: "text", text: "a", languageCode: "tlh" }, "unknownLanguage"],
    ["bad SSML", { kind: "ssml", text: "<speak>" }, "badMarkup"],
  ])("refuse %s", async (_name, content, reason) => {
    const error = await speech.render(content).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SpeechError);
    expect(error).toMatchObject({ reason, isCallerFault: true });
  });

  it("take 3,000 spoken characters and 6,000 with markup", () => {
    const isTaken = (content: SpeechContent): boolean => {
      try {
        return planSpeech(content).length > 0;
      } catch (error) {
        expect(error).toMatchObject({ reason: "tooLong" });
        return false;
      }
    };
    const spoken = (length: number) => isTaken({ kind: "text", text: "a".repeat(length) });
    expect([3000, 3001].map(spoken)).toEqual([true, false]);
    const markup = (length: number) => `<speak>a<!--${"b".repeat(length - 23)}--></speak>`;
    for (const kind of ["ssml", "callInstructions"] as const)
      expect([6000, 6001].map((length) => isTaken({ kind, text: markup(length) }))).toEqual([true, false]);
  });
  it("count characters, not UTF-16 units", () => {
    expect(() => planSpeech({ kind: "text", text: "😀".repeat(3000) })).not.toThrow();
    expect(() => planSpeech({ kind: "text", text: "😀".repeat(3001) })).toThrow(/3001 characters/);
  });
});

describe("workers", () => {
  it("are ended when a message takes too long, and the next message gets a new one", async () => {
    const startedMs = performance.now();
    const patient = createSpeech({ workersMax: 1, timeoutMs: 120_000 });
    await patient.render({ kind: "text", text: "Hello" });
    await patient.close();
    // Ample for a short message on this machine, and a fraction of what the long one takes.
    const impatient = createSpeech({ workersMax: 1, timeoutMs: 6 * (performance.now() - startedMs) });
    const long = impatient.render({ kind: "text", text: "Many words to say. ".repeat(150) });
    await expect(long).rejects.toMatchObject({ reason: "timeout", isCallerFault: false });
    expect((await impatient.render({ kind: "text", text: "Hello" })).durationMs).toBeGreaterThan(200);
    await impatient.close();
  });

  it("take a limited number of waiting messages", async () => {
    const small = createSpeech({ workersMax: 1, timeoutMs: 120_000, waitingMax: 1, sampleRate: 16_000 });
    const results = await Promise.allSettled(
      [1, 2, 3].map((n) => small.render({ kind: "text", text: `Message ${n}` })),
    );
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(results[2]).toMatchObject({ reason: { reason: "busy" } });
    expect(results[0]).toMatchObject({ value: { sampleRate: 16_000 } });
    await small.close();
    await expect(small.render({ kind: "text", text: "Late" })).rejects.toMatchObject({ reason: "busy" });
  });
});
