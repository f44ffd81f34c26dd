/**
 * The format of an export: one line of JSON for the header, then one per row. Neither side holds it in memory as a
 * whole.
 */
import { createHash, type Hash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value as Shape } from "@sinclair/typebox/value";
import { measureJson } from "../http/json-size.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Row, Value } from "./rows.ts";

/** A larger export could not be imported again. */
export const ARCHIVE_BYTES_MAX = 512 * 1024 * 1024;
const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** Parsing takes long where much is nested or counted. Bytes and texts, which make a line long, are parsed quickly. */
const UNMEASURED_BYTES_MAX = 64 * 1024;
const LINE_DEPTH_MAX = 8;
const LINE_PARTS_MAX = 10_000;
/** Only somebody who edits an export leaves empty lines. */
const EMPTY_LINES_MAX = 1000;
const FORMAT = 2;
const PIECE_BYTES = 256 * 1024;
const NEWLINE = 10;

const Text = Type.String({ maxLength: 200 });
const Secrets = Type.Object(
  {
    key: Type.Optional(Text),
    keyDigest: Type.Optional(Text),
    /** A known text, encrypted with the same key as the secrets. */
    probe: Type.Optional(Text),
  },
  { additionalProperties: false },
);
const shared = {
  exportedAt: Type.Optional(Text),
  filter: Type.Object(
    { service: Type.Optional(Text), account: Type.Optional(Text) },
    { additionalProperties: false },
  ),
  /** The migrations of the tables. */
  migrations: Type.Array(Text),
  secrets: Type.Optional(Secrets),
  /** Absent if somebody has edited the rows on purpose. */
  check: Type.Optional(Type.Object({ rows: Type.Integer(), sha256: Text }, { additionalProperties: false })),
};
const HeaderShape = Type.Union([
  /** The format of 0.1.0: its checksum covers only the rows. */
  Type.Object({ medley: Type.Literal(1), ...shared }),
  /** Its checksum also covers the header, as written without the checksum. */
  Type.Object({ medley: Type.Literal(FORMAT), ...shared }, { additionalProperties: false }),
]);
export type Header = Static<typeof HeaderShape>;
type NewHeader = Omit<Header, "medley" | "check">;
export type ArchivedRow = { readonly table: string; readonly row: Row };

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;
const refuse = (message: string) => kernelErrors.invalidInput(message);

/** Turns rows into pieces of text, and passes each on when it is large enough. The header is known at the end. */
export class ArchiveWriter {
  readonly #header: NewHeader & { readonly medley: typeof FORMAT };
  readonly #put: (piece: Buffer) => Promise<void>;
  readonly #hash: Hash;
  #lines: string[] = [];
  #lineLength = 0;
  #rows = 0;
  #bytes = 0;

