/** Exports that cannot be loaded are refused in clear words, and nothing of the state that is there is lost. */
import { createHash } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Instance } from "../support/medley.ts";
import { book, cover, databases, exportOf, fillShelf, importInto, startShelf } from "./shelf.ts";

type Header = { migrations: string[]; filter: object; check?: { rows: number; sha256: string } };
/** Another header, other rows, and a checksum that fits again. */
function remade(archive: Buffer, change: { header?: object; rows?: (lines: string[]) => string[] }): string {
  const [first = "", ...lines] = archive.toString().trimEnd().split("\n");
  const rows = `${(change.rows?.(lines) ?? lines).join("\n")}\n`;
  const { check: _check, ...header } = { ...JSON.parse(first), ...change.header };
  if (change.header && "check" in change.header) return `${JSON.stringify(header)}\n${rows}`;
  const check = {
    rows: rows.trimEnd().split("\n").length,
    sha256: createHash("sha256")
      .update(`${JSON.stringify(header)}\n${rows}`)
      .digest("hex"),
  };
  return `${JSON.stringify({ ...header, check })}\n${rows}`;
}
const headerOf = (archive: Buffer): Header => JSON.parse(archive.toString().split("\n", 1)[0] ?? "");

/** A body of which only a part arrives, or that is merely announced. Who is patient waits for an answer. */
function sendPart(
  instance: Instance,
  part: Buffer,
  announcedBytes: number,
  isPatient = false,
): Promise<number | "broken off"> {
  return new Promise((resolve) => {
    const sent = request(`${instance.url}/_medley/state`, {
      method: "PUT",
      headers: {
        authorization: "Bearer first-token-0001",
        "content-type": "application/x-ndjson",
        "content-length": announcedBytes,
      },
    });
    sent.on("response", (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.resume();
      sent.destroy();
    });
    sent.on("error", () => resolve("broken off"));
    sent.write(part, () => isPatient || setTimeout(() => sent.destroy(), 300));
  });
}

