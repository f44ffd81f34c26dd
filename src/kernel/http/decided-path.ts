/**
 * What a path means, decided once. Programs behind a gateway may decode it once more, take a backslash for a slash or leave
 * out what follows a semicolon. A path that would lead elsewhere for any of them is refused; all else is data.
 */

/** What most paths have nothing of. */
const UNUSUAL = /[%\\;#]|\/\./;
/** Nobody encodes a name more often; whoever does wants it to be read wrongly. */
const ENCODED_TIMES_MAX = 4;
const ENCODED = /%(?:u00)?([0-9a-f]{2})/gi;
/** Spellings of `.`, `/` and `\` in two bytes, which lenient decoders read. */
const OVERLONG: Readonly<Record<string, string>> = {
  "\u00c0\u00ae": ".",
  "\u00c0\u00af": "/",
  "\u00c1\u009c": "\\",
};
/** A segment ends there, in the eyes of one program or another. */
const SEPARATOR = /[/\\]/;
const PARAMETERS = /[;?#\0].*$/s;
/** Left out by those that read addresses as browsers do. */
const IGNORED = /[\t\n\r ]/g;

/** Undefined where it is encoded over and over. */
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

/** The path as it may be handed on, in which every character stands for itself; undefined where it is refused. */
export function decidedPath(path: string): string | undefined {
  if (!UNUSUAL.test(path)) return path;
  if (leadsElsewhere(path)) return undefined;
  return path.replaceAll("#", "%23");
}
