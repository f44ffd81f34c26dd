/** Renders SVG to pixels. */
import { Resvg } from "@resvg/resvg-js";
import { gifOf } from "../domain/gif.ts";
import type { Size } from "../domain/picture.ts";

export class PictureTooLargeError extends Error {}

const PIXELS_MAX = 16_000_000;
const SIDE_PIXELS_MAX = 16_000;
/** Pictures are rendered at double size for sharp screens, if the limits allow it. */
const ZOOMS = [2, 1] as const;

const fits = ({ width, height }: Size, zoom: number): boolean =>
  width * height * zoom * zoom <= PIXELS_MAX && Math.max(width, height) * zoom <= SIDE_PIXELS_MAX;

const drawingOf = (svg: string, zoom: number) =>
  new Resvg(svg, { fitTo: { mode: "zoom", value: zoom }, font: { loadSystemFonts: false } }).render();

/** The size is checked before the SVG is created, because a large SVG is expensive. */
export function zoomFor(size: Size): number {
  const zoom = ZOOMS.find((one) => fits(size, one));
  if (zoom === undefined)
    throw new PictureTooLargeError(
      `A picture of ${size.width} by ${size.height} pixels is too large; ask for image/svg+xml or send less text.`,
    );
  return zoom;
}
export const pngOf = (svg: string, zoom: number): Uint8Array => drawingOf(svg, zoom).asPng();

export function gifOfSvg(svg: string): Uint8Array {
  const { width, height, pixels } = drawingOf(svg, 1);
  // All pixels are opaque and grey, so one of the four channels suffices.
  const brightness = Uint8Array.from({ length: width * height }, (_, index) => pixels[index * 4] as number);
  return gifOf(width, height, brightness);
}
