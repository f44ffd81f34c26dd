/** Pictures of all kinds and conditions: read upright, or refused for what is wrong with them, and never more memory than the header allows. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { jpegOfScans, jpegWithExif } from "../../../../../tests/support/scans.ts";
import { readPicture } from "./read.ts";

const WIDTH = 96;
const HEIGHT = 64;
/** Red above, blue below, with some grain so that nothing becomes smaller than a picture may be. */
const grain = (i: number): number => ((i * i * 31 + i * 7919) % 257) % 23;
const PIXELS = Buffer.alloc(WIDTH * HEIGHT * 3);
for (let i = 0; i < WIDTH * HEIGHT; i += 1) {
  PIXELS[i * 3] = (i < (WIDTH * HEIGHT) / 2 ? 230 : 10) + grain(i);
  PIXELS[i * 3 + 1] = 10 + grain(i);
  PIXELS[i * 3 + 2] = (i < (WIDTH * HEIGHT) / 2 ? 10 : 230) + grain(i);
}
const drawing = () => sharp(PIXELS, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, 1024 - bytes.length))]);

function bmpOf({ bits = 24, topDown = false }: { bits?: 24 | 32; topDown?: boolean } = {}): Buffer {
  const step = bits / 8;
  const rowBytes = Math.ceil((WIDTH * step) / 4) * 4;
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(54 + rowBytes * HEIGHT, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(WIDTH, 18);
  header.writeInt32LE(topDown ? -HEIGHT : HEIGHT, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  const rows = Buffer.alloc(rowBytes * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) {
      const from = (y * WIDTH + x) * 3;
      const to = (topDown ? y : HEIGHT - 1 - y) * rowBytes + x * step;
      for (let channel = 0; channel < 3; channel += 1)
        rows[to + channel] = PIXELS[from + 2 - channel] as number;
    }
  return Buffer.concat([header, rows]);
}
/** Two colours, one bit each: red above. */
function twoColourBmp(): Buffer {
  const rowBytes = Math.ceil(WIDTH / 32) * 4;
  const bytes = Buffer.alloc(62 + rowBytes * HEIGHT);
  bmpOf().copy(bytes, 0, 0, 54);
  bytes.writeUInt32LE(62, 10);
  bytes.writeUInt16LE(1, 28);
  bytes.writeUInt32LE(2, 46);
  bytes.set([230, 10, 10, 0, 10, 10, 230, 0], 54);
  bytes.fill(0xff, 62 + (rowBytes * HEIGHT) / 2);
  return padded(bytes);
}
/** Runs of one colour: all rows of 96 pixels, the upper half the second colour. */
function runLengthBmp(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => [WIDTH, y < HEIGHT / 2 ? 0 : 1, 0, 0]).flat();
  const bytes = Buffer.alloc(62 + rows.length + 2);
  bmpOf().copy(bytes, 0, 0, 54);
  bytes.writeUInt32LE(62, 10);
  bytes.writeUInt16LE(8, 28);
  bytes.writeUInt32LE(1, 30);
  bytes.writeUInt32LE(2, 46);
  bytes.set([230, 10, 10, 0, 10, 10, 230, 0], 54);
  bytes.set([...rows, 0, 1], 62);
  return padded(bytes);
}

async function coloursOf(bytes: Buffer): Promise<string> {
  const { width, height, pixels } = await readPicture(bytes);
  const colourAt = (y: number): string => {
    const [red = 0, , blue = 0] = pixels.subarray((y * width + (width >> 1)) * 3);
    return red > blue + 60 ? "red" : blue > red + 60 ? "blue" : "grey";
  };
  return `${width}x${height} ${colourAt(Math.round(height * 0.2))} ${colourAt(Math.round(height * 0.8))}`;
}
const UPRIGHT = `${WIDTH}x${HEIGHT} red blue`;

describe("pictures that can be read", () => {
  it.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ["JPEG", () => drawing().jpeg({ quality: 95 }).toBuffer(), UPRIGHT],
    ["progressive JPEG", () => drawing().jpeg({ progressive: true, quality: 95 }).toBuffer(), UPRIGHT],
    ["CMYK JPEG", () => drawing().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(), UPRIGHT],
    [
      "grey JPEG",
      () => drawing().greyscale().jpeg({ quality: 100 }).toBuffer(),
      `${WIDTH}x${HEIGHT} grey grey`,
    ],
    [
      "JPEG turned by its EXIF",
      () => drawing().withMetadata({ orientation: 3 }).jpeg({ quality: 95 }).toBuffer(),
      `${WIDTH}x${HEIGHT} blue red`,
    ],
    [
      "JPEG laid on its side by its EXIF",
      async () => drawing().rotate(90).withMetadata({ orientation: 8 }).jpeg({ quality: 95 }).toBuffer(),
      UPRIGHT,
    ],
    ["PNG", () => drawing().png().toBuffer(), UPRIGHT],
    ["PNG of 16 bits", () => drawing().toColourspace("rgb16").png().toBuffer(), UPRIGHT],
    [
      "PNG with a palette",
      async () => padded(await drawing().png({ palette: true, colours: 16 }).toBuffer()),
      UPRIGHT,
    ],
    ["PNG with transparency", () => drawing().ensureAlpha(0.9).png().toBuffer(), UPRIGHT],
    ["interlaced PNG", () => drawing().png({ progressive: true }).toBuffer(), UPRIGHT],
    ["GIF", async () => padded(await drawing().gif().toBuffer()), UPRIGHT],
    ["first frame of an animated GIF", animatedGif, UPRIGHT],
    ["WebP", async () => padded(await drawing().webp({ quality: 95 }).toBuffer()), UPRIGHT],
    ["WebP without loss", async () => padded(await drawing().webp({ lossless: true }).toBuffer()), UPRIGHT],
    [
      "WebP with transparency",
      async () => padded(await drawing().ensureAlpha(0.9).webp().toBuffer()),
      UPRIGHT,
    ],
    ["BMP of 24 bits", () => bmpOf(), UPRIGHT],
    ["BMP of 32 bits, top row first", () => bmpOf({ bits: 32, topDown: true }), UPRIGHT],
    ["BMP of two colours", twoColourBmp, UPRIGHT],
    ["BMP of run lengths", runLengthBmp, UPRIGHT],
    [
      "JPEG with something else behind it",
      async () => Buffer.concat([await drawing().jpeg().toBuffer(), Buffer.from("PK\u0003\u0004<script>")]),
      UPRIGHT,
    ],
  ])("%s", async (_kind, make, seen) => {
    expect(await coloursOf(await make())).toBe(seen);
  });
  it("makes large ones smaller, and remembers by how much", async () => {
    const large = await drawing().resize(3840, 2560).jpeg().toBuffer();
    expect(await readPicture(large)).toMatchObject({ width: 1920, height: 1280, scale: 2 });
  });
});

