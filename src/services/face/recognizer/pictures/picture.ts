/** A decoded picture: RGB bytes, row by row. */

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Number of upright original pixels for one pixel of this picture. */
  readonly scale: number;
};

const smaller = new WeakMap<Picture, Picture>();

/** Half size, with each pixel the mean of four. The result is cached. */
export function halved(picture: Picture): Picture {
  const known = smaller.get(picture);
  if (known) return known;
  const width = picture.width >> 1;
  const height = picture.height >> 1;
  const rowBytes = picture.width * 3;
  const pixels = new Uint8Array(width * height * 3);
  let to = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1, to += 1) {
        const from = y * 2 * rowBytes + x * 6 + channel;
        const above = (picture.pixels[from] as number) + (picture.pixels[from + 3] as number);
        const below =
          (picture.pixels[from + rowBytes] as number) + (picture.pixels[from + rowBytes + 3] as number);
        pixels[to] = (above + below + 2) >> 2;
      }
  const half: Picture = { width, height, pixels, scale: picture.scale * 2 };
  smaller.set(picture, half);
  return half;
}

/** The bytes are not a readable picture. */
export class PictureError extends Error {
  readonly problem: "invalidImage" | "invalidImageSize";
  constructor(problem: "invalidImage" | "invalidImageSize", message: string) {
    super(message);
    this.problem = problem;
  }
}
export const unreadable = (message: string) => new PictureError("invalidImage", message);