describe.each(databases)("on %s", (on) => {
  let instance: Instance;
  let whole: Buffer;
  beforeAll(async () => {
    instance = await startShelf(3, on);
    await fillShelf(instance, "first");
    whole = await exportOf(instance);
  });
  afterAll(async () => {
    await instance.stop();
  });
  async function expectNothingLost(): Promise<void> {
    expect(await book(instance, "one")).toMatchObject({ name: "Ursula of first: The Long Way" });
    const shown = await instance.bearer("GET", "/shelf/books/one/cover");
    expect(shown.bytes.equals(cover)).toBe(true);
    expect((await exportOf(instance)).toString().split("\n").length).toBe(
      whole.toString().split("\n").length,
    );
  }
  async function expectRefused(archive: Buffer | string, words: RegExp, status = 400): Promise<void> {
    const refused = await importInto(instance, archive);
    expect([refused.status, refused.body.error?.message]).toEqual([status, expect.stringMatching(words)]);
    await expectNothingLost();
  }
  /** The preview reads the same, and promises nothing that the import refuses. */
  async function expectNoPreview(archive: string, words: RegExp): Promise<void> {
    await expectRefused(archive, words);
    const answer = await instance.bearer("POST", "/_medley/state/import/preview", { body: archive });
    expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringMatching(words)]);
  }

  it("of a newer version, by its migrations or by its format", async () => {
    const migrations = [...headerOf(whole).migrations, "shelf/004-future", "kernel/999-future"];
    await expectNoPreview(
      remade(whole, { header: { migrations } }),
      /newer version: it knows shelf\/004-future, kernel\/999-future/,
    );
    await expectRefused(remade(whole, { header: { medley: 3 } }), /newer version: it has format 3/);
    const withNewTable = (lines: string[]) => [...lines, '{"table":"shelf_future","row":{"account":"1"}}'];
    await expectRefused(
      remade(whole, { header: { migrations }, rows: withNewTable }),
      /newer version: it knows shelf\/004/,
    );
  });

  it("cut off at any place", async () => {
    const text = whole.toString();
    const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
    const refused: number[] = [];
    for (const end of [0, 1, 40, text.indexOf("\n"), text.indexOf("\n") + 1, lastLine, text.length - 20]) {
      const answer = await importInto(instance, text.slice(0, end));
      expect([end, answer.status]).toEqual([end, 400]);
      refused.push(end);
    }
    expect(refused).toHaveLength(7);
    await expectRefused(text.slice(0, lastLine), /cut off: 1 of its \d+ rows are missing/);
  });

  it("that only half arrives", async () => {
    expect(await sendPart(instance, whole.subarray(0, 200_000), whole.length)).toBe("broken off");
    await expectNothingLost();
  });

  it("larger than one export may be", async () => {
    expect(await sendPart(instance, whole.subarray(0, 1000), 512 * 1024 * 1024 + 1, true)).toBe(413);
    await expectNothingLost();
  });

  it("damaged: bytes, lines, values", async () => {
    const damaged = Buffer.from(whole);
    damaged[damaged.indexOf("The Long Way")] = 0x51;
    await expectRefused(damaged, /not as it was made/);
    await expectRefused(Buffer.concat([whole, Buffer.from("half a li")]), /not JSON/);
    await expectRefused(Buffer.concat([whole, Buffer.from([0xff, 0x00, 0x0a])]), /not JSON/);
    for (const line of ["1", "null", "[]", '{"table":"shelf_volume"}', '{"table":"shelf_volume","row":[]}'])
      await expectRefused(remade(whole, { rows: (lines) => [...lines, line] }), /not a row/);
    const swapped = (find: string | RegExp, put: string) => ({
      rows: (lines: string[]) => lines.map((line) => line.replace(find, put)),
    });
    await expectRefused(
      remade(whole, swapped('"pages":300', '"pages":{"deep":1}')),
      /no value of a database/,
    );
    await expectRefused(remade(whole, swapped('"pages":300', '"pages":true')), /no value of a database/);
    await expectRefused(remade(whole, swapped('"pages":300', '"pages":null')), /do not fit shelf_volume/);
    await expectRefused(remade(whole, swapped('"pages":300', '"sheets":300')), /do not fit shelf_volume/);
    await expectRefused(
      remade(whole, { rows: (lines) => [...lines, ...lines.slice(-1)] }),
      /is there already/,
      409,
    );
    await expectNoPreview(
      remade(whole, { rows: (lines) => [...lines, '{"table":"pg_shadow","row":{}}'] }),
      /does not have: pg_shadow/,
    );
    await expectRefused(
      remade(whole, { rows: (lines) => [...lines, '{"table":"medley_setting","row":{"name":"x"}}'] }),
      /does not have: medley_setting/,
    );
  });

  it("with a header that is not one, or rows beyond what it covers", async () => {
    for (const text of [
      "{}",
      "nonsense",
      "null",
      '{"medley":1}',
      '{"medley":1,"filter":{},"migrations":[1]}',
    ])
      await expectRefused(text, /not a state export|not JSON/);
    await expectRefused(remade(whole, { header: { filter: { account: {} } } }), /not a state export/);
    await expectRefused(remade(whole, { header: { filter: { service: "none" } } }), /no service named none/);
    await expectRefused(remade(whole, { header: { filter: { account: "222222222222" } } }), /does not cover/);
    await expectRefused(
      remade(whole, { header: { filter: { service: "shelf" } } }),
      /does not have|not cover/,
    );
  });

  it("older, whose rows the missed migrations cannot take", async () => {
    const rows = ['{"table":"shelf_book","row":{"account":"111111111111","id":"x","title":"","pages":1}}'];
    const header = { migrations: ["kernel/001-kernel", "shelf/001-books"], filter: { service: "shelf" } };
    await expectRefused(
      remade(whole, { header, rows: () => rows }),
      /could not be brought up to date: the book x has no name/,
    );
    const misfits = [rows[0]!.replace("title", "heading")];
    await expectRefused(remade(whole, { header, rows: () => misfits }), /do not fit shelf_book/);
  });

  it("but takes one that somebody has changed on purpose", async () => {
    const changed = remade(whole, {
      header: { check: undefined },
      rows: (lines) => lines.map((line) => line.replace('"pages":300', '"pages":301')),
    });
    expect((await importInto(instance, changed)).status).toBe(200);
    expect((await book(instance, "one")).pages).toBe(301);
    expect((await importInto(instance, whole)).status).toBe(200);
    await expectNothingLost();
  });
});
