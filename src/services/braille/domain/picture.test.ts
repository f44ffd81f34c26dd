/** Where the dots are in a picture, drawn by an independent renderer. */
import { Resvg } from "@resvg/resvg-js";
import { describe, expect, it } from "vitest";
import { gifOf } from "./gif.ts";
import { cellPictureOf, pictureOf, pictureSizeOf } from "./picture.ts";

function brightnessOf(svg: string) {
  const { width, height, pixels } = new Resvg(svg).render();
  return { width, height, at: (x: number, y: number) => pixels[(y * width + x) * 4] as number };
}

describe("the picture of a cell", () => {
  it("has a dark spot for each raised dot and none elsewhere", () => {
    const places = [
      [7, 10],
      [7, 20],
      [7, 30],
      [17, 10],
      [17, 20],
      [17, 30],
    ] as const;
    for (const cell of [0b000001, 0b001011, 0b101010, 0b111111]) {
      const picture = brightnessOf(cellPictureOf(cell));
      expect([picture.width, picture.height]).toEqual([24, 40]);
      const dark = places.map(([x, y]) => picture.at(x, y) < 0x80);
      expect(dark).toEqual(places.map((_, dot) => (cell & (1 << dot)) !== 0));
    }
  });
  it("is higher when it has eight dots, and plain white when it has none", () => {
    expect(brightnessOf(cellPictureOf(0xff)).height).toBe(50);
    const blank = brightnessOf(cellPictureOf(0));
    expect(blank.at(7, 10)).toBe(0xff);
  });
});

describe("the picture of a page", () => {
  it("has room for the longest line and all lines", () => {
    const page = [Uint8Array.of(1, 1, 1), new Uint8Array(0), Uint8Array.of(1)];
    expect(pictureSizeOf(page)).toEqual({ width: 3 * 24 + 48, height: 3 * 40 + 48 });
    expect(pictureSizeOf([])).toEqual({ width: 24 + 48, height: 40 + 48 });
  });
  it("puts a second line under the first", () => {
    const picture = brightnessOf(pictureOf([Uint8Array.of(0, 1), Uint8Array.of(1)], "x"));
    expect(picture.at(24 + 24 + 7, 24 + 10)).toBeLessThan(0x80);
    expect(picture.at(24 + 7, 24 + 40 + 10)).toBeLessThan(0x80);
    expect(picture.at(24 + 7, 24 + 10)).toBe(0xff);
  });
  it("says what it shows, whatever that is", () => {
    const svg = pictureOf([Uint8Array.of(1)], `</title><script>\u0000\ud800${"long ".repeat(100)}`);
    expect(svg).toContain("<title>&lt;/title&gt;&lt;script&gt;");
    expect(svg.length).toBeLessThan(1000);
    expect(() => new Resvg(svg).render()).not.toThrow();
  });
});

describe("a GIF", () => {
  it("takes five bits a pixel, and five more for every fourteenth", () => {
    const [head, blocks] = [72, 3];
    const bits = 5 * (140 + 140 / 14 + 1);
    expect(gifOf(140, 1, new Uint8Array(140))).toHaveLength(head + Math.ceil(bits / 8) + blocks);
  });
  it("shows the same shades when another program reads it", () => {
    const [width, height] = [19, 31];
    const shades = Uint8Array.from({ length: width * height }, (_, i) => ((i * 7) % 16) * 17);
    const gif = Buffer.from(gifOf(width, height, shades)).toString("base64");
    const { pixels } = new Resvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/gif;base64,${gif}"/></svg>`,
    ).render();
    expect(Array.from(shades, (_, i) => pixels[i * 4])).toEqual([...shades]);
  });
});

it("a picture of a page is described by two hundred characters of its text", () => {
  const described = (length: number) =>
    /t{9,}/.exec(pictureOf([Uint8Array.of(1)], "t".repeat(length)))?.[0].length;
  expect([199, 200, 201].map(described)).toEqual([199, 200, 200]);
});
