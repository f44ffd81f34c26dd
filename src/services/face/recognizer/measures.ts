/** Blur, brightness and noise of a face, measured on luminance. */
import type { PixelMeasures } from "../domain/attributes.ts";
import type { Point } from "../domain/geometry.ts";
import { descriptorSquareOf } from "./alignment.ts";
import type { Picture } from "./pictures/picture.ts";
import { sampleSquare } from "./pictures/sampling.ts";

/** Faces are scaled to this size for comparable results. */
const SIZE = 150;
/** The inner square contains the face without background. */
const MARGIN = 30;
/** Detail ratio of a sharp face, and of a completely blurred one. */
const SHARP = 0.28;
const SOFT = 0.08;
/** Standard deviation of noise, relative to the full range, that counts as the maximum. */
const NOISE_MOST = 0.08;

const clamp = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 1000) / 1000;

export function measurePixels(picture: Picture, points: readonly Point[]): PixelMeasures {
  const grey = greyOf(sampleSquare(picture, descriptorSquareOf(points, SIZE), SIZE));
  return {
    blur: clamp((SHARP - finenessOf(grey)) / (SHARP - SOFT)),
    brightness: clamp(meanOf(grey)),
    noise: clamp(noiseOf(nativeGrey(picture, points)) / NOISE_MOST),
  };
}

type Grey = { readonly size: number; readonly values: Float32Array };
function greyOf(square: Float32Array, size = SIZE): Grey {
  const values = new Float32Array(size * size);
  for (let i = 0; i < values.length; i += 1)
    values[i] =
      (0.299 * (square[i * 3] as number) +
        0.587 * (square[i * 3 + 1] as number) +
        0.114 * (square[i * 3 + 2] as number)) /
      255;
  return { size, values };
}

function forInner({ size }: Grey, margin: number, visit: (at: number) => void): void {
  for (let y = margin; y < size - margin; y += 1)
    for (let x = margin; x < size - margin; x += 1) visit(y * size + x);
}
function meanOf(grey: Grey): number {
  let [sum, count] = [0, 0];
  forInner(grey, MARGIN, (at) => {
    sum += grey.values[at] as number;
    count += 1;
  });
  return sum / count;
}

/**
 * Ratio of second differences between neighbours to first differences over four pixels. Fine detail raises
 * it.
 */
function finenessOf(grey: Grey): number {
  const { size, values } = grey;
  let [fine, coarse] = [0, 1e-6];
  const value = (at: number) => values[at] as number;
  forInner(grey, MARGIN, (at) => {
    for (const step of [1, size]) {
      const second = value(at + step) - 2 * value(at) + value(at - step);
      const first = value(at + 2 * step) - value(at - 2 * step);
      fine += second * second;
      coarse += first * first;
    }
  });
  return Math.sqrt(fine / coarse);
}

/** Unscaled pixels around the face, up to a size that is fast to process. */
function nativeGrey(picture: Picture, points: readonly Point[]): Grey {
  const { a, b, x, y } = descriptorSquareOf(points, SIZE);
  const side = Math.hypot(a, b) * SIZE;
  const size = Math.max(16, Math.min(SIZE, Math.floor(side * 0.6)));
  const centre = { x: a * 75 - b * 75 + x, y: b * 75 + a * 75 + y };
  const upright = { a: 1, b: 0, x: Math.round(centre.x - size / 2), y: Math.round(centre.y - size / 2) };
  return greyOf(sampleSquare(picture, upright, size), size);
}

/**
 * Residual of each pixel after prediction from its eight neighbours. Edges mostly cancel out, noise does
 * not.
 */
function noiseOf(grey: Grey): number {
  const { size, values } = grey;
  const left: number[] = [];
  const value = (at: number) => values[at] as number;
  forInner(grey, 1, (at) => {
    const corners = value(at - size - 1) + value(at - size + 1) + value(at + size - 1) + value(at + size + 1);
    const sides = value(at - size) + value(at + size) + value(at - 1) + value(at + 1);
    left.push(Math.abs(corners - 2 * sides + 4 * value(at)) / 6);
  });
  // The median is robust against the few edges.
  left.sort((one, other) => one - other);
  return (left[left.length >> 1] ?? 0) / 0.6745;
}
