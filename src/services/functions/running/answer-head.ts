/** Reads the head of an answer that a function's process has written. */
import { HOP_BY_HOP } from "#kernel/operation";

export type AnswerHead = {
  readonly status: number;
  /** Names and values in turn, without hop-by-hop headers. */
  readonly headers: readonly string[];
  /** Whether the function itself answered with an error. */
  readonly isFailure: boolean;
  /** The declared length of the body, if any. */
  readonly length: number | undefined;
};

const FAILURE_MARK = "x-medley-function-error";
const OWN_PREFIX = "x-medley-";
const FIRST_LINE = /^HTTP\/1\.[01] ([1-9]\d{2})(?: |$)/;
const LENGTH = /^\d{1,15}$/;

/** Returns undefined if the text is not a valid head. */
export function headOf(text: string): AnswerHead | undefined {
  const [first = "", ...lines] = text.split("\r\n");
  const status = Number(FIRST_LINE.exec(first)?.[1]);
  if (!status) return undefined;
  const headers: string[] = [];
  let isFailure = false;
  let length: number | undefined;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) return undefined;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    const lower = name.toLowerCase();
    if (lower === FAILURE_MARK) isFailure = true;
    if (lower === "content-length") {
      if (!LENGTH.test(value) || length !== undefined) return undefined;
      length = Number(value);
    }
    if (!HOP_BY_HOP.has(lower) && !lower.startsWith(OWN_PREFIX)) headers.push(name, value);
  }
  return { status, headers, isFailure, length };
}

/** Most answers of a function have one head: it is read once. */
export class HeadReader {
  #text = "";
  #head: AnswerHead | undefined;

  read(text: string): AnswerHead | undefined {
    if (text !== this.#text) {
      this.#text = text;
      this.#head = headOf(text);
    }
    return this.#head;
  }
}
