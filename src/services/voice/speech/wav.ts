/** WAV files of 16-bit mono PCM, and operations on samples. */

export type WavAudio = {
  samples: Int16Array;
  sampleRate: number;
};

export type SampleLevel = {
  /** Largest magnitude, relative to full scale. */
  peak: number;
  /** Root mean square, relative to full scale. */
  rms: number;
};

const HEADER_BYTES = 44;
const FULL_SCALE = 32_768;
const FORMAT_PCM = 1;

export function writeWav({ samples, sampleRate }: WavAudio): Buffer {
  const dataBytes = samples.length * 2;
  const wav = Buffer.alloc(HEADER_BYTES + dataBytes);
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(FORMAT_PCM, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(dataBytes, 40);
  for (let index = 0; index < samples.length; index += 1)
    wav.writeInt16LE(samples[index] ?? 0, HEADER_BYTES + index * 2);
  return wav;
}

/** Reads 16-bit mono PCM. Throws RangeError for other formats. Unknown chunks are skipped. */
export function readWav(wav: Uint8Array): WavAudio {
  const bytes = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength);
  if (
    bytes.length < 12 ||
    bytes.toString("latin1", 0, 4) !== "RIFF" ||
    bytes.toString("latin1", 8, 12) !== "WAVE"
  )
    throw new RangeError("Not a WAV file");
  let sampleRate: number | undefined;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const kind = bytes.toString("latin1", offset, offset + 4);
    const size = bytes.readUInt32LE(offset + 4);
    const body = bytes.subarray(offset + 8, offset + 8 + size);
    if (kind === "fmt ") sampleRate = readSampleRate(body);
    if (kind === "data") {
      if (sampleRate === undefined) throw new RangeError("The WAV file has no format before its data");
      return { samples: readSamples(body), sampleRate };
    }
    offset += 8 + size + (size % 2);
  }
  throw new RangeError("The WAV file has no data");
}

function readSampleRate(format: Buffer): number {
  const isReadable =
    format.length >= 16 &&
    format.readUInt16LE(0) === FORMAT_PCM &&
    format.readUInt16LE(2) === 1 &&
    format.readUInt16LE(14) === 16;
  if (!isReadable) throw new RangeError("The WAV file is not 16-bit mono PCM");
  return format.readUInt32LE(4);
}

function readSamples(body: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(body.length / 2));
  for (let index = 0; index < samples.length; index += 1) samples[index] = body.readInt16LE(index * 2);
  return samples;
}

export function silence(durationMs: number, sampleRate: number): Int16Array {
  return new Int16Array(Math.round((durationMs * sampleRate) / 1000));
}

export function concatenate(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function toSample(value: number): number {
  return Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, Math.round(value)));
}

/** Changes the volume by decibels, with clipping. */
export function changeVolume(samples: Int16Array, volumeDb: number): Int16Array {
  const factor = 10 ** (volumeDb / 20);
  return factor === 1 ? samples : samples.map((sample) => toSample(sample * factor));
}

export function levelOf(samples: Int16Array): SampleLevel {
  let peak = 0;
  let energy = 0;
  for (const sample of samples) {
    peak = Math.max(peak, Math.abs(sample));
    energy += sample * sample;
  }
  const rms = samples.length === 0 ? 0 : Math.sqrt(energy / samples.length);
  return { peak: peak / FULL_SCALE, rms: rms / FULL_SCALE };
}

/** Trims silence at both ends to `keepMs`, so that explicit pauses keep their length. */
export function trimSilence({ samples, sampleRate }: WavAudio, keepMs: number): Int16Array {
  const threshold = FULL_SCALE / 128;
  const first = samples.findIndex((sample) => Math.abs(sample) > threshold);
  if (first === -1) return samples.subarray(0, 0);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > threshold);
  const keep = Math.round((keepMs * sampleRate) / 1000);
  return samples.subarray(Math.max(0, first - keep), Math.min(samples.length, last + 1 + keep));
}
