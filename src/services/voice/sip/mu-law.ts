/** G.711 mu-law (PCMU) encoding and decoding. */

const BIAS = 0x84;
const CLIP = 32_635;

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), CLIP) + BIAS;
  const exponent = Math.max(0, 24 - Math.clz32(magnitude));
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

function decodeByte(byte: number): number {
  const value = ~byte & 0xff;
  const exponent = (value >> 4) & 0x07;
  const magnitude = (((value & 0x0f) << 3) + BIAS) << exponent;
  return (value & 0x80) === 0 ? magnitude - BIAS : BIAS - magnitude;
}

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte));

/** The byte of a zero sample. */
export const MU_LAW_SILENCE = 0xff;

export function encodeMuLaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, encodeSample);
}

export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  return Int16Array.from(bytes, (byte) => DECODED[byte] ?? 0);
}
