/**
 * Writes src/services/contributions/domain/coastlines.ts: the coastlines and borders of Natural Earth (1:110 million, public
 * domain) as paths of an SVG document. To be run again for another scale: `node tools/coastlines.mjs`.
 */
import { writeFileSync } from "node:fs";
import { load } from "./installed.mjs";

const FILE = new URL("../src/services/contributions/domain/coastlines.ts", import.meta.url);
const WIDTH = 960;
const PIXELS_PER_DEGREE = WIDTH / 360;
/** Antarctica is left out. */
const NORTH = 84;
const SOUTH = -57;
const LINE_LENGTH = 100;

const { arcs, transform, objects } = load("coastlines", "world-atlas/countries-110m.json");
const [scale, translate] = [transform.scale, transform.translate];

/** Arcs are stored as differences. */
const positions = arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});
const arcOf = (index) => (index < 0 ? positions[~index].toReversed() : positions[index]);
const ringOf = (indexes) => indexes.flatMap((index, at) => arcOf(index).slice(at === 0 ? 0 : 1));
/** Beyond the edge instead of back across the map; what crosses the edge is drawn on both sides. */
function unwrapped(ring) {
  let turn = 0;
  let before = ring[0][0];
  const whole = ring.map(([longitude, latitude]) => {
    if (Math.abs(longitude - before) > 180) turn += longitude < before ? 360 : -360;
    before = longitude;
    return [longitude + turn, latitude];
  });
  const shifts = [0, -360, 360].filter((shift) =>
    whole.some(([longitude]) => Math.abs(longitude + shift) < 180),
  );
  return shifts.map((shift) => whole.map(([longitude, latitude]) => [longitude + shift, latitude]));
}
const pointOf = ([longitude, latitude]) => [
  Math.round((longitude + 180) * PIXELS_PER_DEGREE),
  Math.round((NORTH - latitude) * PIXELS_PER_DEGREE),
];

/** Absolute at its beginning, then relative. */
function pathOf(line, isClosed) {
  const points = line
    .map(pointOf)
    .filter(([x, y], at, all) => at === 0 || x !== all[at - 1][0] || y !== all[at - 1][1]);
  if (points.length < (isClosed ? 4 : 2)) return "";
  const steps = points.slice(1).map(([x, y], at) => {
    const [dx, dy] = [x - points[at][0], y - points[at][1]];
    return `${at > 0 && dx >= 0 ? " " : ""}${dx}${dy >= 0 ? " " : ""}${dy}`;
  });
  return `M${points[0].join(" ")}l${steps.join("")}${isClosed ? "z" : ""}`;
}

const polygonsOf = ({ type, arcs: parts }) => (type === "Polygon" ? [parts] : parts);
const isNorth = (ring) => ring.some(([, latitude]) => latitude > SOUTH);
const land = polygonsOf(objects.land.geometries?.[0] ?? objects.land)
  .flat()
  .map(ringOf)
  .filter(isNorth)
  .flatMap(unwrapped)
  .map((ring) => pathOf(ring, true));
/** A line between two countries is part of both. */
const uses = new Map();
for (const country of objects.countries.geometries)
  for (const index of polygonsOf(country).flat(2)) {
    const arc = index < 0 ? ~index : index;
    uses.set(arc, (uses.get(arc) ?? 0) + 1);
  }
const borders = [...uses].filter(([, count]) => count > 1).map(([arc]) => pathOf(positions[arc], false));

const linesOf = (path) =>
  path.match(new RegExp(`.{1,${LINE_LENGTH}}`, "g")).map((line) => `  ${JSON.stringify(line)},`);
const constant = (name, says, path) =>
  `/** ${says} */\nexport const ${name} = [\n${linesOf(path).join("\n")}\n].join("");\n`;
writeFileSync(
  FILE,
  `/** Made by tools/coastlines.mjs from Natural Earth, which is in the public domain. Not to be changed by hand. */

export const MAP = { width: ${WIDTH}, north: ${NORTH}, south: ${SOUTH} } as const;
${constant("LAND", "The coasts.", land.join(""))}${constant("BORDERS", "The borders on land.", borders.join(""))}`,
);
