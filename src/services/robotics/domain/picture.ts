/** Generated avatar of a team: a symmetric pattern in two colours, as base64 PNG. */
import { type Colour, pngOf } from "#kernel/bytes";
import { randomOf } from "./simulation.ts";

const CELLS = 5;
const CELL_PIXELS = 8;
const PIXELS = CELLS * CELL_PIXELS;
const WHITE: Colour = [255, 255, 255];

export function pictureOf(teamNumber: number): string {
  const random = randomOf(teamNumber);
  const part = () => Math.floor(random() * 200);
  const colour: Colour = [part(), part(), part()];
  const half = Math.ceil(CELLS / 2);
  const pattern = Array.from({ length: CELLS * half }, () => random() < 0.5);
  const isInked = (x: number, y: number) => pattern[y * half + Math.min(x, CELLS - 1 - x)] === true;
  const picture = pngOf(
    PIXELS,
    PIXELS,
    (y) => (x) => (isInked(Math.floor(x / CELL_PIXELS), Math.floor(y / CELL_PIXELS)) ? colour : WHITE),
  );
  return picture.toString("base64");
}
