/** Detects pictures and sounds by their first bytes, whatever their declared type. */

type Signature = readonly [type: string, ...marks: readonly (readonly [at: number, text: string])[]];

/** In Latin-1, one character for each byte. */
const SIGNATURES: readonly Signature[] = [
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/gif", [0, "GIF8"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["image/bmp", [0, "BM"], [6, "\0\0\0\0"]],
  ["audio/wav", [0, "RIFF"], [8, "WAVE"]],
  ["audio/ogg", [0, "OggS"]],
  ["audio/mpeg", [0, "ID3"]],
];
const HEAD_BYTES = 16;

export function findMediaType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    "latin1",
  );
  const found = SIGNATURES.find(([, ...marks]) => marks.every(([at, text]) => head.startsWith(text, at)));
  return found?.[0];
}

const IS_MEDIA = /^(?:image|audio|multipart)\//i;
/** A truncated picture, sound or form is useless, so more of these is kept. */
export const MEDIA_KEPT_BYTES_MAX = 128 * 1024;
export const isMedia = (contentType: string, bytes: Uint8Array): boolean =>
  IS_MEDIA.test(contentType) || findMediaType(bytes) !== undefined;
