/** Decodes the bytes of a feed, also if its declared encoding is wrong. */

const DECLARED_WITHIN_BYTES = 1024;
const DECLARATION =
  /^[\s\u00ef\u00bb\u00bf]*<\?xml[^>]{0,500}?encoding\s{0,20}=\s{0,20}["']([\w.:-]{1,40})["']/i;
const CHARSET = /charset\s{0,20}=\s{0,20}["']?([\w.:-]{1,40})/i;
/** Control characters that neither databases nor XML accept. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]+/g;

function byteOrderOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Without a byte order mark, the zero byte beside `<` shows the byte order.
  if (first === 0x3c && second === 0) return "utf-16le";
  if (first === 0 && second === 0x3c) return "utf-16be";
  return undefined;
}

/**
 * Windows-1252 characters at the C1 control codes of Latin-1. The decoder of Node.js leaves them as
 * controls.
 */
const WINDOWS_SIGNS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const windowsText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_SIGNS[sign.charCodeAt(0) - 0x80] ?? sign);

/** Undefined if the label is unknown or the bytes are invalid in that encoding. */
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

/**
 * Tries the byte order mark, the document's declaration, the Content-Type header and UTF-8. The fallback is
 * Windows-1252.
 */
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
/** Removes control characters and lone surrogates, which databases reject. */
export const soundText = (text: string): string => text.replace(CONTROLS, "").replace(HALF_ALONE, "\ufffd");

/** Cuts the text without splitting a surrogate pair. */
export const cutText = (text: string, charactersMax: number): string =>
  text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, "");
