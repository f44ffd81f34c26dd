/** What is kept of results, and how large files may be: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { makePackedExecutable } from "../../../tests/support/executables.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { sendFile } from "../../../tests/support/unpack.ts";

const KEPT_COUNT_MAX = 500;
const KEPT_BYTES_MAX = 256 * 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
const FILE_BYTES_MAX = 16 * 1024 * 1024;

const data = mkdtempSync(join(tmpdir(), "medley-kept-"));
const one = makePackedExecutable();
const other = makePackedExecutable({ message: "Another message is carried today." });
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["unpack"], data });
  await instance.clock.freeze();
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});
beforeEach(() => forget("true"));

const forget = (where: string): void =>
  changeRows(data, (database) => {
    for (const table of ["unpack_part", "unpack_analysis"])
      database.exec(
        `delete from ${table} where sha256 in (select sha256 from unpack_analysis where ${where})`,
      );
  });
const analyse = async (file: Uint8Array): Promise<string | null> => {
  await instance.clock.advance(1000);
  return (await sendFile(instance, "/unpack", file)).headers.get("x-unpack-cache");
};
type Kept = { readonly kept_bytes: number; readonly created_at: number };
const kept = (): Kept[] =>
  changeRows(data, (database) =>
    database.prepare("select kept_bytes, created_at from unpack_analysis order by created_at").all(),
  ) as unknown as Kept[];
/** Newer than the only row, and older than what is analysed next. */
const copy = (count: number, more: Readonly<Record<string, string>> = {}): void =>
  copyRow(data, {
    table: "unpack_analysis",
    count,
    changed: { sha256: "copied.sha256 || n", created_at: "copied.created_at + n", ...more },
  });

it("five hundred results, the newest", async () => {
  await analyse(one);
  const [{ created_at: first } = { created_at: 0 }] = kept();
  copy(KEPT_COUNT_MAX - 2);
  await analyse(other);
  expect([kept().length, kept()[0]?.created_at]).toEqual([KEPT_COUNT_MAX, first]);
  forget("created_at = (select max(created_at) from unpack_analysis)");
  copy(1, { sha256: "copied.sha256 || 'more'" });
  await analyse(other);
  expect(kept()).toHaveLength(KEPT_COUNT_MAX);
  expect(kept()[0]?.created_at).toBeGreaterThan(first);
});

it("256 MB of results, the newest", async () => {
  await analyse(one);
  await analyse(other);
  const [first, second] = kept() as [Kept, Kept];
  const rest = KEPT_BYTES_MAX - first.kept_bytes - second.kept_bytes;
  const again = async (bytes: number): Promise<number> => {
    forget(`created_at <> ${first.created_at}`);
    copy(1, { kept_bytes: String(bytes) });
    await analyse(other);
    return kept().length;
  };
  expect([await again(rest), await again(rest + 1)]).toEqual([3, 2]);
});

it("a result for a day", async () => {
  await analyse(one);
  await instance.clock.advance(DAY_MS - 1);
  const send = async () => (await sendFile(instance, "/unpack", one)).headers.get("x-unpack-cache");
  expect(await send()).toBe("hit");
  await instance.clock.advance(1);
  expect(await send()).toBe("miss");
});

it("files of 16 MB", async () => {
  const problem = async (bytes: number) =>
    (await sendFile(instance, "/unpack", Buffer.alloc(bytes, 0x90))).body.message;
  expect(await problem(FILE_BYTES_MAX)).toContain("does not begin with MZ");
  expect(await problem(FILE_BYTES_MAX + 1)).toContain("larger than the 16777216 bytes");
});
