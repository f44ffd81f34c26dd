/** YARA rules as text: rules from ranked strings, and the matches of a scan. */
import type { RankedString } from "./ranking.ts";

export type RuleMeta = {
  readonly date: string;
  readonly md5sum: string;
  readonly sha256sum: string;
  readonly sha512sum: string;
};

const NAME_LENGTH_MAX = 64;
const STRINGS_IN_RULE = 20;
const TEXT_LENGTH_MAX = 120;

/** A rule name from the file name. Characters that YARA does not allow become underscores. */
export function ruleNameOf(fileName: string): string {
  const stem = fileName.replace(/^.*[\\/]/, "").replace(/\.[A-Za-z0-9]{1,4}$/, "");
  const name = stem.replace(/[^A-Za-z0-9_]+/g, "_").slice(0, NAME_LENGTH_MAX);
  return `sample_${name.replace(/^_|_$/g, "") || "file"}`;
}

const quoted = (text: string): string => {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\t/g, "\\t");
  return `"${escaped}"`;
};

/** A rule from the best-ranked strings that compiles. Two thirds of the strings must match. */
export function ruleTextOf(
  name: string,
  meta: RuleMeta,
  ranked: readonly RankedString[],
  size: number,
): string {
  const chosen = ranked.slice(0, STRINGS_IN_RULE);
  const strings = chosen.map(
    ({ text, isWide }, index) =>
      `    $s${index} = ${quoted(text.slice(0, TEXT_LENGTH_MAX))}${isWide ? " wide" : " ascii"}`,
  );
  const enough = Math.max(1, Math.ceil((chosen.length * 2) / 3));
  const conditions = [
    "uint16(0) == 0x5a4d",
    `filesize < ${Math.max(64, Math.ceil((size * 2) / 1024))}KB`,
    ...(chosen.length > 0 ? [`${enough} of ($s*)`] : []),
  ];
  return [
    `rule ${name} {`,
    "  meta:",
    ...Object.entries(meta).map(([key, value]) => `    ${key} = ${quoted(value)}`),
    ...(strings.length > 0 ? ["  strings:", ...strings] : []),
    "  condition:",
    `    ${conditions.join(" and ")}`,
    "}",
    "",
  ].join("\n");
}

export type StringMatch = {
  readonly identifier: string;
  readonly offset: number;
  readonly length: number;
  /** Matched bytes. Unprintable bytes are written as `\x00`. */
  readonly data: string;
};
/** The format of YARA's command line: offset, length, name and bytes. */
export const stringLineOf = ({ identifier, offset, length, data }: StringMatch): string =>
  `0x${offset.toString(16)}:${length}:${identifier}: ${data}`;

const SHOWN_BYTES_MAX = 64;
export function shownBytes(content: Uint8Array, offset: number, length: number): string {
  let text = "";
  for (const byte of content.subarray(offset, offset + Math.min(length, SHOWN_BYTES_MAX)))
    text +=
      byte >= 0x20 && byte < 0x7f
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  return length > SHOWN_BYTES_MAX ? `${text} …` : text;
}
