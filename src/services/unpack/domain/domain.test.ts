/** Sections, texts, ranking and rules, as pure functions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePlainExecutable, makeWideExecutable } from "../../../../tests/support/executables.ts";
import { isKept, plainNameOf, unpackedNameOf } from "./keeping.ts";
import { rankedOf } from "./ranking.ts";
import { ruleNameOf, ruleTextOf, shownBytes, stringLineOf } from "./rules.ts";
import { rangesOf } from "./sections.ts";
import { type FoundString, stringsOf } from "./strings.ts";

const all = (content: Uint8Array) => [{ name: "all", start: 0, end: content.length }];
const textsOf = (content: Uint8Array, lengthMin = 4) =>
  stringsOf(content, all(content), { lengthMin, ignored: new Set() }).strings.map(({ text, isWide }) =>
    isWide ? `L:${text}` : text,
  );
const wide = (text: string) => Buffer.from(text, "utf16le");

describe("sections", () => {
  it("are found in 32-bit and 64-bit executables, with header and overlay", () => {
    for (const content of [makePlainExecutable(), makeWideExecutable()]) {
      const more = Buffer.concat([content, Buffer.from("appended")]);
      expect(rangesOf(more)).toEqual([
        { name: "header", start: 0, end: 512 },
        { name: ".text", start: 512, end: content.length },
        { name: "overlay", start: content.length, end: more.length },
      ]);
    }
  });
  it("stay within the file, whatever the header says", () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 2, max: 600 }), fc.integer({ min: 0, max: 255 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(changes, (bytes) => {
        const content = makePlainExecutable();
        for (const [at, value] of bytes) content[at] = value;
        for (const { start, end } of rangesOf(content) ?? []) {
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThanOrEqual(content.length);
        }
      }),
    );
  });
  it("need the marks of the file and of its header", () => {
    const changed = (at: number, ...bytes: number[]) => {
      const content = Buffer.from(makePlainExecutable());
      content.set(bytes, at);
      return content;
    };
    const header = Buffer.from(makePlainExecutable()).readUInt32LE(0x3c);
    expect(rangesOf(changed(0, 0x4d))).toBeDefined();
    expect(rangesOf(changed(0, 0x4e))).toBeUndefined();
    expect(rangesOf(changed(header, 0x51))).toBeUndefined();
  });
  it("are 96 at the most", () => {
    const named = (count: number) => {
      const content = Buffer.alloc(8192);
      content.set(makePlainExecutable().subarray(0, 512));
      const header = content.readUInt32LE(0x3c);
      const first = header + 24 + content.readUInt16LE(header + 20);
      content.writeUInt16LE(count, header + 6);
      for (let section = 0; section < count; section += 1) {
        content.writeUInt32LE(1, first + section * 40 + 16);
        content.writeUInt32LE(8000 + section, first + section * 40 + 20);
      }
      return (rangesOf(content) ?? []).filter(({ start }) => start >= 8000).length - 1;
    };
    expect([95, 96, 97].map(named)).toEqual([95, 96, 96]);
  });
  it("need a whole header", () => {
    const content = Buffer.from(makePlainExecutable());
    const header = content.readUInt32LE(0x3c);
    expect(rangesOf(content.subarray(0, header + 24))).toBeDefined();
    expect(rangesOf(content.subarray(0, header + 23))).toBeUndefined();
  });
  it("are missing where there is no executable", () => {
    for (const content of [Buffer.alloc(0), Buffer.from("MZ"), Buffer.alloc(4096, 0x5a)])
      expect(rangesOf(content)).toBeUndefined();
  });
});

describe("texts", () => {
  it("are made of printable characters and tabs", () => {
    for (const byte of [0x20, 0x7e, 0x09]) expect(textsOf(Buffer.from([65, byte, 66, 67]))).toHaveLength(1);
    for (const byte of [0x1f, 0x7f, 0x0a, 0x80]) expect(textsOf(Buffer.from([65, byte, 66, 67]))).toEqual([]);
  });
  it("end with the range, not behind it", () => {
    const content = Buffer.from("abcdefgh");
    const range = [{ name: "all", start: 2, end: 6 }];
    const { strings } = stringsOf(content, range, { lengthMin: 1, ignored: new Set() });
    expect(strings.map(({ text, offset }) => [text, offset])).toEqual([["cdef", 2]]);
  });
  it("are found in ASCII and UTF-16, at odd addresses too", () => {
    const content = Buffer.concat([
      Buffer.from("\x01plain text\0"),
      wide("wide text"),
      Buffer.from([0, 0, 7]),
      wide("odd place"),
      Buffer.from([0, 0]),
      Buffer.from("end"),
    ]);
    expect(textsOf(content)).toEqual(["plain text", "L:wide text", "L:odd place"]);
    expect(textsOf(content, 3)).toContain("end");
  });
  it("are each told once in a section, without those that are ignored", () => {
    const content = Buffer.from("again\0again\0other\0");
    const { strings } = stringsOf(content, all(content), { lengthMin: 4, ignored: new Set(["other"]) });
    expect(strings).toEqual([{ section: "all", text: "again", offset: 0, isWide: false }]);
  });
  it("end somewhere: no more than so many, and none longer than a thousand", () => {
    const many = Buffer.from(Array.from({ length: 20_005 }, (_, i) => `text ${i}`).join("\0"));
    const { strings, leftOut } = stringsOf(many, all(many), { lengthMin: 4, ignored: new Set() });
    expect([strings.length, leftOut]).toEqual([20_000, 5]);
    const lengths = [999, 1000, 1001].map((length) => textsOf(Buffer.alloc(length, 0x41))[0]?.length);
    expect(lengths).toEqual([999, 1000, 1000]);
    expect(textsOf(Buffer.alloc(100_000, 0x41))).toEqual(["A".repeat(1000)]);
    expect(textsOf(Buffer.concat([Buffer.from("\x01"), wide("B".repeat(5000))]))).toEqual([
      `L:${"B".repeat(1000)}`,
    ]);
  });
});

const found = (text: string, offset = 0): FoundString => ({
  section: ".rdata",
  text,
  offset,
  isWide: false,
});
describe("ranking", () => {
  const textsRanked = (...texts: string[]) => rankedOf(texts.map(found)).map(({ text }) => text);
  it("puts what is telling first and names why", () => {
    const ranked = rankedOf(
      [
        "CreateToolhelp32Snapshot",
        "Please wait while the harvest is counted",
        "http://harvest.example/in.php",
      ].map(found),
    );
    expect(ranked.map(({ text }) => text)).toEqual([
      "http://harvest.example/in.php",
      "Please wait while the harvest is counted",
      "CreateToolhelp32Snapshot",
    ]);
    expect(ranked[0]?.why).toBe("an address on the network");
  });
  it("drops what every executable has, and code that looks like text", () => {
    expect(
      textsRanked(
        "!This program cannot be run in DOS mode.",
        "GetProcAddress",
        "KERNEL32.dll",
        ".rdata",
        "|}rspqvwtujkhinolmbc`afgde",
        "VJHFzN",
        "SVWUj4h",
        "short",
      ),
    ).toEqual([]);
  });
  it("tells texts of six characters, and two hundred", () => {
    expect(["to be", "to see"].map((text) => textsRanked(text))).toEqual([[], ["to see"]]);
    const many = (count: number) =>
      textsRanked(...Array.from({ length: count }, (_, index) => `number ${index}`)).length;
    expect([199, 200, 201].map(many)).toEqual([199, 200, 200]);
  });
  it("tells each text once", () => {
    expect(textsRanked("Software\\Garden\\Beds", "Software\\Garden\\Beds")).toHaveLength(1);
  });
});

describe("rules", () => {
  it("have names that YARA takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(ruleNameOf(name)).toMatch(/^sample_[A-Za-z0-9_]{1,64}$/);
      }),
    );
  });
  it("have names of 64 characters, and texts of 120 from an executable", () => {
    expect([63, 64, 65].map((length) => ruleNameOf("n".repeat(length)).length)).toEqual([70, 71, 71]);
    const meta = { date: "", md5sum: "", sha256sum: "", sha512sum: "" };
    const textOf = (text: string) => ruleTextOf("a", meta, [{ ...found(text), score: 1, why: "" }], 1);
    const shown = (length: number) => /"(t+)"/.exec(textOf("t".repeat(length)))?.[1]?.length;
    expect([119, 120, 121].map(shown)).toEqual([119, 120, 120]);
  });
  it("show bytes and places as YARA's command line does", () => {
    const content = Buffer.from("ab\0\xff cd", "latin1");
    expect(shownBytes(content, 0, 5)).toBe("ab\\x00\\xFF ");
    expect(stringLineOf({ identifier: "$a", offset: 26, length: 2, data: "ab" })).toBe("0x1a:2:$a: ab");
    expect(shownBytes(Buffer.alloc(80, 0x41), 0, 80)).toBe(`${"A".repeat(64)} …`);
  });
});

it("names fit into a header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      expect(plainNameOf(name)).toMatch(/^[\x20-\x7e]{1,120}$/);
      expect(plainNameOf(name)).not.toMatch(/["\\/%;]/);
    }),
  );
  expect(plainNameOf("C:\\temp\\calc.exe")).toBe("calc.exe");
  expect(["n".repeat(120), "n".repeat(121)].map(plainNameOf)).toEqual(["n".repeat(120), "n".repeat(120)]);
  expect([unpackedNameOf("calc.exe"), unpackedNameOf("calc")]).toEqual([
    "calc.unpacked.exe",
    "calc.unpacked",
  ]);
});

it("results of 16 MB are kept", () => {
  const report = new Uint8Array(100);
  const kept = (bytes: number) => [
    isKept({ report: new Uint8Array(bytes) }),
    isKept({ report, content: new Uint8Array(bytes - report.length) }),
  ];
  expect([16_777_216, 16_777_217].map(kept)).toEqual([
    [true, true],
    [false, false],
  ]);
});
