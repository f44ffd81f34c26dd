/** What the public copy of a film no longer has, while all else stays at its place. */
import { expect, test } from "vitest";
import { box, element, filmOf, webmOf } from "../../../../tests/support/films.ts";
import { withoutPrivateParts } from "./blanks.ts";
import { MediaProblem, readerOf } from "./byte-reader.ts";
import { privatePartsOf } from "./private-parts.ts";
import { probe } from "./probe.ts";

async function cleanedOf(format: "mp4" | "webm", film: Buffer, pieceBytes = 97): Promise<Buffer> {
  const parts: Buffer[] = [];
  async function* pieces() {
    for (let at = 0; at < film.length; at += pieceBytes) yield film.subarray(at, at + pieceBytes);
  }
  const blanks = await privatePartsOf(format, readerOf(film));
  for await (const part of withoutPrivateParts(pieces(), blanks)) parts.push(part);
  return Buffer.concat(parts);
}
test("films lose their private parts, and nothing else moves", async () => {
  const film = filmOf({ location: "+48.8577+002.2950/", make: "Example" });
  const cleaned = await cleanedOf("mp4", film);
  expect(cleaned.length).toBe(film.length);
  expect(cleaned.includes("48.8577")).toBe(false);
  const told = await probe(readerOf(cleaned));
  expect([told.position, told.camera, told.width, told.durationSeconds]).toEqual([
    undefined,
    undefined,
    640,
    2,
  ]);
  const hidden = ["free", "skip", "XMP_", "udta", "meta", "uuid"].map((type) =>
    box(type, Buffer.from("48.8577")),
  );
  const deep = box("trak", box("mdia", box("minf", ...hidden, box("stbl", ...hidden)), ...hidden), ...hidden);
  const nested = Buffer.concat([film, box("moov", deep), ...hidden]);
  const cleanedDeep = await cleanedOf("mp4", nested);
  expect([cleanedDeep.length, cleanedDeep.includes("48.8577")]).toEqual([nested.length, false]);
  const webm = webmOf({ tag: "LOCATION 48.8577" });
  const cleanedWebm = await cleanedOf("webm", webm);
  expect([cleanedWebm.length, cleanedWebm.includes("48.8577")]).toEqual([webm.length, false]);
  expect(await probe(readerOf(cleanedWebm))).toMatchObject({ width: 320 });
});

test("no film hides its private parts behind many boxes, deep in others or in no box", async () => {
  const secret = box("udta", Buffer.from("48.8577"));
  const film = filmOf({});
  const fragments = Array.from({ length: 5000 }, () => box("mdat", Buffer.alloc(4)));
  const hiding = [
    Buffer.concat([film, ...fragments, secret]),
    Buffer.concat([film, box("moof", box("traf", ...fragments, secret))]),
    Buffer.concat([film, box("moov", box("moov", secret))]),
    Buffer.concat([film, Buffer.from("0000000461626364", "hex"), secret]),
    Buffer.concat([film, box("moov", Buffer.concat([Buffer.from("0000000461626364", "hex"), secret]))]),
  ];
  for (const bytes of hiding) {
    const cleaned = await cleanedOf("mp4", bytes);
    expect([cleaned.length, cleaned.includes("48.8577")]).toEqual([bytes.length, false]);
    expect(await probe(readerOf(cleaned))).toMatchObject({ width: 640, durationSeconds: 2 });
  }
  // The film has six boxes, and the secret is one.
  const many = Buffer.concat(Array.from({ length: 200_000 - 7 }, () => box("free")));
  expect((await cleanedOf("mp4", Buffer.concat([film, many, secret]), 65_536)).includes("48.8577")).toBe(
    false,
  );
  const tooMany = Buffer.concat([film, many, secret, box("free")]);
  await expect(cleanedOf("mp4", tooMany, 65_536)).rejects.toThrow(/more than 200000 boxes/);
});

const PLACE = Buffer.from("48.8577");
const long = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = box(type, Buffer.alloc(8), ...content);
  bytes.writeBigUInt64BE(BigInt(bytes.length), 8);
  bytes.writeUInt32BE(1, 0);
  return bytes;
};
const endless = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = box(type, ...content);
  bytes.writeUInt32BE(0, 0);
  return bytes;
};
test.each(["udta", "XMP_", "PICT", "inst", "emsg", "abcd"])(
  "a film loses %s wherever it is",
  async (type) => {
    // A time of zero, which stays as it is.
    const film = filmOf({ takenAtSeconds: -2_082_844_800 });
    const kept = ["edts", "mdia", "minf", "gmhd", "dinf", "stbl"].map((name) => box(name, box(type, PLACE)));
    const within = [
      box(type, PLACE),
      long(type, PLACE),
      box("moov", box("trak", ...kept), box("mvex", long(type, PLACE))),
      long("moof", box("traf", box(type, PLACE)), long(type, PLACE)),
      box("mfra", box(type, PLACE)),
      endless(type, PLACE),
    ];
    const bytes = Buffer.concat([film, ...within]);
    const cleaned = await cleanedOf("mp4", bytes);
    expect([cleaned.length, cleaned.includes(PLACE)]).toEqual([bytes.length, false]);
    expect(cleaned.subarray(0, film.length)).toEqual(film);
  },
);

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};
/** With two chunks of samples of seven bytes: two in the first, one in the second. */
const trackOf = (kind: string, number: number, at: readonly [number, number]): Buffer =>
  box(
    "trak",
    box("tkhd", numbers(0, 0, 0, number), Buffer.alloc(80)),
    box(
      "mdia",
      box("hdlr", numbers(0, 0), Buffer.from(`${kind}\0\0\0\0`)),
      box(
        "minf",
        box(
          "stbl",
          box("stsz", numbers(0, 0, 3, 7, 7, 7)),
          box("stsc", numbers(0, 2, 1, 2, 1, 2, 1, 1)),
          box("stco", numbers(0, 2, ...at)),
        ),
      ),
    ),
  );
