/**
 * Decides once what a path means. Programs behind a gateway may decode it again, treat a backslash as a slash, or
 * drop everything after a semicolon. A path that any of them would resolve differently is refused. Anything else is
 * data.
 */

/** Most paths have none of these. */
const UNUSUAL = /[%\\;#]|\/\./;
/** No honest client encodes a name more often. */
const ENCODED_TIMES_MAX = 4;
const ENCODED = /%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi;
/** Encodings of ASCII in two, three or four bytes, which lenient decoders accept. */
const OVERLONG = /(?:[\u00c0\u00c1]|(?:\u00e0|\u00f0\u0080)[\u0080\u0081])[\u0080-\u00bf]/g;
const HIGH_BITS = 6;
const LOW_BITS = 0x3f;
/** Some programs end a segment there. */
const SEPARATOR = /[/\\]/;
const PARAMETERS = /[;?#\0].*$/s;
/** Some programs drop these characters from addresses: blanks and control characters. */
const IGNORED = /[^\u0021-\u007e\u0080-\uffff]|\u00a0/g;

/** In the letters of its bytes in UTF-8. */
const inBytes = (hex: string): string =>
  Buffer.from(String.fromCharCode(Number.parseInt(hex, 16)), "utf8").toString("latin1");
function shortened(bytes: string): string {
  const [high = 0, low = 0] = [bytes.charCodeAt(bytes.length - 2), bytes.charCodeAt(bytes.length - 1)];
  return String.fromCharCode(((high & 1) << HIGH_BITS) | (low & LOW_BITS));
}
/** Undefined if it is encoded too often. */
function decodedFully(path: string): string | undefined {
  let text = path;
  for (let times = 0; times <= ENCODED_TIMES_MAX; times += 1) {
    const decoded = text
      .replace(ENCODED, (_whole, wide: string | undefined, byte: string) =>
        wide === undefined ? String.fromCharCode(Number.parseInt(byte, 16)) : inBytes(wide),
      )
      .replace(OVERLONG, shortened);
    if (decoded === text) return text;
    text = decoded;
  }
  return undefined;
}
/** Some programs take full-width and similar letters for the plain ones. */
const inPlainLetters = (bytes: string): string =>
  Buffer.from(bytes, "latin1").toString("utf8").normalize("NFKC");
const hasDotSegment = (path: string): boolean =>
  path.split(SEPARATOR).some((part) => {
    const name = part.replace(PARAMETERS, "").replace(IGNORED, "");
    return name === "." || name === "..";
  });
function leadsElsewhere(path: string): boolean {
  if (path.includes("\\")) return true;
  const decoded = decodedFully(path);
  return decoded === undefined || hasDotSegment(decoded) || hasDotSegment(inPlainLetters(decoded));
}

/** The path to pass on, in which every character stands for itself; undefined if it is refused. */
export function decidedPath(path: string): string | undefined {
  if (!UNUSUAL.test(path)) return path;
  if (leadsElsewhere(path)) return undefined;
  return path.replaceAll("#", "%23");
}
