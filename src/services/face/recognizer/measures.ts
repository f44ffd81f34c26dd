/** What the pixels of a face tell of its picture: blur, brightness, noise; measured on its brightness alone. */
import type { PixelMeasures } from "../domain/attributes.ts";
import type { Point } from "../domain/geometry.ts";
import { descriptorSquareOf } from "./alignment.ts";
import type { Picture } from "./pictures/picture.ts";
import { sampleSquare } from "./pictures/sampling.ts";

/** Faces are compared at this size, whatever size they have in the picture. */
const SIZE = 150;
/** The middle of the square holds the face and no background. */
const MARGIN = 30;
/** Mean steepness between neighbours of a face that is sharp, and of one of which nothing fine is left. */
const SHARP = 0.28;
const SOFT = 0.08;
/** Deviation of the noise, in parts of the whole range, that counts as nothing but noise. */
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

/** How much of what changes between pixels two apart changes between neighbours: half on a slope, more where it is fine. */
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

/** The picture's own pixels around the face, up to a size that is quickly looked at. */
function nativeGrey(picture: Picture, points: readonly Point[]): Grey {
  const { a, b, x, y } = descriptorSquareOf(points, SIZE);
  const side = Math.hypot(a, b) * SIZE;
  const size = Math.max(16, Math.min(SIZE, Math.floor(side * 0.6)));
  const centre = { x: a * 75 - b * 75 + x, y: b * 75 + a * 75 + y };
  const upright = { a: 1, b: 0, x: Math.round(centre.x - size / 2), y: Math.round(centre.y - size / 2) };
  return greyOf(sampleSquare(picture, upright, size), size);
}

/** What is left of each pixel when its eight neighbours explain all they can: edges mostly cancel out, noise does not. */
function noiseOf(grey: Grey): number {
  const { size, values } = grey;
  const left: number[] = [];
  const value = (at: number) => values[at] as number;
  forInner(grey, 1, (at) => {
    const corners = value(at - size - 1) + value(at - size + 1) + value(at + size - 1) + value(at + size + 1);
    const sides = value(at - size) + value(at + size) + value(at - 1) + value(at + 1);
    left.push(Math.abs(corners - 2 * sides + 4 * value(at)) / 6);
  });
  // The middle one, so that the few edges do not count.
  left.sort((one, other) => one - other);
  return (left[left.length >> 1] ?? 0) / 0.6745;
}
