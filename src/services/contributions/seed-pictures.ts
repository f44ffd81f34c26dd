/** Generated pictures for the demo data: a river, and things on it. */
import { type Colour, pngOf } from "#kernel/bytes";

const WIDTH = 600;
const HEIGHT = 400;

/** A position: x from 0 to 1.5, y from 0 to 1. */
type Shape = {
  readonly colour: Colour;
  readonly top: number;
  readonly bottom: number;
  /** The colour between top and bottom. */
  readonly isIn: (x: number, y: number) => boolean;
};
type Scene = {
  /** Above and at the horizon. */
  readonly sky: readonly [Colour, Colour];
  readonly sun?: Shape;
  readonly hills: Colour;
  /** At the horizon and in front. */
  readonly water: readonly [Colour, Colour];
  readonly things: readonly Shape[];
};

const HORIZON = 0.55;
const disc = (colour: Colour, atX: number, atY: number, radius: number, flat = 1): Shape => ({
  colour,
  top: atY - radius * flat,
  bottom: atY + radius * flat,
  isIn: (x, y) => (x - atX) ** 2 + ((y - atY) / flat) ** 2 < radius ** 2,
});
const box = (colour: Colour, left: number, top: number, right: number, bottom: number): Shape => ({
  colour,
  top,
  bottom,
  isIn: (x) => x >= left && x < right,
});
/** Narrower at its bottom, like a boat, or at its top. */
const tapered = (
  colour: Colour,
  [left, top, right, bottom]: readonly [number, number, number, number],
  narrowing: number,
): Shape => ({
  colour,
  top,
  bottom,
  isIn(x, y) {
    const part = (y - top) / (bottom - top);
    const inset = narrowing > 0 ? narrowing * part : -narrowing * (1 - part);
    return x >= left + inset && x < right - inset;
  },
});

const WHITE: Colour = [247, 247, 242];
const STONE: Colour = [150, 143, 132];
const SHADOW: Colour = [96, 92, 88];
const WOOD: Colour = [122, 78, 46];
const RED: Colour = [178, 58, 48];
const BRICK: Colour = [188, 112, 84];
const DAY = {
  sky: [
    [120, 176, 220],
    [214, 232, 240],
  ],
  water: [
    [126, 158, 168],
    [58, 92, 108],
  ],
} as const;

const arches = [0.18, 0.5, 0.82, 1.14]
  .map((x) => disc(DAY.water[0], x + 0.09, 0.66, 0.12, 1.1))
  .map((arch) => ({ ...arch, bottom: 0.66 }));
const ducks = [0.3, 0.48, 0.72, 0.9, 1.12].flatMap((x, at) => {
  const y = 0.68 + (at % 3) * 0.08;
  return [
    disc([92, 74, 52], x, y, 0.045, 0.55),
    disc([38, 92, 62], x + 0.042, y - 0.03, 0.018),
    box([224, 160, 48], x + 0.056, y - 0.032, x + 0.076, y - 0.022),
  ];
});
const house = (left: number, wall: Colour): Shape[] => [
  box(wall, left, 0.3, left + 0.26, 0.62),
  tapered(RED, [left - 0.02, 0.2, left + 0.28, 0.3], -0.12),
  ...[0.04, 0.15].flatMap((x) =>
    [0.35, 0.47].map((y) => box([70, 86, 96], left + x, y, left + x + 0.07, y + 0.07)),
  ),
];

const SCENES = {
  bridge: {
    ...DAY,
    hills: [104, 140, 98],
    things: [box(STONE, 0, 0.46, 1.5, 0.66), ...arches, box(SHADOW, 0, 0.44, 1.5, 0.47)],
  },
  ducks: {
    ...DAY,
    hills: [92, 146, 84],
    water: [
      [128, 160, 120],
      [86, 124, 104],
    ],
    things: ducks,
  },
  street: {
    ...DAY,
    hills: [120, 132, 124],
    water: [
      [138, 128, 104],
      [96, 88, 70],
    ],
    things: [
      ...house(0.08, WHITE),
      ...house(0.42, BRICK),
      ...house(0.98, [222, 196, 148]),
      tapered(WOOD, [0.52, 0.74, 0.96, 0.84], 0.08),
      disc([60, 70, 120], 0.66, 0.7, 0.035, 1.6),
      disc([160, 60, 90], 0.8, 0.7, 0.032, 1.6),
    ],
  },
  dam: {
    sky: [
      [74, 62, 110],
      [246, 154, 84],
    ],
    sun: disc([255, 214, 120], 1.02, 0.44, 0.11),
    hills: [60, 48, 70],
    water: [
      [222, 130, 84],
      [70, 52, 88],
    ],
    things: [tapered([88, 84, 92], [0.12, 0.42, 0.78, 0.62], -0.05), box(SHADOW, 0.16, 0.41, 0.74, 0.43)],
  },
  ferry: {
    ...DAY,
    sky: [
      [150, 170, 190],
      [222, 226, 226],
    ],
    hills: [86, 108, 116],
    things: [
      box(WHITE, 0.5, 0.5, 1.02, 0.6),
      box(RED, 0.84, 0.4, 0.92, 0.5),
      ...[0.54, 0.64, 0.74, 0.84, 0.94].map((x) => box([70, 96, 120], x, 0.53, x + 0.05, 0.57)),
      tapered([34, 62, 92], [0.36, 0.6, 1.18, 0.72], 0.1),
    ],
  },
} satisfies Record<string, Scene>;
export type SceneName = keyof typeof SCENES;

const between = ([r, g, b]: Colour, [toR, toG, toB]: Colour, part: number): Colour => [
  r + (toR - r) * part,
  g + (toG - g) * part,
  b + (toB - b) * part,
];
const columns = (heightAt: (x: number) => number) =>
  Float64Array.from({ length: WIDTH }, (_, column) => heightAt(column / HEIGHT));
const HILLS = columns((x) => HORIZON - 0.07 - 0.04 * Math.sin(5 * x) - 0.02 * Math.sin(13 * x + 1));
const WAVES = columns((x) => 5 * Math.sin(7 * x));
const RIPPLE_FROM = 0.82;

/** One row of a scene, from column to column. */
function rowOf({ sky, sun, hills, water, things }: Scene, row: number): (column: number) => Colour {
  const y = row / HEIGHT;
  const isThere = ({ top, bottom }: Shape) => y >= top && y < bottom;
  const inRow = things.filter(isThere);
  const sunInRow = sun && isThere(sun) ? sun : undefined;
  const depth = (y - HORIZON) / (1 - HORIZON);
  const plain = y < HORIZON ? between(...sky, y / HORIZON) : between(...water, depth);
  const ripple = between(...water, Math.max(0, depth - 0.25));
  return (column) => {
    const x = column / HEIGHT;
    const thing = inRow.findLast(({ isIn }) => isIn(x, y));
    if (thing) return thing.colour;
    if (y >= HORIZON) return Math.sin(90 * y * y + Number(WAVES[column])) > RIPPLE_FROM ? ripple : plain;
    if (y > Number(HILLS[column])) return hills;
    return sunInRow?.isIn(x, y) ? sunInRow.colour : plain;
  };
}

export const paint = (name: SceneName) => ({
  bytes: pngOf(WIDTH, HEIGHT, (row) => rowOf(SCENES[name], row)),
  width: WIDTH,
  height: HEIGHT,
});
