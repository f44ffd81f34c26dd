/** The form of an export: what goes in comes out, and what does not fit is refused. */
import { expect, it } from "vitest";
import { ServiceError } from "../operation/errors.ts";
import { ArchiveWriter, checkSize, openArchive } from "./archive.ts";
import type { Row } from "./rows.ts";

const rows: Row[] = [
  { text: "", number: 0, nothing: null, bytes: Buffer.alloc(0) },
  { text: 'quotes " and \\ and \n line ends \u2028 🦊', number: -1.5, bytes: Buffer.from([0, 10, 255]) },
  { text: '{"$bytes":"bm90IGJ5dGVz"}', number: Number.MAX_SAFE_INTEGER },
];
async function written(content: readonly Row[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const header = { filter: { account: "111111111111" }, migrations: ["kernel/1"], secrets: { key: "a key" } };
  const archive = new ArchiveWriter(header, async (piece) => {
    pieces.push(piece);
  });
  for (const row of content) await archive.add({ table: "t", row });
  return Buffer.concat([await archive.finish(), ...pieces]);
}
/** In pieces of the given size, wherever they end. */
const sourceOf = (archive: Buffer, bytes = 7) => ({
  async *chunks() {
    for (let at = 0; at < archive.length; at += bytes) yield archive.subarray(at, at + bytes);
  },
});
async function read(archive: Buffer, bytes?: number) {
  const reading = await openArchive(sourceOf(archive, bytes));
  const content: Row[] = [];
  for await (const { row } of reading.rows) content.push(row);
  return { header: reading.header, content };
}

it("keeps every value as it was, however many rows there are and wherever the pieces end", async () => {
  for (const content of [
    [],
    rows,
    Array.from({ length: 20_000 }, (_, i): Row => ({ i, text: "x".repeat(50) })),
  ]) {
    const archive = await written(content);
    for (const bytes of content === rows ? [1, 7, 64, 1_000_000] : [65_536]) {
      const back = await read(archive, bytes);
      expect(back.header).toMatchObject({
        filter: { account: "111111111111" },
        check: { rows: content.length },
      });
      expect(back.content).toEqual(content);
    }
  }
});

it("notices every changed bit, in the header as well as in the rows", async () => {
  const archive = await written(rows);
  for (let at = 0; at < archive.length; at += 1) {
    for (let bit = 1; bit < 256; bit *= 2) {
      const damaged = Buffer.from(archive);
      damaged[at] = (damaged[at] ?? 0) ^ bit;
      await expect(read(damaged), `byte ${at}, bit ${bit}`).rejects.toThrow(ServiceError);
    }
  }
});

it("may have some empty lines, as an editor leaves them", async () => {
  const [header = "", ...lines] = (await written(rows)).toString().split("\n");
  const { check: _check, ...unchecked } = JSON.parse(header);
  const withEmpty = (count: number) =>
    Buffer.from([JSON.stringify(unchecked), "\n".repeat(count - 1), ...lines].join("\n"));
  expect((await read(withEmpty(1000))).content).toEqual(rows);
  await expect(read(withEmpty(1001))).rejects.toThrow("empty lines");
});

it("is limited to what can be loaded again", async () => {
  expect(() => checkSize(536_870_912)).not.toThrow();
  expect(() => checkSize(536_870_913)).toThrow("save it by service and account");
  const line = 16 * 1024 * 1024;
  const around = (await written([{ text: "" }])).toString().split("\n")[1]?.length ?? 0;
  const longest = [{ text: "x".repeat(line - around - 1) }];
  expect((await read(await written(longest), 65_536)).content).toEqual(longest);
  await expect(written([{ text: "x".repeat(line - around) }])).rejects.toThrow("larger than");
  await expect(read(Buffer.alloc(line + 1, "x"), 65_536)).rejects.toThrow("longer than");
  await expect(read(Buffer.alloc(line, "x"), 65_536)).rejects.toThrow("not JSON");
});

it("refuses long lines of many parts, which take seconds to parse", async () => {
  const [header = ""] = (await written(rows)).toString().split("\n");
  const { check: _check, ...unchecked } = JSON.parse(header);
  const reading = (line: string) => read(Buffer.from(`${JSON.stringify(unchecked)}\n${line}\n`), 65_536);
  const rowWith = (value: string) => `{"table":"t","row":{"a":${value},"text":"${"x".repeat(65_536)}"}}`;
  const refused = [
    "[".repeat(16_000_000),
    rowWith("[".repeat(7) + "]".repeat(7)),
    rowWith(`[${Array(9_996).fill(0)}]`),
  ];
  for (const line of refused) await expect(reading(line)).rejects.toThrow("is not a row");
  await expect(reading(rowWith("[".repeat(6) + "]".repeat(6)))).rejects.toThrow("holds no value");
  await expect(reading(rowWith(`[${Array(9_995).fill(0)}]`))).rejects.toThrow("holds no value");
  expect((await reading(rowWith("1"))).content).toMatchObject([{ a: 1 }]);
});
