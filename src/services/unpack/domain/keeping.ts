/** Retention of results: lifetime, limits and file names. */

/** Callers of this service do not sign in, so stored results belong to no account. */
export const NOBODY = "";
const KEPT_MS = 24 * 3600 * 1000;
type Parts = { readonly report: Uint8Array; readonly content?: Uint8Array | undefined };
export const KEPT_COUNT_MAX = 500;
export const KEPT_BYTES_MAX = 256 * 1024 * 1024;
/** Larger results are not stored; each request computes them again. */
const KEPT_BYTES_EACH_MAX = 16 * 1024 * 1024;
export const isKept = ({ report, content }: Parts): boolean =>
  report.length + (content?.length ?? 0) <= KEPT_BYTES_EACH_MAX;

export const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FILE_NAME_LENGTH_MAX = 120;

/** Metadata of a result that is stored from now on. */
export const keepingFrom = (nowMs: number, packer: { readonly name: string } | undefined) => ({
  packer: packer?.name ?? "",
  createdAtMs: nowMs,
  expiresAtMs: nowMs + KEPT_MS,
});

/** The last part of a path. Characters that are unsafe in a header or a list become underscores. */
export function plainNameOf(given: string): string {
  const last = given.replace(/^.*[\\/]/, "").replace(/[^\x20-\x7e]|["%;]/g, "_");
  return last.slice(0, FILE_NAME_LENGTH_MAX).trim() || "file.exe";
}
/** `calc.exe` becomes `calc.unpacked.exe`. */
export function unpackedNameOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}.unpacked${name.slice(dot)}` : `${name}.unpacked`;
}
