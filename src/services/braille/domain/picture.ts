/** Braille as a picture: geometry and SVG. A millimetre of paper is four units. */
import { escapeHtml } from "#kernel/html";
import { dotsOf, isEightDot, type Page } from "./cells.ts";

export type Size = { readonly width: number; readonly height: number };

/** Distances between dots, cells and lines, as in embossed braille: 2.5, 6 and 10 millimetres. */
const DOT_STEP = 10;
const CELL_STEP = 24;
const LINE_STEP = 40;
const EIGHT_DOT_LINE_STEP = LINE_STEP + DOT_STEP;
const DOT_DIAMETER = 6;
const MARK_DIAMETER = 1.5;
const MARGIN = 24;
const DESCRIPTION_LENGTH_MAX = 200;

/** Distance from the left and top edges to the first dot of a cell. */
const INSET_X = (CELL_STEP - DOT_STEP) / 2;
const INSET_Y = (LINE_STEP - 2 * DOT_STEP) / 2;

/** Column and row of each dot, starting with dot 1. */
const PLACES = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;

const lineStepOf = (page: Page): number =>
  page.some((line) => line.some(isEightDot)) ? EIGHT_DOT_LINE_STEP : LINE_STEP;

function sizeWithin(page: Page, margin: number): Size {
  const cellsMax = page.reduce((most, line) => Math.max(most, line.length), 1);
  return {
    width: cellsMax * CELL_STEP + 2 * margin,
    height: Math.max(1, page.length) * lineStepOf(page) + 2 * margin,
  };
}
export const pictureSizeOf = (page: Page): Size => sizeWithin(page, MARGIN);

/** A zero-length line with round caps is the shortest way to write a dot in SVG. */
function dotPaths(page: Page, margin: number): { raised: string; flat: string } {
  const lineStep = lineStepOf(page);
  const dotCount = lineStep === LINE_STEP ? 6 : 8;
  const raised: string[] = [];
  const flat: string[] = [];
  page.forEach((line, row) => {
    line.forEach((cell, column) => {
      if (cell === 0) return;
      const up = new Set(dotsOf(cell));
      for (let dot = 1; dot <= dotCount; dot += 1) {
        const [x, y] = PLACES[dot - 1] as readonly [number, number];
        const point = `M${margin + column * CELL_STEP + INSET_X + x * DOT_STEP} ${margin + row * lineStep + INSET_Y + y * DOT_STEP}h0`;
        (up.has(dot) ? raised : flat).push(point);
      }
    });
  });
  return { raised: raised.join(""), flat: flat.join("") };
}

function svgWithin(page: Page, margin: number, description: string): string {
  const { width, height } = sizeWithin(page, margin);
  const { raised, flat } = dotPaths(page, margin);
  const path = (points: string, color: string, diameter: number) =>
    points === ""
      ? ""
      : `<path d="${points}" fill="none" stroke="${color}" stroke-width="${diameter}" stroke-linecap="round"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeHtml(description)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    path(flat, "#bbb", MARK_DIAMETER),
    path(raised, "#111", DOT_DIAMETER),
    "</svg>",
  ].join("");
}

/**
 * Picture of the whole page. Flat dots are faintly visible, so that sighted readers can separate the cells.
 */
export function pictureOf(page: Page, text: string): string {
  const readable = text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, " ");
  return svgWithin(page, MARGIN, [...readable].slice(0, DESCRIPTION_LENGTH_MAX).join(""));
}

/** Picture of one cell. */
export const cellPictureOf = (cell: number): string =>
  svgWithin([Uint8Array.of(cell)], 0, cell === 0 ? "blank" : `dots ${dotsOf(cell).join(" ")}`);
