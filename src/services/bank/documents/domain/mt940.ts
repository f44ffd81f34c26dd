/** Statements as banks exchange them: SWIFT's MT940. */
import anyAscii from "any-ascii";
import { amountText, dayText } from "../../money/index.ts";
import type { Statement, StatementLine } from "./statement.ts";

const INFORMATION_LINES_MAX = 6;
const INFORMATION_LINE_LENGTH = 65;

/** Letters that SWIFT's set has, in which no line begins like a field. */
const swiftText = (text: string): string =>
  anyAscii(text)
    .replace(/[^A-Za-z0-9/\-?().,'+ ]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
/** `261116` */
const shortDay = (ms: number): string => dayText(ms).slice(2).replaceAll("-", "");
/** The decimal comma is required even if no digits follow. */
const swiftAmount = (minor: number, currency: string): string => {
  const text = amountText(Math.abs(minor), currency);
  return text.includes(".") ? text.replace(".", ",") : `${text},`;
};
const mark = (minor: number): string => (minor < 0 ? "D" : "C");
const balanceOf = (tag: string, minor: number, atMs: number, currency: string): string =>
  `:${tag}:${mark(minor)}${shortDay(atMs)}${currency}${swiftAmount(minor, currency)}`;

function informationOf({ iban, name, description }: StatementLine): string {
  const text = swiftText(`/IBAN/${iban}/NAME/${name}/REMI/${description}`);
  const lines = [];
  for (
    let start = 0;
    start < text.length && lines.length < INFORMATION_LINES_MAX;
    start += INFORMATION_LINE_LENGTH
  )
    lines.push(text.slice(start, start + INFORMATION_LINE_LENGTH));
  // A line must not begin with a colon or a hyphen: a colon starts a field, and a hyphen ends the message.
  return `:86:${lines.map((line) => line.replace(/^[-:]/, " ")).join("\r\n")}`;
}
const lineOf = (line: StatementLine, currency: string): string => {
  const day = shortDay(line.atMs);
  return `:61:${day}${day.slice(2)}${mark(line.minor)}${swiftAmount(line.minor, currency)}NTRF${line.id}`;
};

export function statementMt940(statement: Statement): string {
  const { number, iban, currency, fromMs, untilMs, openingMinor, closingMinor, lines } = statement;
  const fields = [
    `:20:STATEMENT${String(number).padStart(5, "0").slice(-5)}`,
    `:25:${iban}`,
    `:28C:${String(number % 100_000).padStart(5, "0")}/00001`,
    balanceOf("60F", openingMinor, fromMs, currency),
    ...lines.flatMap((line) => [lineOf(line, currency), informationOf(line)]),
    balanceOf("62F", closingMinor, untilMs - 1, currency),
  ];
  return `${fields.join("\r\n")}\r\n-\r\n`;
}
