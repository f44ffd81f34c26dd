/** A disk that is full: changes are refused as the service refuses, reads go on, and nobody has to restart it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { samples } from "../support/sample.ts";

const PAGES_MAX = 1_073_741_823;
const headers = { "x-vendor-key": "first-api-key-0001" };
const data = mkdtempSync(join(tmpdir(), "medley-full-"));

type Disk = { fill(): Promise<void>; empty(): Promise<void> };

/** No page more than there are now. */
const embedded = ({ kernel: { database } }: App): Disk => ({
  fill: () =>
    database.transact(async (db) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
      await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(db);
    }),
  empty: () =>
    database.transact((db) => sql`pragma max_page_count = ${sql.lit(PAGES_MAX)}`.execute(db)).then(() => {}),
});
/** What PostgreSQL says when it cannot extend a file. */
const shared = (url: string): Disk => {
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  const tables = ["sample_key_note", "sample_signed_note", "medley_setting"];
  return {
    fill: () =>
      query(`create or replace function refuse() returns trigger language plpgsql as $$ begin
          raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
        ${tables.map((table) => `create trigger full_disk before insert on ${table} execute function refuse();`).join("")}`),
    empty: () => query(tables.map((table) => `drop trigger full_disk on ${table};`).join("")),
  };
};

describe.each(["sqlite", "postgres"] as const)("a full disk of %s", (kind) => {
  let app: App;
  let instance: Instance;
  let disk: Disk;
  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    const credentialsFile = join(import.meta.dirname, "../support/credentials.json");
    const config = { ...defaultConfig, port: 0, dataFolder: join(data, kind), databaseUrl, credentialsFile };
    app = await startApp({ ...config, strictAnswers: true, logLevel: "silent" }, [
      samples.key,
      samples.signed,
    ]);
    instance = new Instance(app as never);
    disk = databaseUrl === undefined ? embedded(app) : shared(databaseUrl);
  });
  afterAll(async () => {
    await app?.stop();
    rmSync(data, { recursive: true, force: true });
  });
  const ready = async () => (await instance.send("GET", "/_medley/ready")).status;
  const put = (id: string, length: number) =>
    instance.send("PUT", `/sample-key/notes/${id}`, { headers, body: { text: "x".repeat(length) } });
  /** Until not even a small one fits. */
  async function writeUntilRefused() {
    for (const length of [90_000, 500]) {
      for (let i = 0; ; i += 1) {
        const sent = await put(`${length}-${i}`, length);
        if (sent.status !== 201) break;
      }
    }
    return put("refused", 500);
  }

  it("refuses changes with 503 in the service's shape, is not ready, and still reads", async () => {
    expect((await put("kept", 100)).status).toBe(201);
    expect(await ready()).toBe(200);
    await disk.fill();
    const refused = await writeUntilRefused();
    expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
      503,
      "ServiceUnavailable",
      expect.stringMatching(/^\d+$/),
    ]);
    const signed = await instance.signed("sample", "PUT", "/sample-signed/notes/refused", {
      body: { text: "x".repeat(90_000) },
    });
    expect([signed.status, signed.body.__type]).toEqual([503, "ServiceUnavailableException"]);
    expect(await ready()).toBe(503);
    expect((await instance.send("GET", "/sample-key/notes/kept", { headers })).status).toBe(200);
    expect((await instance.send("GET", "/_medley/health")).status).toBe(200);
  });

  it("is ready and takes changes as soon as there is room", async () => {
    await disk.empty();
    expect(await ready()).toBe(200);
    expect((await put("later", 90_000)).status).toBe(201);
    expect((await instance.send("GET", "/sample-key/notes/refused", { headers })).status).toBe(404);
  });
});
