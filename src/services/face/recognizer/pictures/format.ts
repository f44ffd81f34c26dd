/** Which kind of picture the bytes are, by how they begin: nothing else reaches a decoder. */

export type Format = "jpeg" | "png" | "gif" | "bmp";

const BEGINNINGS: readonly (readonly [Format, string])[] = [
  ["jpeg", "ffd8ff"],
  ["png", "89504e470d0a1a0a"],
  ["gif", "474946383761"],
  ["gif", "474946383961"],
  ["bmp", "424d"],
];

export function findFormat(bytes: Uint8Array): Format | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  return BEGINNINGS.find(([, magic]) => beginning.startsWith(magic))?.[0];
}
