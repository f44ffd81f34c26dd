/** Sizes for people. */
const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** In the unit that fits: 812 B, 3.4 KB. */
export function sizeText(bytes: number): string {
  const unit = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit]}`;
}
