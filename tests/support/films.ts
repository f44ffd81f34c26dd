/** Small films made by hand: boxes and elements as cameras write them, with no pictures inside. */

export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 8);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}
const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeInt32BE(value | 0, i * 4);
  return bytes;
};
const EPOCH_1904_SECONDS = 2_082_844_800;

export type FilmParts = {
  readonly brand?: string;
  readonly width?: number;
  readonly height?: number;
  readonly seconds?: number;
  readonly takenAtSeconds?: number;
  readonly location?: string;
  readonly make?: string;
  readonly turned?: boolean;
  readonly pictures?: Buffer;
  /** Where the header comes last, as cameras write it. */
  readonly headerLast?: boolean;
};
const ONE = 0x10000;

/** An MP4 or MOV. */
export function filmOf(parts: FilmParts = {}): Buffer {
  const { brand = "isom", width = 640, height = 360, seconds = 2, takenAtSeconds = 1_700_000_000 } = parts;
  const movieHead = box(
    "mvhd",
    numbers(0, takenAtSeconds + EPOCH_1904_SECONDS, 0, 1000, seconds * 1000),
    Buffer.alloc(80),
  );
  const matrix = parts.turned
    ? numbers(0, ONE, 0, -ONE, 0, 0, 0, 0, 0x40000000)
    : numbers(ONE, 0, 0, 0, ONE, 0, 0, 0, 0x40000000);
  const trackHead = box(
    "tkhd",
    Buffer.alloc(4),
    numbers(0, 0, 1, 0, seconds * 1000),
    Buffer.alloc(16),
    matrix,
    numbers(width * ONE, height * ONE),
  );
  const text = (name: string, value: string): Buffer =>
    box(`\u00a9${name}`, Buffer.from([0, value.length, 0x15, 0xc7]), Buffer.from(value));
  const said = [
    ...(parts.location === undefined ? [] : [text("xyz", parts.location)]),
    ...(parts.make === undefined ? [] : [text("mak", parts.make)]),
  ];
  const movie = box(
    "moov",
    movieHead,
    box("trak", trackHead),
    ...(said.length > 0 ? [box("udta", ...said)] : []),
  );
  const pictures = box("mdat", parts.pictures ?? Buffer.alloc(1000, 7));
  const kind = box("ftyp", Buffer.from(`${brand}\0\0\0\0${brand}`, "latin1"));
  return Buffer.concat(parts.headerLast ? [kind, pictures, movie] : [kind, movie, pictures]);
}

export const element = (id: string, ...content: readonly Buffer[]): Buffer => {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(0x10000000 | size, 0);
  return Buffer.concat([Buffer.from(id, "hex"), head, ...content]);
};
const doubleOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
export function webmOf({ width = 320, height = 240, seconds = 3, tag = "" } = {}): Buffer {
  const size = (id: string, value: number): Buffer => element(id, Buffer.from([value >> 8, value & 255]));
  return Buffer.concat([
    element("1a45dfa3", element("4282", Buffer.from("webm"))),
    element(
      "18538067",
      element(
        "1549a966",
        element("2ad7b1", Buffer.from([0x0f, 0x42, 0x40])),
        element("4489", doubleOf(seconds * 1000)),
      ),
      element("1654ae6b", element("ae", element("e0", size("b0", width), size("ba", height)))),
      ...(tag === "" ? [] : [element("1254c367", Buffer.from(tag))]),
      element("1f43b675", Buffer.alloc(500, 9)),
    ),
  ]);
}
