/** The kind of a picture or film, by its first bytes. Any other kind is refused, whatever it claims to be. */

export type FormatName = "jpeg" | "png" | "webp" | "gif" | "heic" | "mp4" | "mov" | "webm";
export type MediaKind = "image" | "video";
export type Format = {
  readonly name: FormatName;
  readonly kind: MediaKind;
  readonly contentType: string;
  readonly fileExtension: string;
};

const FORMATS: Readonly<Record<FormatName, Format>> = {
  jpeg: { name: "jpeg", kind: "image", contentType: "image/jpeg", fileExtension: "jpg" },
  png: { name: "png", kind: "image", contentType: "image/png", fileExtension: "png" },
  webp: { name: "webp", kind: "image", contentType: "image/webp", fileExtension: "webp" },
  gif: { name: "gif", kind: "image", contentType: "image/gif", fileExtension: "gif" },
  heic: { name: "heic", kind: "image", contentType: "image/heic", fileExtension: "heic" },
  mp4: { name: "mp4", kind: "video", contentType: "video/mp4", fileExtension: "mp4" },
  mov: { name: "mov", kind: "video", contentType: "video/quicktime", fileExtension: "mov" },
  webm: { name: "webm", kind: "video", contentType: "video/webm", fileExtension: "webm" },
};
export const formatNamed = (name: string): Format => FORMATS[name as FormatName];
export const CONTENT_TYPES = Object.values(FORMATS).map(({ contentType }) => contentType);

/** How many bytes are needed to recognise the kind. */
export const BEGINNING_BYTES = 64;

const HEIC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]);
const MP4_BRAND = /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |M4VP|MSNV|dash|mmp4|3gp[4-9]|3g2[abc]|f4v )$/;
const EBML_MAGIC = "1a45dfa3";

function nameOf(bytes: Buffer): FormatName | undefined {
  const hex = bytes.toString("hex", 0, 8);
  const text = bytes.toString("latin1", 0, 12);
  if (hex.startsWith("ffd8ff")) return "jpeg";
  if (hex === "89504e470d0a1a0a") return "png";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (text.startsWith("RIFF") && text.slice(8) === "WEBP") return "webp";
  if (text.slice(4, 8) === "ftyp") return nameOfBrand(text.slice(8, 12));
  // Older QuickTime films begin with one of these boxes.
  if (/^(?:moov|mdat|wide|skip|pnot)$/.test(text.slice(4, 8))) return "mov";
  if (hex.startsWith(EBML_MAGIC) && bytes.includes("webm")) return "webm";
  return undefined;
}
function nameOfBrand(brand: string): FormatName | undefined {
  if (HEIC_BRANDS.has(brand)) return "heic";
  if (brand === "qt  ") return "mov";
  return MP4_BRAND.test(brand) ? "mp4" : undefined;
}

export function findFormat(beginning: Uint8Array): Format | undefined {
  const bytes = Buffer.from(
    beginning.buffer,
    beginning.byteOffset,
    Math.min(beginning.length, BEGINNING_BYTES),
  );
  const name = nameOf(bytes);
  return name && FORMATS[name];
}
