/**
 * Decides once what a path means. Programs behind a gateway may decode it again, treat a backslash as a slash, or
 * drop everything after a semicolon. A path that any of them would resolve differently is refused. Anything else is
 * data.
 */

/** Most paths have none of these. */
const UNUSUAL = /[%\\;#]|\/\./;
/** No honest client encodes a name more often. */
const ENCODED_TIMES_MAX = 4;
const ENCODED = /%(?:u00)?([0-9a-f]{2})/gi;
/** Overlong two-byte encodings of `.`, `/` and `\`, which lenient decoders accept. */
const OVERLONG: Readonly<Record<string, string>> = {
  "\u00c0\u00ae": ".",
  "\u00c0\u00af": "/",
  "\u00c1\u009c": "\\",
};
/** Some programs end a segment there. */
const SEPARATOR = /[/\\]/;
const PARAMETERS = /[;?#\0].*$/s;
/** Browsers drop these characters from addresses. */
const IGNORED = /[\t\n\r ]/g;

/** Undefined if it is encoded too often. */
function decodedFully(path: string): string | undefined {
  let text = path;
  for (let times = 0; times <= ENCODED_TIMES_MAX; times += 1) {
    const decoded = text
      .replace(ENCODED, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\u00c0[\u00ae\u00af]|\u00c1\u009c/g, (bytes) => OVERLONG[bytes] ?? bytes);
    if (decoded === text) return text;
    text = decoded;
  }
  return undefined;
}
function leadsElsewhere(path: string): boolean {
  if (path.includes("\\")) return true;
  const plain = decodedFully(path);
  return (
    plain === undefined ||
    plain.split(SEPARATOR).some((part) => {
      const name = part.replace(PARAMETERS, "").replace(IGNORED, "");
      return name === "." || name === "..";
    })
  );
}

/** The path to pass on, in which every character stands for itself; undefined if it is refused. */
export function decidedPath(path: string): string | undefined {
  if (!UNUSUAL.test(path)) return path;
  if (leadsElsewhere(path)) return undefined;
  return path.replaceAll("#", "%23");
}