  constructor(header: NewHeader, put: (piece: Buffer) => Promise<void>) {
    this.#header = { medley: FORMAT, ...header };
    this.#put = put;
    this.#hash = createHash("sha256").update(lineOf(this.#header));
  }
  async add({ table, row }: ArchivedRow): Promise<void> {
    const line = lineOf({ table, row: encodeBytes(row) });
    if (line.length > LINE_BYTES_MAX)
      throw refuse(`A row of ${table} is larger than the ${LINE_BYTES_MAX} bytes of a line.`);
    this.#lines.push(line);
    this.#lineLength += line.length;
    this.#rows += 1;
    if (this.#lineLength >= PIECE_BYTES) await this.#flush();
  }
  async #flush(): Promise<void> {
    const piece = Buffer.from(this.#lines.join(""));
    this.#lines = [];
    this.#lineLength = 0;
    this.#bytes += piece.length;
    checkSize(this.#bytes);
    this.#hash.update(piece);
    await this.#put(piece);
  }
  /** The header line, which comes before the pieces. */
  async finish(): Promise<Buffer> {
    await this.#flush();
    const check = { rows: this.#rows, sha256: this.#hash.digest("hex") };
    return Buffer.from(lineOf({ ...this.#header, check }));
  }
}

export function checkSize(bytes: number): void {
  if (bytes > ARCHIVE_BYTES_MAX)
    throw refuse(
      `The state is larger than the ${ARCHIVE_BYTES_MAX} bytes of one export: save it by service and account.`,
    );
}

export type ArchiveSource = { chunks(): AsyncIterable<Buffer> };
type Reading = { readonly header: Header; readonly rows: AsyncGenerator<ArchivedRow> };

/**
 * Reads the header first, so that it can be checked before the rows. After the last row the checksum is verified,
 * so a reader of all rows knows that they are unchanged.
 */
export async function openArchive(source: ArchiveSource): Promise<Reading> {
  const lines = linesOf(source.chunks());
  const first = await lines.next();
  const header = readHeader(first.done ? Buffer.alloc(0) : first.value);
  return { header, rows: checkedRows(header, lines) };
}

function readHeader(line: Buffer): Header {
  const header = parseLine(line);
  const format = (header as { medley?: unknown } | null)?.medley;
  if (typeof format === "number" && format > FORMAT)
    throw refuse(`The export was made by a newer version: it has format ${format}.`);
  if (!Shape.Check(HeaderShape, header)) throw refuse("This is not a state export.");
  return header;
}

async function* checkedRows(header: Header, lines: AsyncIterable<Buffer>): AsyncGenerator<ArchivedRow> {
  const { check, ...unchecked } = header;
  const hash = createHash("sha256");
  if (header.medley === FORMAT) hash.update(lineOf(unchecked));
  let rows = 0;
  let emptyLines = 0;
  for await (const line of lines) {
    hash.update(line);
    if (line.length === 1 && line[0] === NEWLINE) {
      emptyLines += 1;
      if (emptyLines > EMPTY_LINES_MAX)
        throw refuse(`The export has more than ${EMPTY_LINES_MAX} empty lines.`);
      continue;
    }
    rows += 1;
    yield rowOf(parseLine(line));
  }
  if (!check) return;
  if (rows < check.rows)
    throw refuse(`The export is cut off: ${check.rows - rows} of its ${check.rows} rows are missing.`);
  if (rows !== check.rows || hash.digest("hex") !== check.sha256)
    throw refuse(
      'The export is not as it was made. If it was changed on purpose, take "check" out of its first line.',
    );
}

/** Each with its line end, if it has one. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let begunLength = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end + 1);
      yield begunLength === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      begunLength = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    begunLength += chunk.length - start;
    if (begunLength > LINE_BYTES_MAX)
      throw refuse(`A line of the export is longer than ${LINE_BYTES_MAX} bytes.`);
  }
  if (begunLength > 0) yield Buffer.concat(begun);
}
function parseLine(line: Buffer): unknown {
  const text = line.toString("utf8");
  if (line.length > UNMEASURED_BYTES_MAX) refuseElaborate(text);
  try {
    return JSON.parse(text);
  } catch {
    throw refuse("A line of the export is not JSON.");
  }
}
function refuseElaborate(text: string): void {
  const most = { depth: LINE_DEPTH_MAX, members: LINE_PARTS_MAX, items: LINE_PARTS_MAX };
  const { depth, members, items } = measureJson(text, most);
  if (depth > LINE_DEPTH_MAX || members + items > LINE_PARTS_MAX)
    throw refuse("A line of the export is not a row.");
}
function rowOf(line: unknown): ArchivedRow {
  const { table, row } = (line ?? {}) as { table?: unknown; row?: unknown };
  if (typeof table !== "string" || row === null || typeof row !== "object" || Array.isArray(row))
    throw refuse("A line of the export is not a row.");
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
    throw refuse(`The column ${name} of a row of ${table} holds no value of a database.`);
  return Buffer.from(bytes, "base64");
}
