/** Which kind of picture the bytes are, by how they begin: nothing else reaches a decoder. */

export type Format = "jpeg" | "png" | "gif" | "bmp" | "webp";

const BEGINNINGS: readonly (readonly [Format, string])[] = [
  ["jpeg", "ffd8ff"],
  ["png", "89504e470d0a1a0a"],
  ["gif", "474946383761"],
  ["gif", "474946383961"],
  ["bmp", "424d"],
];
/** What stands between is the length of the file. */
const WEBP = /^52494646.{8}57454250/;
const READ_BYTES = 12;

export function findFormat(bytes: Uint8Array): Format | undefined {
  const beginning = Buffer.from(bytes.subarray(0, READ_BYTES)).toString("hex");
  if (WEBP.test(beginning)) return "webp";
  return BEGINNINGS.find(([, magic]) => beginning.startsWith(magic))?.[0];
}
