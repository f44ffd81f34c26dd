/** Forms that come bit by bit: parts in order, files of any size, and what breaks off is refused. */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { streamedParts } from "./streamed-parts.ts";

const TYPE = "multipart/form-data; boundary=cut";
async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const field = (name: string, value: string) =>
  `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string) =>
  `--cut\r\ncontent-disposition: form-data; name="${name}"; filename="a.bin"\r\ncontent-type: image/png\r\n\r\n${content}\r\n`;

async function read(text: string, pieceBytes: number, type = TYPE): Promise<string[]> {
  const told: string[] = [];
  for await (const part of streamedParts(type, inPieces(text, pieceBytes))) {
    if ("value" in part) {
      told.push(`${part.name}=${part.value}`);
      continue;
    }
    let content = "";
    for await (const chunk of part.chunks) content += Buffer.from(chunk).toString("latin1");
    told.push(`${part.name}:${part.filename}:${content.length}`);
  }
  return told;
}

test.each([1, 7, 65_536])("parts in order, in pieces of %i bytes", async (pieceBytes) => {
  const form = `${field("headline", "Flood")}${file("picture", "x".repeat(5000))}${field("consent", "yes")}${file("picture", "")}--cut--\r\n`;
  expect(await read(form, pieceBytes)).toEqual([
    "headline=Flood",
    "picture:a.bin:5000",
    "consent=yes",
    "picture:a.bin:0",
  ]);
});

test("small files that come together are whole, up to the last, however slowly they are read", async () => {
  const form = `${file("one", "x".repeat(50))}${file("other", "y".repeat(60))}${file("last", "z".repeat(70))}--cut--\r\n`;
  const lengths: number[] = [];
  for await (const part of streamedParts(TYPE, inPieces(form, 65_536))) {
    await setImmediate();
    if (!("chunks" in part)) continue;
    let length = 0;
    for await (const chunk of part.chunks) length += chunk.length;
    lengths.push(length);
    await setImmediate();
  }
  expect(lengths).toEqual([50, 60, 70]);
});

test.each([
  ["ends in the middle of a file", file("picture", "x".repeat(300)).slice(0, 200), TYPE],
  ["has no boundary", field("a", "b"), "multipart/form-data"],
  ["has too many parts", `${field("a", "b").repeat(201)}--cut--\r\n`, TYPE],
  ["holds the NUL character", `${field("a", "b\0c")}--cut--\r\n`, TYPE],
])("a form that %s is refused", async (_case, form, type) => {
  await expect(read(form, 50, type)).rejects.toThrow(/multipart form is not valid/);
});

test("what is left of a file, or never looked at, is passed over", async () => {
  const large = file("picture", "x".repeat(400_000));
  const form = `${large}${field("a", "b")}${large}${field("c", "d")}--cut--\r\n`;
  const told: string[] = [];
  let isFirst = true;
  for await (const part of streamedParts(TYPE, inPieces(form, 65_536))) {
    if ("value" in part) told.push(part.name);
    else if (isFirst) {
      isFirst = false;
      for await (const chunk of part.chunks) if (chunk.length > 0) break;
    }
  }
  expect(told).toEqual(["a", "c"]);
});

test("files that nobody reads to the end hold up nothing", async () => {
  const form = `${file("picture", "x".repeat(3_000_000))}${field("a", "b")}--cut--\r\n`;
  for await (const part of streamedParts(TYPE, inPieces(form, 65_536))) {
    if ("value" in part) continue;
    for await (const chunk of part.chunks) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    break;
  }
});
