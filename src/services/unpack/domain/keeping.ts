/** What is kept of files, how long and how much of it. */

/** Nobody signs in here: what is kept belongs to no account. */
export const NOBODY = "";
const KEPT_MS = 24 * 3600 * 1000;
export const KEPT_COUNT_MAX = 500;
export const KEPT_BYTES_MAX = 256 * 1024 * 1024;
/** What takes more is worked out again each time. */
export const KEPT_BYTES_EACH_MAX = 16 * 1024 * 1024;

export const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FILE_NAME_LENGTH_MAX = 120;

/** What is noted of an outcome that is kept from now on. */
export const keepingFrom = (nowMs: number, packer: { readonly name: string } | undefined) => ({
  packer: packer?.name ?? "",
  createdAtMs: nowMs,
  expiresAtMs: nowMs + KEPT_MS,
});

/** The last part of a name, without what would hurt in a header or a list. */
export function plainNameOf(given: string): string {
  const last = given.replace(/^.*[\\/]/, "").replace(/[^\x20-\x7e]|["%;]/g, "_");
  return last.slice(0, FILE_NAME_LENGTH_MAX).trim() || "file.exe";
}
/** `calc.exe` becomes `calc.unpacked.exe`. */
export function unpackedNameOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}.unpacked${name.slice(dot)}` : `${name}.unpacked`;
}