test.each([0, 1])(
  "a film of version %i loses the time of its recording and the name of the camera",
  async (version) => {
    const time = 3_700_000_000;
    const dated = (type: string) => {
      const content = version === 1 ? numbers(1 << 24, 0, time, 0, time, 7) : numbers(0, time, time, 7);
      return box(type, content, Buffer.alloc(80));
    };
    const handler = (kind: string) =>
      box("hdlr", Buffer.concat([numbers(0, 0), Buffer.from(`${kind}Exam\0\0\0\0\0\0\0\0Example One\0`)]));
    const encoder = Buffer.concat([Buffer.alloc(42, 1), Buffer.from("Example One".padEnd(32, "\0"))]);
    const entry = (kind: string) => box(kind, encoder, box("avcC", Buffer.from("avcC kept")));
    const track = (kind: string, format: string) =>
      box(
        "trak",
        dated("tkhd"),
        box(
          "mdia",
          dated("mdhd"),
          handler(kind),
          box("minf", box("stbl", box("stsd", numbers(0, 1), entry(format)))),
        ),
      );
    const sound = track("soun", "mp4a");
    const bytes = Buffer.concat([filmOf({}), box("moov", dated("mvhd"), track("vide", "avc1"))]);
    const cleaned = await cleanedOf("mp4", bytes);
    expect(cleaned.length).toBe(bytes.length);
    for (const note of [numbers(time), "Exam"])
      expect([bytes.includes(note), cleaned.includes(note)]).toEqual([true, false]);
    for (const kept of ["vide", "avcC kept", numbers(7)]) expect(cleaned.includes(kept)).toBe(true);
    expect((await probe(readerOf(cleaned))).takenAtMs).toBeUndefined();
    // The description of sound has other fields there.
    const withSound = await cleanedOf("mp4", box("moov", sound));
    expect(withSound.includes(encoder)).toBe(true);
  },
);

test("a film loses the tracks in which cameras note positions, with their samples", async () => {
  const film = filmOf({});
  const samples = Buffer.concat([PLACE, PLACE, Buffer.from("picture"), PLACE, Buffer.from("sounds!")]);
  const at = film.length + 8;
  const bytes = Buffer.concat([
    film,
    box("mdat", samples),
    box("moov", trackOf("meta", 3, [at, at + 21]), trackOf("soun", 4, [at + 14, at + 28])),
  ]);
  const cleaned = await cleanedOf("mp4", bytes);
  expect([cleaned.length, cleaned.includes(PLACE), cleaned.includes("meta")]).toEqual([
    bytes.length,
    false,
    false,
  ]);
  for (const kept of ["picture", "sounds!", "soun"]) expect(cleaned.includes(kept)).toBe(true);
  const fragment = (track: number) => box("moof", box("traf", box("tfhd", numbers(0, track))));
  await cleanedOf("mp4", Buffer.concat([bytes, fragment(4)]));
  await expect(cleanedOf("mp4", Buffer.concat([bytes, fragment(3)]))).rejects.toThrow(MediaProblem);
});

test("a WebM keeps what players need, and loses titles, attachments and unused space", async () => {
  const film = webmOf();
  const [segment] = [film.indexOf(Buffer.from("18538067", "hex"))];
  const inside = film.subarray(segment + 8);
  const info = element("1549a966", element("2ad7b1", Buffer.from([1])), element("7ba9", PLACE));
  const cues = element("1c53bb6b", Buffer.alloc(20, 3));
  const hidden = ["1941a469", "1043a770", "1254c367", "ec", "bf"].map((id) => element(id, PLACE));
  const large = element("1941a469", PLACE, Buffer.alloc(200, 1), PLACE);
  const whole = element("18538067", inside, info, ...hidden, large, cues);
  const bytes = Buffer.concat([film.subarray(0, segment), whole, element("ec", PLACE), PLACE]);
  const cleaned = await cleanedOf("webm", bytes);
  expect([cleaned.length, cleaned.includes(PLACE), cleaned.includes(cues)]).toEqual([
    bytes.length,
    false,
    true,
  ]);
  expect(await probe(readerOf(cleaned))).toMatchObject({ width: 320, height: 240, durationSeconds: 3 });
  // Read again, it has nothing private.
  expect(await cleanedOf("webm", cleaned)).toEqual(cleaned);
});

test("a live recording in WebM loses tags after clusters of unknown length", async () => {
  const cluster = Buffer.concat([Buffer.from("1f43b675ff", "hex"), element("a3", Buffer.alloc(30, 5))]);
  const film = webmOf();
  const bytes = Buffer.concat([film, cluster, cluster, element("1254c367", PLACE)]);
  const live = Buffer.from(bytes);
  const segment = live.indexOf(Buffer.from("18538067", "hex"));
  // An unknown length in four bytes.
  live.write("1fffffff", segment + 4, "hex");
  const cleaned = await cleanedOf("webm", live);
  expect([cleaned.length, cleaned.includes(PLACE)]).toEqual([live.length, false]);
  expect(cleaned.subarray(0, film.length + 2 * cluster.length)).toEqual(
    live.subarray(0, film.length + 2 * cluster.length),
  );
});
