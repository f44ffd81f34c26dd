/** The form of an export: what goes in comes out, and what does not fit is refused. */
import { expect, it } from "vitest";
import { ServiceError } from "../operation/errors.ts";
import { ARCHIVE_BYTES_MAX, ArchiveWriter, checkSize, readHeader, readRows } from "./archive.ts";
import type { Row } from "./rows.ts";

const rows: Row[] = [
  { text: "", number: 0, nothing: null, bytes: Buffer.alloc(0) },
  { text: 'quotes " and \\ and \n line ends \u2028 🦊', number: -1.5, bytes: Buffer.from([0, 10, 255]) },
  { text: '{"$bytes":"bm90IGJ5dGVz"}', number: Number.MAX_SAFE_INTEGER },
];
function written(content: readonly Row[]): Buffer {
  const archive = new ArchiveWriter();
  for (const row of content) archive.add({ table: "t", row });
  return Buffer.concat(archive.finish({ filter: { account: "111111111111" }, migrations: ["kernel/1"] }));
}

it("keeps every value as it was, however many rows there are", () => {
  for (const content of [
    [],
    rows,
    Array.from({ length: 20_000 }, (_, i): Row => ({ i, text: "x".repeat(50) })),
  ]) {
    const archive = written(content);
    const header = readHeader(archive);
    expect(header).toMatchObject({ filter: { account: "111111111111" }, check: { rows: content.length } });
    expect(readRows(archive, header).map(({ row }) => row)).toEqual(content);
  }
});

it("notices every changed byte", () => {
  const archive = written(rows);
  const start = archive.indexOf("\n") + 1;
  for (let at = start; at < archive.length; at += 1) {
    const damaged = Buffer.from(archive);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(() => readRows(damaged, readHeader(damaged))).toThrow(ServiceError);
  }
});

it("is limited to what can be loaded again", () => {
  expect(() => checkSize(ARCHIVE_BYTES_MAX)).not.toThrow();
  expect(() => checkSize(ARCHIVE_BYTES_MAX + 1)).toThrow("save it by service and account");
});
