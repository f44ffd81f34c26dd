/** Metadata from the header alone, and the files that are refused because of it. */
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { box, filmOf, webmOf } from "../../../../tests/support/films.ts";
import { MediaProblem, readerOf } from "./byte-reader.ts";
import { probe } from "./probe.ts";

const plain = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: { r: 200, g: 60, b: 30 } } });
const NOTES = {
  IFD0: { Make: "Example", Model: "Example One" },
  IFD2: { DateTimeOriginal: "2026:05:01 12:30:00", OffsetTimeOriginal: "+02:00" },
  IFD3: {
    GPSLatitudeRef: "S",
    GPSLatitude: "33/1 51/1 36/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "151/1 12/1 0/1",
  },
};
const TOLD = {
  width: 60,
  height: 40,
  camera: "Example One",
  takenAtMs: 1_777_631_400_000,
  position: { latitude: -33.86, longitude: 151.2 },
};

test.each(["jpeg", "webp", "png"] as const)("%s: size, camera, time and place", async (format) => {
  const bytes = await plain().withExif(NOTES).toFormat(format).toBuffer();
  expect(await probe(readerOf(bytes))).toMatchObject({ ...TOLD, format: { name: format, kind: "image" } });
});
test("a picture that lies on its side is told upright", async () => {
  const bytes = await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await probe(readerOf(bytes))).toMatchObject({ width: 40, height: 60, orientation: 6 });
});
test("GIF, WebP without loss and HEIC", async () => {
  expect(await probe(readerOf(await plain().gif().toBuffer()))).toMatchObject({ width: 60, height: 40 });
  const lossless = await plain().webp({ lossless: true }).toBuffer();
  expect(await probe(readerOf(lossless))).toMatchObject({ width: 60, height: 40 });
  const avif = await plain().avif().toBuffer();
  // The same boxes under the brand of a phone's pictures.
  const heic = Buffer.from(avif.toString("latin1").replace("ftypavif", "ftypheic"), "latin1");
  expect(await probe(readerOf(heic))).toMatchObject({ width: 60, height: 40, format: { name: "heic" } });
  await expect(probe(readerOf(avif))).rejects.toThrow(/none that are taken here/);
});

test("films: size, length, time and place, wherever the header is", async () => {
  const place = { location: "+48.8577+002.2950/", make: "Example" };
  for (const headerLast of [false, true])
    expect(await probe(readerOf(filmOf({ ...place, headerLast, seconds: 7 })))).toMatchObject({
      format: { name: "mp4", kind: "video" },
      width: 640,
      height: 360,
      durationSeconds: 7,
      takenAtMs: 1_700_000_000_000,
      camera: "Example",
      position: { latitude: 48.8577, longitude: 2.295 },
    });
  expect(await probe(readerOf(filmOf({ brand: "qt  ", turned: true })))).toMatchObject({
    format: { name: "mov" },
    width: 360,
    height: 640,
  });
  expect(await probe(readerOf(webmOf()))).toMatchObject({
    format: { name: "webm" },
    width: 320,
    height: 240,
    durationSeconds: 3,
  });
});

test("fill bytes between the markers of a JPEG are read once", async () => {
  const bytes = await plain().withExif(NOTES).jpeg().toBuffer();
  const comment = Buffer.concat([Buffer.alloc(5000, 0xff), Buffer.from("fffe0002", "hex")]);
  const filled = (count: number): Buffer =>
    Buffer.concat([
      bytes.subarray(0, 2),
      ...Array.from({ length: count }, () => comment),
      Buffer.alloc(200_000, 0xff),
      bytes.subarray(2),
    ]);
  let reads = 0;
  const counted = (content: Buffer) => {
    const reader = readerOf(content);
    const read = (start: number, length: number) => {
      reads += 1;
      return reader.read(start, length);
    };
    return { ...reader, read };
  };
  expect(await probe(counted(filled(1000)))).toMatchObject(TOLD);
  expect(reads).toBeLessThan(6000);
});

/** A PNG whose header claims an enormous size. */
function bomb(width: number, height: number, depth = 8): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("89504e470d0a1a0a0000000d49484452", "hex");
  bytes[24] = depth;
  bytes[25] = 6;
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
test("of a picture with 16 bits a channel half as many pixels are taken, to the last", async () => {
  expect(await probe(readerOf(bomb(10_000, 5000, 16)))).toMatchObject({ width: 10_000, height: 5000 });
  expect(await probe(readerOf(bomb(10_000, 10_000, 8)))).toMatchObject({ width: 10_000, height: 10_000 });
});
test("of a long picture as many pixels on a side are taken, to the last", async () => {
  expect(await probe(readerOf(bomb(30_000, 3333)))).toMatchObject({ width: 30_000, height: 3333 });
  expect(await probe(readerOf(bomb(1, 30_000)))).toMatchObject({ width: 1, height: 30_000 });
});
test.each<readonly [string, Buffer, RegExp]>([
  ["nothing", Buffer.alloc(0), /none that are taken/],
  ["a page", Buffer.from("<html><script>alert(1)</script>"), /none that are taken/],
  ["an SVG with script", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /none that/],
  ["an archive", Buffer.from("504b0304000000000000", "hex"), /none that are taken/],
  ["a PDF", Buffer.from("%PDF-1.7"), /none that are taken/],
  ["a bomb", bomb(100_000, 100_000), /100000 x 100000 pixels/],
  ["a deep bomb", bomb(10_000, 5001, 16), /50 million of 8 bytes/],
  ["a bomb that is a little too large", bomb(10_000, 10_001), /at most 100 million of 4 bytes/],
  ["a long bomb", bomb(1, 4_000_000_000), /pixels/],
  ["a picture that is a little too wide", bomb(30_001, 1), /30000 on a side/],
  ["a picture that is a little too high", bomb(1, 30_001), /30000 on a side/],
  ["a picture without size", bomb(0, 10), /does not say how large/],
  ["a JPEG that ends at once", Buffer.from("ffd8ffe0", "hex"), /damaged/],
  [
    "a film without header",
    Buffer.concat([box("ftyp", Buffer.from("isom\0\0\0\0")), box("mdat")]),
    /header is missing/,
  ],
  [
    "a Matroska that is no WebM",
    Buffer.from("1a45dfa38b4282886d6174726f736b61", "hex"),
    /none that are taken/,
  ],
])("%s is refused", async (_what, bytes, message) => {
  const refused = await probe(readerOf(bytes)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(MediaProblem);
  expect((refused as Error).message).toMatch(message);
});

test("whatever is damaged ends in a refusal or in something told, never in a crash", async () => {
  const samples = [
    await plain().withExif(NOTES).jpeg().toBuffer(),
    await plain().withExif(NOTES).png().toBuffer(),
    await plain().withExif(NOTES).webp().toBuffer(),
    await plain().gif().toBuffer(),
    filmOf({ location: "+48.8577+002.2950/" }),
    webmOf({ tag: "x" }),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: samples.length - 1 }),
      fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 12 }),
      fc.nat(2000),
      async (which, changes, cut) => {
        const bytes = Buffer.from(samples[which] as Buffer).subarray(0, Math.max(1, cut));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        try {
          await probe(readerOf(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(MediaProblem);
        }
      },
    ),
    { numRuns: 400 },
  );
});
