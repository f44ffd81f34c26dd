/** Values of tables as texts, and their order: numbers, sizes and money by how much they are, everything else as people sort texts. */
const SIZE = /^(-?[\d,]+(?:\.\d+)?) (B|KB|MB|GB|TB|ms|s|min|h|d|%|[A-Z]{3})$/;
const SHARE = /%$/;
const FACTORS: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  s: 1e3,
  min: 6e4,
  h: 3.6e6,
  d: 8.64e7,
};

function amountOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const [, amount, unit = ""] = (typeof value === "string" && SIZE.exec(value)) || [];
  return amount === undefined ? undefined : Number(amount.replaceAll(",", "")) * (FACTORS[unit] ?? 1);
}

/** Shown in a column of numbers. Shares have bars instead. */
export const isAmount = (value: unknown): boolean =>
  amountOf(value) !== undefined && !SHARE.test(String(value));

export const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

export function compareValues(a: unknown, b: unknown): number {
  const [one, other] = [amountOf(a), amountOf(b)];
  return one === undefined || other === undefined
    ? textOf(a).localeCompare(textOf(b), "en", { numeric: true })
    : one - other;
}
