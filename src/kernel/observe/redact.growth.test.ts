/** No text takes long to redact, whatever it repeats. */
import { describe, expect, it } from "vitest";
import { growthRatio, LINEAR_RATIO_MAX } from "../../../tests/support/growth.ts";
import { redactBody, redactHeaders, redactUrl } from "./redact.ts";

const redacted = (text: string, contentType: string) =>
  redactBody({ bytes: Buffer.from(text), contentType, declared: undefined, isHiddenWhole: false });

describe("twice the text takes twice the time", () => {
  const pieces = [
    "?token",
    "&token",
    "token=",
    "token:",
    "token ",
    '"token',
    '"token"',
    'token"',
    "\\",
    '\\"',
    '"',
    "'",
    "[",
    "{",
    "]",
    "token[",
    "token:[",
    'token:["',
    "token:\\",
    "<token",
    "<token ",
    "token>",
    "a://",
    "a:@",
    "://a:",
    "%",
    "\\u",
    " ",
    "\n",
    "a",
    "=",
    ":",
    'name="token" ',
    'name="token" value=',
    '{"a":',
    "token={",
    "password secret ",
    "-",
    "1",
    "e1",
  ];
  it.each(pieces)("of %j", (piece) => {
    const text = (size: number) => piece.repeat(Math.ceil(size / piece.length));
    for (const type of ["application/json", "text/plain"])
      expect(growthRatio((size) => void redacted(text(size), type), 4000)).toBeLessThan(LINEAR_RATIO_MAX);
    expect(growthRatio((size) => void redactUrl(`/y${text(size)}`), 4000)).toBeLessThan(LINEAR_RATIO_MAX);
    expect(growthRatio((size) => void redactHeaders({ location: text(size) }), 4000)).toBeLessThan(
      LINEAR_RATIO_MAX,
    );
  });
});
