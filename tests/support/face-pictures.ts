/** Photographs that packages on npm carry, cut and changed for tests; nothing of them is kept. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp, { type Sharp } from "sharp";

const packaged = createRequire(import.meta.url);
const demos = join(dirname(packaged.resolve("@vladmandic/face-api/package.json")), "demo");
export const GROUP_PICTURE = join(
  dirname(packaged.resolve("tracking/package.json")),
  "examples/assets/faces.jpg",
);

/** One person each: which photograph, and the square around the head. */
const PEOPLE = {
  ann: ["sample1.jpg", 330, 280, 350],
  cleo: ["sample3.jpg", 500, 290, 380],
  dora: ["sample5.jpg", 1340, 340, 320],
  eve: ["sample5.jpg", 710, 60, 300],
  fay: ["sample3.jpg", 1420, 250, 360],
} as const;
export type Person = keyof typeof PEOPLE;
export const people = Object.keys(PEOPLE) as readonly Person[];

/** 250 pixels wide and high, as pictures of single people in public sets are. */
const SIZE = 250;
export async function portraitOf(person: Person): Promise<Buffer> {
  const [file, left, top, side] = PEOPLE[person];
  return sharp(join(demos, file))
    .extract({ left, top, width: side, height: side })
    .resize(SIZE, SIZE)
    .jpeg({ quality: 92 })
    .toBuffer();
}

type Change = (picture: Sharp) => Sharp;
/** What happens to photographs on their way. */
export const changes: Readonly<Record<string, Change>> = {
  smaller: (picture) => picture.resize(90),
  cut: (picture) => picture.extract({ left: 40, top: 30, width: 175, height: 190 }),
  blurred: (picture) => picture.blur(2),
  darker: (picture) => picture.linear(0.35, 0),
  turned: (picture) => picture.rotate(20, { background: "#777777" }),
  mirrored: (picture) => picture.flop(),
  grey: (picture) => picture.greyscale(),
  "of little contrast": (picture) => picture.linear(0.5, 80),
};
export const changed = (portrait: Buffer, change: Change): Promise<Buffer> =>
  change(sharp(portrait)).jpeg({ quality: 90 }).toBuffer();
export const compressed = (portrait: Buffer, quality: number): Promise<Buffer> =>
  sharp(portrait).jpeg({ quality }).toBuffer();

/** The same grain each time, up to `most` of 255 in each direction. */
export async function noisy(portrait: Buffer, most: number): Promise<Buffer> {
  const { data, info } = await sharp(portrait).raw().toBuffer({ resolveWithObject: true });
  let seed = 1;
  for (let i = 0; i < data.length; i += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const grain = (seed / 1_073_741_824 - 1) * most;
    data[i] = Math.max(0, Math.min(255, (data[i] as number) + grain));
  }
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } }).jpeg({ quality: 92 }).toBuffer();
}

/** The three of the group's picture, each with some room around the face. */
const PLACES = {
  left: { left: 10, top: 30, width: 165, height: 200 },
  middle: { left: 185, top: 75, width: 180, height: 215 },
  right: { left: 415, top: 5, width: 170, height: 200 },
} as const;

/** One of the three alone, in a picture of their own; another picture of the same person is smaller and darker. */
export async function portraitInGroup(
  place: keyof typeof PLACES,
  { isAnother = false }: { readonly isAnother?: boolean } = {},
): Promise<Buffer> {
  const cut = sharp(GROUP_PICTURE).extract(PLACES[place]);
  if (!isAnother) return cut.jpeg({ quality: 92 }).toBuffer();
  return cut.modulate({ brightness: 0.8 }).resize({ width: 150 }).png().toBuffer();
}
