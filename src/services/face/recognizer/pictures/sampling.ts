/**
 * Samples squares of a picture, rotated and scaled for a network. Pixels outside of the picture are black.
 */
import { halved, type Picture } from "./picture.ts";

/** Transform from square to picture coordinates: rotation, uniform scale and translation. */
export type Similarity = { readonly a: number; readonly b: number; readonly x: number; readonly y: number };

/** A square without rotation. */
export const uprightSquare = (left: number, top: number, side: number, size: number): Similarity => ({
  a: side / size,
  b: 0,
  x: left,
  y: top,
});

/** Mirrors a square horizontally. */
export function mirrored(square: Float32Array, size: number): Float32Array {
  const result = new Float32Array(square.length);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const from = (y * size + x) * 3;
      const to = (y * size + size - 1 - x) * 3;
      result[to] = square[from] as number;
      result[to + 1] = square[from + 1] as number;
      result[to + 2] = square[from + 2] as number;
    }
  return result;
}

export function sampleSquare(picture: Picture, transform: Similarity, size: number): Float32Array {
  const { a, b, x, y } = transform;
  // A reduction by more than two samples the half-size picture, so that no pixel is skipped.
  if (Math.hypot(a, b) >= 2 && picture.width > 1 && picture.height > 1)
    return sampleSquare(halved(picture), { a: a / 2, b: b / 2, x: x / 2, y: y / 2 }, size);
  const square = new Float32Array(size * size * 3);
  for (let row = 0, to = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1, to += 3) {
      const u = column + 0.5;
      const v = row + 0.5;
      putSample(picture, a * u - b * v + x - 0.5, b * u + a * v + y - 0.5, square, to);
    }
  return square;
}

/** Bilinear sampling. The edge extends by half a pixel; beyond it is black. */
function putSample(
  { pixels, width, height }: Picture,
  x: number,
  y: number,
  square: Float32Array,
  to: number,
): void {
  if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return;
  const left = Math.max(0, Math.floor(x));
  const top = Math.max(0, Math.floor(y));
  const toRight = Math.max(0, x - left);
  const toBelow = Math.max(0, y - top);
  const first = (top * width + left) * 3;
  const next = left + 1 < width ? 3 : 0;
  const under = top + 1 < height ? width * 3 : 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const at = first + channel;
    const topLeft = pixels[at] as number;
    const bottomLeft = pixels[at + under] as number;
    const above = topLeft + ((pixels[at + next] as number) - topLeft) * toRight;
    const below = bottomLeft + ((pixels[at + under + next] as number) - bottomLeft) * toRight;
    square[to + channel] = above + (below - above) * toBelow;
  }
}

/** Share of pixels that may become black, and share that may become white. */
const CLIPPED = 0.01;
/** Minimum contrast range. Stretching a smaller range would only amplify noise. */
const SPREAD_MIN = 20;

/** Stretches the contrast of dark, pale and flat pictures. */
export function levelled(square: Float32Array): Float32Array {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let at = 0; at < square.length; at += 3) {
    const brightness = brightnessAt(square, at);
    if (brightness === 0) continue;
    const level = Math.min(255, Math.floor(brightness));
    counts[level] = (counts[level] as number) + 1;
    total += 1;
  }
  const darkest = levelBehind(counts, total * CLIPPED);
  const brightest = 255 - levelBehind(Uint32Array.from(counts).reverse(), total * CLIPPED);
  const stretch = 255 / Math.max(SPREAD_MIN, brightest - darkest);
  const result = new Float32Array(square.length);
  for (let at = 0; at < square.length; at += 3)
    if (brightnessAt(square, at) > 0)
      for (let channel = at; channel < at + 3; channel += 1)
        result[channel] = Math.max(0, Math.min(255, ((square[channel] as number) - darkest) * stretch));
  return result;
}
const brightnessAt = (square: Float32Array, at: number): number =>
  0.299 * (square[at] as number) + 0.587 * (square[at + 1] as number) + 0.114 * (square[at + 2] as number);
function levelBehind(counts: Uint32Array, behind: number): number {
  let [level, sum] = [0, 0];
  while (level < 255 && sum + (counts[level] as number) < behind) {
    sum += counts[level] as number;
    level += 1;
  }
  return level;
}
