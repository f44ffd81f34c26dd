/** How state looks on its way: one line of JSON for the header, then one per row. */
import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value as Shape } from "@sinclair/typebox/value";
import { kernelErrors } from "../operation/errors.ts";
import type { Row, Value } from "./rows.ts";

/** An export beyond this could not be imported again. */
export const ARCHIVE_BYTES_MAX = 512 * 1024 * 1024;
const FORMAT = 1;
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 10;

const Text = Type.String({ maxLength: 200 });
const HeaderShape = Type.Object({
  medley: Type.Literal(FORMAT),
  exportedAt: Type.Optional(Text),
  filter: Type.Object(
    { service: Type.Optional(Text), account: Type.Optional(Text) },
    { additionalProperties: false },
  ),
  /** What the tables have been through. */
  migrations: Type.Array(Text),
  secrets: Type.Optional(Type.Object({ key: Type.Optional(Text), keyDigest: Type.Optional(Text) })),
  /** Absent where somebody has changed the rows on purpose. */
  check: Type.Optional(Type.Object({ rows: Type.Integer(), sha256: Text })),
});
export type Header = Static<typeof HeaderShape>;
export type ArchivedRow = { readonly table: string; readonly row: Row };

/** Gathers rows outside the heap of the language, within the limit. */
export class ArchiveWriter {
  readonly #pieces: Buffer[] = [];
  readonly #hash = createHash("sha256");
  #lines: string[] = [];
  #lineLength = 0;
  #rows = 0;
  #bytes = 0;

  add({ table, row }: ArchivedRow): void {
    const line = `${JSON.stringify({ table, row: encodeBytes(row) })}\n`;
    this.#lines.push(line);
    this.#lineLength += line.length;
    this.#rows += 1;
    if (this.#lineLength >= PIECE_BYTES) this.#flush();
  }
  #flush(): void {
    const piece = Buffer.from(this.#lines.join(""));
    this.#lines = [];
    this.#lineLength = 0;
    this.#bytes += piece.length;
    checkSize(this.#bytes);
    this.#hash.update(piece);
    this.#pieces.push(piece);
  }
  /** The whole export, in pieces. */
  finish(header: Omit<Header, "medley" | "check">): readonly Buffer[] {
    this.#flush();
    const check = { rows: this.#rows, sha256: this.#hash.digest("hex") };
    const first: Header = { medley: FORMAT, ...header, check };
    return [Buffer.from(`${JSON.stringify(first)}\n`), ...this.#pieces];
  }
}

export function checkSize(bytes: number): void {
  if (bytes > ARCHIVE_BYTES_MAX)
    throw kernelErrors.invalidInput(
      `The state is larger than the ${ARCHIVE_BYTES_MAX} bytes of one export: save it by service and account.`,
    );
}

/** The header alone, so that what it says can be judged before the rows are looked at. */
export function readHeader(archive: Buffer): Header {
  const header: unknown = parseLine(firstLineOf(archive));
  const format = (header as { medley?: unknown } | null)?.medley;
  if (typeof format === "number" && format > FORMAT)
    throw kernelErrors.invalidInput(`The export was made by a newer version: it has format ${format}.`);
  if (!Shape.Check(HeaderShape, header)) throw kernelErrors.invalidInput("This is not a state export.");
  return header;
}
const firstLineOf = (archive: Buffer): Buffer => {
  const end = archive.indexOf(NEWLINE);
  return end < 0 ? archive : archive.subarray(0, end);
};

export function readRows(archive: Buffer, { check }: Header): ArchivedRow[] {
  const content = archive.subarray(firstLineOf(archive).length + 1);
  const rows: ArchivedRow[] = [];
  for (const line of linesOf(content)) rows.push(rowOf(parseLine(line)));
  if (check && rows.length < check.rows)
    throw kernelErrors.invalidInput(
      `The export is cut off: ${check.rows - rows.length} of its ${check.rows} rows are missing.`,
    );
  if (check && createHash("sha256").update(content).digest("hex") !== check.sha256)
    throw kernelErrors.invalidInput(
      'The export is not as it was made. If it was changed on purpose, take "check" out of its first line.',
    );
  return rows;
}

function* linesOf(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(NEWLINE, start);
    const stop = end < 0 ? content.length : end;
    if (stop > start) yield content.subarray(start, stop);
    start = stop + 1;
  }
}
function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    throw kernelErrors.invalidInput("A line of the export is not JSON.");
  }
}
function rowOf(line: unknown): ArchivedRow {
  const { table, row } = (line ?? {}) as { table?: unknown; row?: unknown };
  if (typeof table !== "string" || row === null || typeof row !== "object" || Array.isArray(row))
    throw kernelErrors.invalidInput("A line of the export is not a row.");
  return {
    table,
    row: Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, decodeValue(table, name, value)]),
    ),
  };
}

function encodeBytes(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { $bytes: value.toString("base64") } : value,
    ]),
  );
}
function decodeValue(table: string, name: string, value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  const bytes = (value as { $bytes?: unknown }).$bytes;
  if (typeof bytes !== "string")
    throw kernelErrors.invalidInput(`The column ${name} of a row of ${table} holds no value of a database.`);
  return Buffer.from(bytes, "base64");
}
