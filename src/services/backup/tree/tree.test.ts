/** Reading trees: many small files, files that change or disappear during the walk, and unreadable files. */
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { vaultKeysOf } from "../storage/keys.ts";
import { type Entry, readEntries, readRoot } from "../storage/manifest.ts";
import { Reader } from "../storage/reader.ts";
import type { SealedChunk } from "../storage/sealing.ts";
import { type Progress, TreeBackup, type TreeResult } from "./backup.ts";
import { checkName } from "./place.ts";

const keys = vaultKeysOf("vault", Buffer.alloc(32, 7));
const NOBODY = 65_534;
const root = mkdtempSync(join(tmpdir(), "medley-tree-"));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));
function folder(name: string): string {
  mkdirSync(join(root, name));
  return join(root, name);
}

class Shelves {
  readonly kept = new Map<string, SealedChunk>();
  /** Copies the bytes, because both the reader and the writer transfer their buffers. */
  readonly fetch = async (ids: readonly string[]) =>
    ids.map((id) => Buffer.from(this.kept.get(id)?.bytes ?? []));
  async backup(path: string, progress: Progress = async () => {}): Promise<TreeResult> {
    const backup = new TreeBackup(
      keys,
      {
        hold: async (ids) => ids.filter((id) => !this.kept.has(id)),
        store: async (chunks) => {
          for (const chunk of chunks) this.kept.set(chunk.id, { ...chunk, bytes: Buffer.from(chunk.bytes) });
        },
      },
      progress,
    );
    return backup.run({ roots: [root], path, earlier: undefined });
  }
  async entries(rootId: string): Promise<Map<string, Entry>> {
    const found = new Map<string, Entry>();
    for await (const entry of readEntries(keys, this, await readRoot(keys, this, rootId)))
      found.set(entry.path, entry);
    return found;
  }
  async contentOf({ extents = [] }: Entry): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of new Reader(keys, this).read(extents)) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  }
}

it("a thousand small files are all there, and share chunks", async () => {
  const path = folder("small");
  const COUNT = 1_000;
  for (let at = 0; at < COUNT; at += 1) {
    if (at % 100 === 0) mkdirSync(join(path, `f${at / 100}`));
    writeFileSync(join(path, `f${Math.floor(at / 100)}`, `${at}.txt`), `the file ${at}`);
  }
  const shelves = new Shelves();
  const result = await shelves.backup(path);
  expect([result.entries, result.skippedCount]).toEqual([COUNT + COUNT / 100 + 1, 0]);
  const entries = await shelves.entries(result.root);
  expect(entries.size).toBe(result.entries);
  for (const at of [0, 99, 100, 567, COUNT - 1])
    expect(String(await shelves.contentOf(entries.get(`f${Math.floor(at / 100)}/${at}.txt`) as Entry))).toBe(
      `the file ${at}`,
    );
  expect(shelves.kept.size).toBeLessThan(10);
});

it("a file that changes while it is read is kept as it was read, and one that goes is left out; both are named", async () => {
  const path = folder("changing");
  writeFileSync(join(path, "a-log"), Buffer.alloc(2_000_000, "line "));
  writeFileSync(join(path, "b-gone"), "soon gone");
  writeFileSync(join(path, "c-calm"), "stays");
  const shelves = new Shelves();
  let isChanged = false;
  const result = await shelves.backup(path, async (bytes) => {
    if (bytes === 0 || isChanged) return;
    isChanged = true;
    appendFileSync(join(path, "a-log"), "one more");
    rmSync(join(path, "b-gone"));
  });
  expect(result.skipped).toEqual([
    { path: "a-log", why: expect.stringContaining("changed while it was read") },
    { path: "b-gone", why: expect.any(String) },
  ]);
  const entries = await shelves.entries(result.root);
  expect([...entries.keys()]).toEqual(["", "a-log", "c-calm"]);
  const kept = await shelves.contentOf(entries.get("a-log") as Entry);
  expect(kept.equals(Buffer.alloc(2_000_000, "line "))).toBe(true);
});

it("what may not be read is left out and named with the reason", async () => {
  const path = folder("closed");
  mkdirSync(join(path, "vault"), { mode: 0o700 });
  writeFileSync(join(path, "vault", "inside"), "unseen");
  writeFileSync(join(path, "secret"), "mine", { mode: 0o600 });
  writeFileSync(join(path, "open"), "everybody's");
  if (process.getuid?.() !== 0) for (const name of ["vault", "secret"]) chmodSync(join(path, name), 0);
  // Root can read every file, so the test runs as an unprivileged user for a while.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  const shelves = new Shelves();
  const result = await shelves.backup(path).finally(() => {
    if (isRoot) process.seteuid?.(0);
    for (const name of ["vault", "secret"]) chmodSync(join(path, name), 0o700);
  });
  expect(result.skipped.map((one) => one.path).sort()).toEqual(["secret", "vault"]);
  for (const { why } of result.skipped) expect(why).toContain("may not be read");
  expect([...(await shelves.entries(result.root)).keys()]).toContain("open");
});

it("two hundred folders in one another are kept, and ten that are left out are named", async () => {
  const path = folder("deep");
  const inside = (depth: number) => join(path, ...Array(depth - 1).fill("d"));
  mkdirSync(inside(200), { recursive: true });
  const shelves = new Shelves();
  const whole = await shelves.backup(path);
  expect([whole.entries, whole.skippedCount]).toEqual([200, 0]);
  const leftOut = async (count: number) => {
    for (let at = 0; at < count; at += 1) mkdirSync(join(inside(200), `beyond ${at}`), { recursive: true });
    const { skipped, skippedCount } = await shelves.backup(path);
    expect(skipped[0]?.why).toBe("it lies deeper than 200 folders");
    return [skipped.length, skippedCount];
  };
  expect([await leftOut(10), await leftOut(11)]).toEqual([
    [10, 10],
    [10, 11],
  ]);
});

it("names have 255 bytes at the most", () => {
  expect(() => checkName(Buffer.alloc(255, "n"))).not.toThrow();
  expect(() => checkName(Buffer.alloc(256, "n"))).toThrow("is not a file name");
});
