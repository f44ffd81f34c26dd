/** Feeds in every encoding, declared rightly, wrongly or not at all. */
import { expect, it } from "vitest";
import { PLAIN, read, titled } from "../../../../../tests/support/feed-documents.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const utf16Big = (text: string) =>
  Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, "utf16le").swap16()]);
const declared = (encoding: string, title: string) =>
  titled(title).replace('encoding="UTF-8"', `encoding="${encoding}"`);

it.each<[what: string, document: string | Uint8Array, differs: { title: string }]>([
  [
    "UTF-8 with a mark",
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(titled("Größe"))]),
    { title: "Größe" },
  ],
  ["Latin-1 as it declares", latin1(declared("ISO-8859-1", "Größe")), { title: "Größe" }],
  [
    "Windows-1252 as it declares",
    Buffer.concat([latin1(declared("windows-1252", "caf\u00e9 \u0093x\u0094"))]),
    { title: "café “x”" },
  ],
  ["Latin-1 that calls itself UTF-8", latin1(titled("Größe")), { title: "Größe" }],
  [
    "UTF-8 that calls itself Latin-1 of a kind nobody knows",
    Buffer.from(declared("x-unknown", "Größe")),
    { title: "Größe" },
  ],
  ["UTF-16, little end first", utf16(declared("UTF-16", "Größe")), { title: "Größe" }],
  ["UTF-16, big end first", utf16Big(declared("UTF-16", "Größe")), { title: "Größe" }],
  ["UTF-8 that calls itself UTF-16", Buffer.from(declared("UTF-16", "Größe")), { title: "Größe" }],
  [
    "Shift JIS",
    Buffer.concat([
      Buffer.from(declared("Shift_JIS", "@").split("@")[0]!),
      Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
      Buffer.from(declared("Shift_JIS", "@").split("@")[1]!),
    ]),
    { title: "テスト" },
  ],
])("%s", (_what, document, differs) => {
  expect(read(document).episodes).toEqual([{ ...PLAIN, ...differs }]);
});
it("is read by the server's encoding where the document says none", () => {
  const plain = titled("Größe").replace('<?xml version="1.0" encoding="UTF-8"?>', "");
  const [episode] = read(latin1(plain), "text/xml; charset=iso-8859-1").episodes;
  expect(episode?.title).toBe("Größe");
});
