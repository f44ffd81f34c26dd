/** Reads words and strings of an image. */

export const viewOf = (image: Uint8Array): DataView =>
  new DataView(image.buffer, image.byteOffset, image.byteLength);

const TEXT_MAX = 512;

/** A printable, zero-terminated string, otherwise undefined. */
export function findText(image: Uint8Array, address: number): string | undefined {
  let end = address;
  while (
    end < image.length &&
    end - address < TEXT_MAX &&
    (image[end] as number) > 0x20 &&
    (image[end] as number) < 0x7f
  )
    end += 1;
  const isText = end > address && image[end] === 0;
  return isText ? Buffer.from(image.subarray(address, end)).toString("latin1") : undefined;
}
