/** Sample-rate conversion with a windowed-sinc low-pass filter. */
import { toSample } from "./wav.ts";

/** Zero crossings of the sinc on each side: about 70 dB attenuation beyond the transition band. */
const CROSSINGS = 12;
/** End of the pass band, relative to the Nyquist frequency of the lower rate. */
const PASS_BAND = 0.92;

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Filter taps for one fractional position. */
function tapsAt(fraction: number, halfWidth: number, cutoff: number): Float64Array {
  const taps = new Float64Array(2 * halfWidth);
  let sum = 0;
  for (let index = 0; index < taps.length; index += 1) {
    const distance = index - halfWidth + 1 - fraction;
    const angle = Math.PI * cutoff * distance;
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
    const window = Math.cos((Math.PI * distance) / (2 * halfWidth)) ** 2;
    const tap = Math.abs(distance) >= halfWidth ? 0 : sinc * window;
    taps[index] = tap;
    sum += tap;
  }
  return taps.map((tap) => tap / sum);
}

export function resample(samples: Int16Array, fromRate: number, toRate: number): Int16Array {
  if (fromRate === toRate) return samples;
  const divisor = greatestCommonDivisor(fromRate, toRate);
  const phases = toRate / divisor;
  const step = fromRate / divisor;
  const cutoff = Math.min(1, toRate / fromRate) * PASS_BAND;
  const halfWidth = Math.ceil(CROSSINGS / cutoff);
  const tapsByPhase = Array.from({ length: phases }, (_, phase) => tapsAt(phase / phases, halfWidth, cutoff));
  const result = new Int16Array(Math.floor((samples.length * toRate) / fromRate));
  for (let index = 0; index < result.length; index += 1) {
    const position = index * step;
    const first = Math.floor(position / phases) - halfWidth + 1;
    const taps = tapsByPhase[position % phases] ?? new Float64Array();
    let value = 0;
    for (let tap = 0; tap < taps.length; tap += 1) value += (taps[tap] ?? 0) * (samples[first + tap] ?? 0);
    result[index] = toSample(value);
  }
  return result;
}