/** Two frames below each other, the second upside down. */
async function animatedGif(): Promise<Buffer> {
  const turned = await drawing().flip().raw().toBuffer();
  const both = Buffer.concat([PIXELS, turned]);
  const raw = { width: WIDTH, height: HEIGHT * 2, channels: 3, pageHeight: HEIGHT } as const;
  return padded(
    await sharp(both, { raw })
      .gif({ loop: 0, delay: [100, 100] })
      .toBuffer(),
  );
}

/** A picture that says it is huge and is tiny as a file. */
function pngThatSays(width: number, height: number, depth = 8): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const bytes = Buffer.alloc(body.length + 8);
    bytes.writeUInt32BE(data.length);
    body.copy(bytes, 4);
    bytes.writeInt32BE(crcOf(body), body.length + 4);
    return bytes;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const zeros = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", zeros),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
function crcOf(bytes: Buffer): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc;
}
function bmpThatSays(width: number, height: number): Buffer {
  const bytes = bmpOf();
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}
const jpeg = () => drawing().jpeg({ quality: 95 }).toBuffer();

describe("pictures that are refused", () => {
  it.each<[string, () => Promise<Buffer> | Buffer, string, string]>([
    ["less than 1 KB", () => Buffer.alloc(1023), "invalidImageSize", "at least 1 KB"],
    ["more than 6 MB", () => Buffer.alloc(6 * 1024 * 1024 + 1), "invalidImageSize", "at most 6 MB"],
    ["a text", () => Buffer.from("no picture at all. ".repeat(100)), "invalidImage", "format unsupported"],
    [
      "an SVG",
      () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${" ".repeat(1024)}</svg>`),
      "invalidImage",
      "format unsupported",
    ],
    [
      "a WebP that ends early",
      async () => (await drawing().webp({ quality: 100 }).toBuffer()).subarray(0, 1100),
      "invalidImage",
      "damaged",
    ],
    [
      "a sound in the frame of a WebP",
      () => Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt "), Buffer.alloc(2000)]),
      "invalidImage",
      "format unsupported",
    ],
    ["a TIFF", () => drawing().tiff().toBuffer(), "invalidImage", "format unsupported"],
    ["a JPEG that ends early", async () => (await jpeg()).subarray(0, 1500), "invalidImage", "damaged"],
    [
      "a JPEG of noise",
      () => Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(4000, 0xa5)]),
      "invalidImage",
      "damaged",
    ],
    [
      "a PNG that ends early",
      async () => (await drawing().png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9000),
      "invalidImage",
      "damaged",
    ],
    [
      "a GIF of nothing",
      () => Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(2000)]),
      "invalidImage",
      "damaged",
    ],
    ["a PNG that would be 10 gigapixels", () => pngThatSays(100_000, 100_000), "invalidImageSize", "too big"],
    ["6 MB of nothing", () => Buffer.alloc(6 * 1024 * 1024), "invalidImage", "format unsupported"],
    ["a PNG of a pixel too many", () => pngThatSays(4_923_077, 13), "invalidImageSize", "64 million"],
    ["a PNG of just so many", () => pngThatSays(8000, 8000), "invalidImage", "damaged"],
    [
      "a PNG of 42.7 megapixels with 16 bits a channel",
      () => pngThatSays(6400, 6667, 16),
      "invalidImageSize",
      "at most 256",
    ],
    ["a deep PNG that is just small enough", () => pngThatSays(6400, 6666, 16), "invalidImage", "damaged"],
    ["a PNG that has less than it says", () => pngThatSays(4000, 4000), "invalidImage", "damaged"],
    [
      "a BMP that would be 4 exabytes",
      () => bmpThatSays(2_000_000_000, 2_000_000_000),
      "invalidImageSize",
      "too big",
    ],
    [
      "a BMP that has less than it says",
      () => bmpThatSays(4000, 4000),
      "invalidImage",
      "before its last row",
    ],
    ["a JPEG of 101 scans", () => jpegOfScans(101), "invalidImage", "more than 100 scans"],
    [
      "a JPEG of 5000 entries of EXIF",
      () => jpegWithExif(jpegOfScans(1), 5000),
      "invalidImage",
      "more than 1000 entries of EXIF",
    ],
    ["a BMP of no width", () => bmpThatSays(0, 100), "invalidImage", "makes no sense"],
    ["a BMP that ends in its header", () => padded(Buffer.from("BM")), "invalidImage", "header"],
    [
      "a picture smaller than a face",
      async () => padded(await drawing().resize(35, 60).jpeg().toBuffer()),
      "invalidImageSize",
      "at least 36 x 36",
    ],
  ])("%s", async (_kind, make, problem, message) => {
    const refused = await readPicture(await make()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ problem, message: expect.stringContaining(message) });
  });
  it("but not the smallest", async () => {
    const small = padded(await drawing().resize(36, 36, { fit: "fill" }).jpeg().toBuffer());
    expect(await readPicture(small)).toMatchObject({ width: 36, height: 36 });
  });
  it("but not one of 100 scans", async () => {
    expect(await readPicture(jpegOfScans(100))).toMatchObject({ width: 64, height: 64 });
  });
  it("takes no memory for what a header only claims", async () => {
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 20; i += 1) await readPicture(pngThatSays(60_000, 60_000)).catch(() => {});
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});
