/** A map of the world with markers, drawn from the borders of the country data. It needs no network. */
import { bordersOfCountries } from "./countries.ts";
import type { Position } from "./globe.ts";

const WIDTH = 960;
const PIXELS_PER_DEGREE = WIDTH / 360;
/** Antarctica is left out. */
const NORTH = 84;
const SOUTH = -57;
const HEIGHT = Math.round((NORTH - SOUTH) * PIXELS_PER_DEGREE);
/** Smaller islands are no more than a dot. */
const CORNERS_MIN = 4;
const DOT = 5;

type Point = readonly [x: number, y: number];
const pointOf = (longitude: number, latitude: number): Point => [
  Math.round((longitude + 180) * PIXELS_PER_DEGREE),
  Math.round((NORTH - Math.max(SOUTH, latitude)) * PIXELS_PER_DEGREE),
];

function outlineOf(ring: readonly (readonly number[])[]): string {
  const corners: Point[] = [];
  for (const [longitude = 0, latitude = 0] of ring) {
    const point = pointOf(longitude, latitude);
    const last = corners.at(-1);
    if (last?.[0] !== point[0] || last?.[1] !== point[1]) corners.push(point);
  }
  if (corners.length < CORNERS_MIN) return "";
  return `${corners.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("")}Z`;
}
let land: string | undefined;
/** Made with the first map: it is always the same. */
function landOutline(): string {
  land ??= bordersOfCountries().flat().map(outlineOf).join("");
  return land;
}

export type MapPlace = { readonly position: Position; readonly text: string };
/** `escaped`: escapes user text for use in a document. */
export function drawWorld(places: readonly MapPlace[], escaped: (text: string) => string): string {
  const dots = places.map(({ position, text }) => {
    const [x, y] = pointOf(position.longitude, position.latitude);
    return `<circle class="lit" cx="${x}" cy="${y}" r="${DOT}"><title>${escaped(text)}</title></circle>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="A map of the world with ${places.length} places"><path class="land" d="${landOutline()}"/>${dots.join("")}</svg>`;
}
