/** How much is read of what strangers upload: the last that counts, and the first that does not. */
import { expect, it } from "vitest";
import { box, filmOf } from "../../../../tests/support/films.ts";
import { boxesIn, boxesOf } from "./boxes.ts";
import { readerOf } from "./byte-reader.ts";
import { readCameraNotes } from "./exif.ts";
import { readFilmHeader } from "./film-header.ts";
import { readPictureHeader } from "./picture-header.ts";
import { elementsOf } from "./webm.ts";

const repeated = (count: number, one: Buffer): Buffer => Buffer.concat(Array(count).fill(one));
const chunk = (type: string, content = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content, Buffer.alloc(4)]);
};
const pngOf = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.alloc(8),
    chunk("IHDR", Buffer.from([0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0])),
    ...chunks,
  ]);
const webpOf = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([Buffer.alloc(12), ...chunks]);
const webpChunk = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
};

it("500 entries of a camera's notes, and 100 bytes of a text", () => {
  const entry = (tag: number, type: number, count: number, value: number): Buffer => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const notesOf = (entries: readonly Buffer[], behind = Buffer.alloc(0)) => {
    const head = Buffer.from("49492a00080000000000", "hex");
    head.writeUInt16LE(entries.length, 8);
    return readCameraNotes(Buffer.concat([head, ...entries, behind]));
  };
  const turnedAt = (place: number) =>
    notesOf([...Array(place - 1).fill(entry(1, 3, 1, 1)), entry(0x112, 3, 1, 6)]).orientation;
  expect([500, 501].map(turnedAt)).toEqual([6, undefined]);
  const named = (length: number) =>
    notesOf([entry(0x110, 2, length, 22)], Buffer.from("m".repeat(length))).camera?.length;
  expect([99, 100, 101].map(named)).toEqual([99, 100, 100]);
});

it("256 KB of the notes in a picture", async () => {
  const bytes = 256 * 1024;
  const size = Buffer.from([0, 0, 0, 0, 8, 0, 0, 8, 0, 0]);
  const kept = async (length: number) => {
    const content = Buffer.alloc(length);
    const png = await readPictureHeader("png", readerOf(pngOf(chunk("eXIf", content))));
    const webp = webpOf(webpChunk("VP8X", size), webpChunk("EXIF", content));
    return [png?.exif?.length, (await readPictureHeader("webp", readerOf(webp)))?.exif?.length];
  };
  expect(await kept(bytes - 1)).toEqual([bytes - 1, bytes - 1]);
  expect(await kept(bytes + 1)).toEqual([bytes, bytes]);
});

it("5,000 parts of a picture", async () => {
  const png = (parts: number) =>
    readPictureHeader(
      "png",
      readerOf(pngOf(repeated(parts - 2, chunk("tEXt")), chunk("eXIf", Buffer.alloc(9)))),
    );
  expect([(await png(5000))?.exif?.length, (await png(5001))?.exif?.length]).toEqual([9, undefined]);
  const size = webpChunk("VP8X", Buffer.from([0, 0, 0, 0, 8, 0, 0, 8, 0, 0]));
  const webp = (parts: number) => {
    const others = repeated(parts - 2, webpChunk("XMP ", Buffer.alloc(0)));
    return readPictureHeader("webp", readerOf(webpOf(size, others, webpChunk("EXIF", Buffer.alloc(9)))));
  };
  expect([(await webp(5000))?.exif?.length, (await webp(5001))?.exif?.length]).toEqual([9, undefined]);
  const jpeg = (parts: number) => {
    const frame = Buffer.from("ffc0000b080009000901011100", "hex");
    const others = repeated(parts - 1, Buffer.from("fffe0002", "hex"));
    return readPictureHeader("jpeg", readerOf(Buffer.concat([Buffer.from("ffd8", "hex"), others, frame])));
  };
  expect([(await jpeg(5000))?.width, (await jpeg(5001))?.width]).toEqual([9, undefined]);
});

it("4 MB of what is told of a HEIC picture", async () => {
  const told = (bytes: number) => {
    const size = Buffer.alloc(12);
    size.writeUInt32BE(9, 4);
    size.writeUInt32BE(9, 8);
    const properties = box("iprp", box("ipco", box("ispe", size)));
    const before = box("free", Buffer.alloc(bytes - 4 - 8 - properties.length));
    return readPictureHeader("heic", readerOf(box("meta", Buffer.alloc(4), before, properties)));
  };
  expect((await told(4 * 1024 * 1024))?.width).toBe(9);
  expect((await told(4 * 1024 * 1024 + 1))?.width).toBeUndefined();
});

it("32 MB of a film's header", async () => {
  const film = filmOf();
  const at = film.indexOf("moov") - 4;
  const bytes = film.readUInt32BE(at);
  const widthOf = async (header: number) => {
    const more = Buffer.concat([
      film.subarray(at + 8, at + bytes),
      box("free", Buffer.alloc(header - bytes)),
    ]);
    return (await readFilmHeader("mp4", readerOf(box("moov", more))))?.width;
  };
  const most = 32 * 1024 * 1024;
  expect([await widthOf(most), await widthOf(most + 1)]).toEqual([640, undefined]);
});

it("2,000 boxes in one another, and 100,000 elements", async () => {
  const count = async (all: AsyncGenerator<unknown>) => {
    let found = 0;
    for await (const _one of all) found += 1;
    return found;
  };
  for (const [given, found] of [
    [1999, 1999],
    [2000, 2000],
    [2001, 2000],
  ] as const) {
    const bytes = repeated(given, box("free"));
    expect([boxesIn(bytes).length, await count(boxesOf(readerOf(bytes)))]).toEqual([found, found]);
  }
  const elements = (given: number) => {
    const bytes = Buffer.alloc(given * 2, Buffer.from([0xec, 0x80]));
    return count(elementsOf(readerOf(bytes), 0, bytes.length));
  };
  expect([await elements(100_000), await elements(100_001)]).toEqual([100_000, 100_000]);
});

it("1 MB of the tracks of a WebM", async () => {
  const element = (id: string, ...content: readonly Buffer[]): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(0x10000000 + content.reduce((sum, { length }) => sum + length, 0));
    return Buffer.concat([Buffer.from(id, "hex"), head, ...content]);
  };
  const video = element("e0", element("b0", Buffer.from([9])), element("ba", Buffer.from([9])));
  const track = element("ae", video);
  const heightOf = async (bytes: number) => {
    const tracks = element("1654ae6b", element("ec", Buffer.alloc(bytes - 5 - track.length)), track);
    return (await readFilmHeader("webm", readerOf(element("18538067", tracks))))?.height;
  };
  expect([await heightOf(1024 * 1024), await heightOf(1024 * 1024 + 1)]).toEqual([9, 0]);
});
