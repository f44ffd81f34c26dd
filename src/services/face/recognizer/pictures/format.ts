/** Detects the picture format by its first bytes. Other formats never reach a decoder. */

export type Format = "jpeg" | "png" | "gif" | "bmp" | "webp";

const BEGINNINGS: readonly (readonly [Format, string])[] = [
  ["jpeg", "ffd8ff"],
  ["png", "89504e470d0a1a0a"],
  ["gif", "474946383761"],
  ["gif", "474946383961"],
  ["bmp", "424d"],
];
/** The bytes in between are the file length. */
const WEBP = /^52494646.{8}57454250/;
const READ_BYTES = 12;

export function findFormat(bytes: Uint8Array): Format | undefined {
  const beginning = Buffer.from(bytes.subarray(0, READ_BYTES)).toString("hex");
  if (WEBP.test(beginning)) return "webp";
  return BEGINNINGS.find(([, magic]) => beginning.startsWith(magic))?.[0];
}
