/** A prediction that was asked for, as the query log keeps it. */
import { isoOf } from "#kernel/clock";

export const QUERIES_KEPT_MAX = 10_000;

export type Query = {
  /** Sorts by time. */
  readonly id: string;
  readonly application: string;
  readonly versionUid: string;
  /** Empty if a version was queried instead of a slot. */
  readonly slot: string;
  readonly text: string;
  readonly intent: string;
  readonly score: number;
  /** The answer's JSON, as the log gives it out. */
  readonly answer: string;
  readonly askedAtMs: number;
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** Texts that a spreadsheet would take for a formula begin with an apostrophe. */
const cell = (text: string): string => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

export const LOG_HEAD = '"Query","UTC DateTime","Response"\r\n';
export const logLineOf = ({ text, askedAtMs, answer }: Query): string =>
  `${cell(text)},${quoted(isoOf(askedAtMs))},${quoted(answer)}\r\n`;
