/** A map of the world with markers, drawn from coastlines that the product has. It needs no network. */
import { BORDERS, LAND, MAP } from "./coastlines.ts";
import type { Position } from "./globe.ts";

const PIXELS_PER_DEGREE = MAP.width / 360;
const HEIGHT = Math.round((MAP.north - MAP.south) * PIXELS_PER_DEGREE);
const DOT = 6;
const DOT_MAX = 14;

type Point = readonly [x: number, y: number];
const pointOf = (longitude: number, latitude: number): Point => [
  Math.round((longitude + 180) * PIXELS_PER_DEGREE),
  Math.round((MAP.north - Math.max(MAP.south, latitude)) * PIXELS_PER_DEGREE),
];
/** Every thirty degrees. */
const GRID = [-150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150]
  .map((degrees) => {
    const [x, y] = pointOf(degrees, degrees);
    const isParallel = degrees > MAP.south && degrees < MAP.north;
    return `M${x} 0V${HEIGHT}${isParallel ? `M0 ${y}H${MAP.width}` : ""}`;
  })
  .join("");

export type MapPlace = { readonly position: Position; readonly text: string };
const TEXTS_MAX = 10;
const textOf = (texts: readonly string[]): string => {
  const more = texts.length > TEXTS_MAX ? [`and ${texts.length - TEXTS_MAX} more`] : [];
  return [...texts.slice(0, TEXTS_MAX), ...more].join("\n");
};
/** What lies at one point is one mark, the larger the more there is. `escaped`: escapes user text for use in a document. */
export function drawWorld(places: readonly MapPlace[], escaped: (text: string) => string): string {
  const byPoint = new Map<string, { readonly point: Point; readonly texts: string[] }>();
  for (const { position, text } of places) {
    const point = pointOf(position.longitude, position.latitude);
    const known = byPoint.get(point.join()) ?? { point, texts: [] };
    known.texts.push(text);
    byPoint.set(point.join(), known);
  }
  const dots = [...byPoint.values()].map(({ point: [x, y], texts }) => {
    const radius = Math.min(DOT_MAX, Math.round(DOT + 2 * Math.log2(texts.length)));
    return `<circle class="place" cx="${x}" cy="${y}" r="${radius}"><title>${escaped(textOf(texts))}</title></circle>`;
  });
  const drawn = `<rect class="sea" width="${MAP.width}" height="${HEIGHT}"/><path class="grid" d="${GRID}"/><path class="land" d="${LAND}"/><path class="border" d="${BORDERS}"/>${dots.join("")}`;
  return `<svg class="world" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MAP.width} ${HEIGHT}" role="img" aria-label="A map of the world with ${places.length} places">${drawn}</svg>`;
}
