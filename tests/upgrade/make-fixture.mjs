/**
 * `node tests/upgrade/make-fixture.mjs`, once per release after `npm run build`: keeps what this release writes, so that
 * every later one is held to reading it. Makes fixtures/<version>.ndjson.gz (an export of all demo data) and
 * fixtures/<version>.db.gz (the database file with the same data).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DatabaseSync } from "@photostructure/sqlite";
import { startMedley } from "../../dist/index.js";

const here = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(here, "../../package.json"), "utf8"));
const data = mkdtempSync(join(tmpdir(), "medley-fixture-"));
const headers = { authorization: "Bearer first-token-0001", "content-type": "application/json" };

const medley = await startMedley({ data, credentialsFile: join(here, "../support/credentials.json") });
const seeded = await fetch(`${medley.url}/_medley/seed`, { method: "POST", headers, body: "{}" });
if (!seeded.ok) throw new Error(`seeding answered ${seeded.status}: ${await seeded.text()}`);
// Work that the demo data causes at once is done; what is scheduled for later stays waiting.
await medley.clock.advance("10m");
const saved = await fetch(`${medley.url}/_medley/state`, { headers });
const archive = Buffer.from(await saved.arrayBuffer());
await medley.stop();

// A copy, because the driver keeps the file open until its statements are collected.
const file = join(data, "copy.db");
const database = new DatabaseSync(join(data, "medley.db"));
database.exec(`VACUUM INTO '${file}'`);
database.close();

mkdirSync(join(here, "fixtures"), { recursive: true });
for (const [name, content] of [
  [`${version}.ndjson.gz`, archive],
  [`${version}.db.gz`, readFileSync(file)],
]) {
  const packed = gzipSync(content, { level: 9 });
  writeFileSync(join(here, "fixtures", name), packed);
  console.log(`fixtures/${name}: ${packed.length} bytes, ${content.length} unpacked`);
}
rmSync(data, { recursive: true, force: true });
