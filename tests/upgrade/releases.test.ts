/** What every release has written can be read by this one: its exports on both databases, its database file where it lies. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Instance, startInstance } from "../support/medley.ts";
import { demoReads } from "./demo-reads.ts";
import { databases, importInto } from "./shelf.ts";

const folder = join(import.meta.dirname, "fixtures");
const releases = readdirSync(folder)
  .filter((name) => name.endsWith(".ndjson.gz"))
  .map((name) => name.replace(".ndjson.gz", ""));
const content = (name: string) => gunzipSync(readFileSync(join(folder, name)));
const isNotAfter = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true }) <= 0;

async function expectReadable(instance: Instance, release: string): Promise<void> {
  const reads = demoReads.filter(({ since }) => isNotAfter(since, release));
  expect(reads.length).toBeGreaterThan(0);
  for (const { read } of reads) await read(instance);
}

it("there is at least one", () => {
  expect(releases).toContain("0.1.0");
});

describe.each(releases)("release %s", (release) => {
  it.each(databases)("exports what is read on %s", async (on) => {
    const instance = await startInstance({ on });
    const loaded = await importInto(instance, content(`${release}.ndjson.gz`));
    expect([loaded.status, loaded.body.rows]).toEqual([200, expect.any(Number)]);
    await expectReadable(instance, release);
    const again = await instance.bearer("POST", "/_medley/seed", { body: {} });
    expect(again.status).toBe(200);
    await instance.stop();
  });

  it("leaves a database file that is read where it lies", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-release-"));
    writeFileSync(join(data, "medley.db"), content(`${release}.db.gz`));
    const instance = await startInstance({ data });
    await expectReadable(instance, release);
    await instance.stop();
    rmSync(data, { recursive: true, force: true });
  });
});
