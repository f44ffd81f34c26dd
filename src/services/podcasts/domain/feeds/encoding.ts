/** Bytes of a feed as text, whatever it says of its encoding. */

const DECLARED_WITHIN_BYTES = 1024;
const DECLARATION =
  /^[\s\u00ef\u00bb\u00bf]*<\?xml[^>]{0,500}?encoding\s{0,20}=\s{0,20}["']([\w.:-]{1,40})["']/i;
const CHARSET = /charset\s{0,20}=\s{0,20}["']?([\w.:-]{1,40})/i;
/** No character that a database or XML keeps. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function byteOrderOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Without a mark, a document that begins with `<` tells by its zero.
  if (first === 0x3c && second === 0) return "utf-16le";
  if (first === 0 && second === 0x3c) return "utf-16be";
  return undefined;
}

/** What Windows-1252 has where Latin-1 has controls; the machine's decoder leaves them as controls. */
const WINDOWS_SIGNS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const windowsText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_SIGNS[sign.charCodeAt(0) - 0x80] ?? sign);

/** Undefined where the bytes are not of that encoding, or nobody knows it. */
function decodedAs(label: string, bytes: Uint8Array): string | undefined {
  const isWide = /^(utf-?16|ucs-?2|iso-10646)/i.test(label);
  if (isWide && !bytes.subarray(0, 64).includes(0)) return undefined;
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return decoder.encoding === "windows-1252" ? windowsText(bytes) : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A document knows its encoding better than the server does; what neither of them got right is tried as what it looks like. */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  const marked = byteOrderOf(bytes);
  const beginning = Buffer.from(bytes.subarray(0, DECLARED_WITHIN_BYTES)).toString("latin1");
  const candidates = [marked, DECLARATION.exec(beginning)?.[1], CHARSET.exec(contentType)?.[1], "utf-8"];
  for (const label of candidates) {
    const text = label === undefined ? undefined : decodedAs(label, bytes);
    if (text !== undefined) return soundText(text);
  }
  return soundText(windowsText(bytes));
}

const HALF_ALONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Without what no database keeps: control characters and halves of surrogate pairs. */
export const soundText = (text: string): string => text.replace(CONTROLS, "").replace(HALF_ALONE, "\ufffd");

/** The beginning of a text, never half of a character. */
export const cutText = (text: string, charactersMax: number): string =>
  text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, "");
