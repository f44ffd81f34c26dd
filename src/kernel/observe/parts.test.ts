/** Parts of forms, as far as they were kept, and what bytes are. */
import { expect, it } from "vitest";
import { findMediaType, isMedia } from "./media.ts";
import { partsOf } from "./parts.ts";

const form = (...parts: string[]) =>
  Buffer.from(`${parts.map((part) => `--edge\r\n${part}\r\n`).join("")}--edge--\r\n`, "latin1");
const TYPE = 'multipart/form-data; boundary="edge"';

it("tells fields and files, and where the last one was cut", () => {
  const field = 'Content-Disposition: form-data; name="title"\r\n\r\nA garden';
  const file =
    'Content-Disposition: form-data; name="picture"; filename="garden.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\r\n--edg';
  const whole = form(field, file);
  expect(partsOf(whole, TYPE)).toEqual([
    { name: "title", filename: undefined, type: "", bytes: Buffer.from("A garden"), isWhole: true },
    {
      name: "picture",
      filename: "garden.png",
      type: "image/png",
      bytes: Buffer.from("\x89PNG\r\n\r\n--edg", "latin1"),
      isWhole: true,
    },
  ]);
  expect(partsOf(whole.subarray(0, whole.length - 20), TYPE)?.map(({ isWhole }) => isWhole)).toEqual([
    true,
    false,
  ]);
});

it("finds nothing in what is no such form, whatever it says of itself", () => {
  expect(partsOf(form("x"), "text/plain; boundary=edge")).toBeUndefined();
  expect(partsOf(form("x"), "multipart/form-data")).toBeUndefined();
  expect(partsOf(Buffer.from("--edge"), TYPE)).toEqual([]);
  expect(partsOf(form(...Array.from({ length: 300 }, () => "a: b\r\n\r\nc")), TYPE)).toHaveLength(100);
});

it("knows pictures and sounds by their first bytes", () => {
  expect(findMediaType(Buffer.from("\xff\xd8\xff\xe0", "latin1"))).toBe("image/jpeg");
  expect(findMediaType(Buffer.from("RIFF0000WAVEfmt "))).toBe("audio/wav");
  expect(findMediaType(Buffer.from("RIFF0000AVI "))).toBeUndefined();
  expect(findMediaType(Buffer.alloc(0))).toBeUndefined();
  expect(isMedia("multipart/form-data; boundary=edge", Buffer.from("--edge"))).toBe(true);
  expect(isMedia("application/x-ndjson", Buffer.from('{"secret":1}'))).toBe(false);
});
