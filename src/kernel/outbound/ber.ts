/** Reads ASN.1 in BER, as PFX files hold it: also lengths that are not told, and octet strings in parts. */

export const INTEGER = 0x02;
export const OCTETS = 0x04;
export const OID = 0x06;
export const SEQUENCE = 0x30;
export const EXPLICIT_0 = 0xa0;

const CONSTRUCTED = 0x20;
const TELLS_NO_LENGTH = 0x80;
const LENGTH_BYTES_MAX = 4;
/** Files of others nest about ten deep. */
const DEPTH_MAX = 32;

export type Ber = { readonly tag: number; readonly content: Buffer; readonly children: readonly Ber[] };
type Read = { readonly node: Ber; readonly end: number };

export class BerError extends Error {}

/** The first value in the bytes. */
export const parseBer = (bytes: Buffer): Ber => readAt(bytes, 0, 0).node;

function readAt(bytes: Buffer, start: number, depth: number): Read {
  const tag = byteAt(bytes, start);
  // Tags of more than one byte are in no PFX file.
  if ((tag & 0x1f) === 0x1f || depth > DEPTH_MAX) throw new BerError("unexpected tag or depth");
  const { from, length } = lengthAt(bytes, start + 1);
  if (length === undefined) return readUntold(bytes, tag, from, depth);
  const end = from + length;
  if (end > bytes.length) throw new BerError("the bytes end too early");
  const content = bytes.subarray(from, end);
  const children: Ber[] = [];
  for (let at = 0; tag & CONSTRUCTED && at < content.length; ) {
    const read = readAt(content, at, depth + 1);
    children.push(read.node);
    at = read.end;
  }
  return { node: { tag, content, children }, end };
}
/** Two zero bytes end it. */
function readUntold(bytes: Buffer, tag: number, from: number, depth: number): Read {
  if (!(tag & CONSTRUCTED)) throw new BerError("a single value without a length");
  const children: Ber[] = [];
  let at = from;
  while (byteAt(bytes, at) !== 0 || byteAt(bytes, at + 1) !== 0) {
    const read = readAt(bytes, at, depth + 1);
    children.push(read.node);
    at = read.end;
  }
  return { node: { tag, content: bytes.subarray(from, at), children }, end: at + 2 };
}
function lengthAt(bytes: Buffer, at: number): { from: number; length: number | undefined } {
  const first = byteAt(bytes, at);
  if (first < TELLS_NO_LENGTH) return { from: at + 1, length: first };
  if (first === TELLS_NO_LENGTH) return { from: at + 1, length: undefined };
  const count = first & 0x7f;
  if (count > LENGTH_BYTES_MAX || at + 1 + count > bytes.length) throw new BerError("unexpected length");
  return { from: at + 1 + count, length: bytes.readUIntBE(at + 1, count) };
}
function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new BerError("the bytes end too early");
  return byte;
}

export function childOf(node: Ber, index: number, tag: number): Ber {
  const child = node.children[index];
  if (child?.tag !== tag) throw new BerError(`a value with the tag ${tag} is missing`);
  return child;
}
/** Of an octet string, whole or in parts, with whatever tag. */
export const octetsOf = ({ content, children, tag }: Ber): Buffer =>
  tag & CONSTRUCTED ? Buffer.concat(children.map(octetsOf)) : content;
/** In hexadecimal digits, as they are stored. */
export const oidOf = (node: Ber, index: number): string => childOf(node, index, OID).content.toString("hex");
/** Numbers beyond the range become infinite. */
export function integerOf({ tag, content }: Ber): number {
  if (tag !== INTEGER) throw new BerError("a number is missing");
  return Number(BigInt(`0x${content.toString("hex") || "0"}`));
}
