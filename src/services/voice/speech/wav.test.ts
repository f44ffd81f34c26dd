/** WAV files and sample operations. */
import { describe, expect, it } from "vitest";
import { resample } from "./resample.ts";
import { changeVolume, concatenate, levelOf, readWav, silence, trimSilence, writeWav } from "./wav.ts";

function tone(frequency: number, sampleRate: number, durationMs: number, amplitude = 16_000): Int16Array {
  const length = (sampleRate * durationMs) / 1000;
  return Int16Array.from({ length }, (_, index) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * frequency * index) / sampleRate)),
  );
}

describe("WAV files", () => {
  it("come back as they were written", () => {
    const samples = Int16Array.from([0, 1, -1, 32_767, -32_768]);
    const wav = writeWav({ samples, sampleRate: 8000 });
    expect(wav.length).toBe(54);
    expect(wav.readUInt32LE(4)).toBe(46);
    expect(readWav(wav)).toEqual({ samples, sampleRate: 8000 });
  });

  it("are read past other chunks", () => {
    const wav = writeWav({ samples: Int16Array.from([5, 6]), sampleRate: 16_000 });
    const list = Buffer.from("LIST\u0003\u0000\u0000\u0000abc\u0000", "latin1");
    const withList = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)]);
    expect(readWav(withList).samples).toEqual(Int16Array.from([5, 6]));
  });

  it.each([
    ["nothing", Buffer.alloc(0), /Not a WAV/],
    ["text", Buffer.from("hello, this is no sound at all"), /Not a WAV/],
    ["no data", writeWav({ samples: new Int16Array(0), sampleRate: 8000 }).subarray(0, 36), /no data/],
    ["stereo", stereo(), /not 16-bit mono/],
  ])("are refused: %s", (_name, bytes, message) => {
    expect(() => readWav(bytes)).toThrow(message);
  });
});

function stereo(): Buffer {
  const wav = writeWav({ samples: new Int16Array(4), sampleRate: 8000 });
  wav.writeUInt16LE(2, 22);
  return wav;
}

describe("samples", () => {
  it("are joined, silenced, measured and trimmed", () => {
    const loud = tone(440, 8000, 100);
    const joined = concatenate([silence(500, 8000), loud, silence(250, 8000)]);
    expect(joined.length).toBe(4000 + 800 + 2000);
    expect(levelOf(loud).rms).toBeCloseTo(16_000 / 32_768 / Math.SQRT2, 2);
    expect(levelOf(silence(100, 8000))).toEqual({ peak: 0, rms: 0 });
    expect(levelOf(new Int16Array(0))).toEqual({ peak: 0, rms: 0 });
    expect(trimSilence({ samples: joined, sampleRate: 8000 }, 10).length).toBeCloseTo(800 + 160, -1);
    expect(trimSilence({ samples: silence(100, 8000), sampleRate: 8000 }, 10).length).toBe(0);
  });

  it("change volume and clip at full scale", () => {
    expect(changeVolume(Int16Array.from([1000, -1000]), -20)).toEqual(Int16Array.from([100, -100]));
    expect(changeVolume(Int16Array.from([30_000, -30_000]), 6)).toEqual(Int16Array.from([32_767, -32_768]));
    expect(changeVolume(Int16Array.from([30_000]), Number.NEGATIVE_INFINITY)).toEqual(Int16Array.from([0]));
  });
});

describe("resampling", () => {
  it.each([
    [16_000, 8000],
    [8000, 16_000],
    [44_100, 8000],
    [19_200, 16_000],
  ])("keeps a 1 kHz tone from %i to %i", (from, to) => {
    const result = resample(tone(1000, from, 500), from, to);
    const expected = tone(1000, to, 500);
    expect(result.length).toBe(expected.length);
    const middle = result.subarray(200, -200);
    const difference = middle.map((sample, index) => sample - (expected[index + 200] ?? 0));
    expect(levelOf(difference).peak).toBeLessThan(0.005);
  });

  it("removes what the lower rate cannot carry", () => {
    const result = resample(tone(5500, 16_000, 500), 16_000, 8000);
    expect(levelOf(result.subarray(100, -100)).rms).toBeLessThan(0.002);
  });

  it("keeps a constant and leaves an equal rate alone", () => {
    const constant = new Int16Array(1000).fill(1234);
    expect(new Set(resample(constant, 16_000, 8000).subarray(50, -50))).toEqual(new Set([1234]));
    expect(resample(constant, 8000, 8000)).toBe(constant);
    expect(resample(new Int16Array(0), 16_000, 8000).length).toBe(0);
  });
});
