/** Statements as tables of text: with commas and points, or with semicolons and commas. */
import { amountText, dayText } from "../../money/index.ts";
import type { RegionalFormat, Statement } from "./statement.ts";

/** Cells that a spreadsheet would read as formulas. They are marked as text. */
const FORMULA = /^[=+\-@\t\r]/;
const quoted = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** `1234.56`, or `1234,56` where the comma is at home. */
export const regionalAmount = (minor: number, currency: string, format: RegionalFormat): string => {
  const text = amountText(minor, currency);
  return format === "EUROPEAN" ? text.replace(".", ",") : text;
};
type Cell = string | { readonly amount: string };
/** Lines end with CRLF, as RFC 4180 requires. Amounts are never marked as text. */
export function csvOf(rows: readonly (readonly Cell[])[], format: RegionalFormat): string {
  const separator = format === "EUROPEAN" ? ";" : ",";
  const written = (cell: Cell): string => (typeof cell === "string" ? quoted(cell) : `"${cell.amount}"`);
  return rows.map((row) => `${row.map(written).join(separator)}\r\n`).join("");
}

const COLUMNS = [
  "Date",
  "Payment",
  "Amount",
  "Balance",
  "Currency",
  "Account",
  "Counterparty",
  "Name",
  "Description",
];
export function statementCsv({ lines, currency, iban }: Statement, format: RegionalFormat): string {
  const rows = lines.map((line) => [
    dayText(line.atMs),
    String(line.id),
    { amount: regionalAmount(line.minor, currency, format) },
    { amount: regionalAmount(line.balanceAfter, currency, format) },
    currency,
    iban,
    line.iban,
    line.name,
    line.description,
  ]);
  return csvOf([COLUMNS, ...rows], format);
}
