/** Looks for secrets wherever an instance writes: its database, its exports, its request log. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect } from "vitest";
import type { Instance } from "./medley.ts";

/** Where an instance keeps its data. */
export type Kept = { readonly data?: string; readonly database?: string };

/** All rows of all tables, as text. */
async function rowsOf(database: string): Promise<string> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      "select table_name from information_schema.tables where table_schema = 'public'",
    );
    const texts: string[] = [];
    for (const { table_name: table } of tables) {
      const { rows } = await client.query(`select t::text as text from "${table}" t`);
      texts.push(...rows.map(({ text }) => `${table}: ${text}`));
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}
/** The files of the database: its pages, also those no longer used, and what waits in the log beside them. */
const filesOf = (data: string): [string, Buffer][] =>
  readdirSync(data)
    .filter((name) => name.startsWith("medley.db"))
    .map((name) => [name, readFileSync(join(data, name))]);

/** Bytes that lie anywhere in the database. */
async function placesOf({ data, database }: Kept): Promise<[string, Buffer][]> {
  return [
    ...(data === undefined ? [] : filesOf(data)),
    ...(database === undefined ? [] : [["tables", Buffer.from(await rowsOf(database))] as [string, Buffer]]),
  ];
}

/** Names of the secrets that lie there as they are. */
const seenIn = (content: Buffer, secrets: Readonly<Record<string, string>>): string[] =>
  Object.entries(secrets)
    .filter(([, secret]) => content.includes(secret))
    .map(([name]) => name);

export async function expectNotKept(kept: Kept, secrets: Readonly<Record<string, string>>): Promise<void> {
  const places = await placesOf(kept);
  expect(places.length).toBeGreaterThan(0);
  for (const [place, content] of places) expect([place, seenIn(content, secrets)]).toEqual([place, []]);
}

/** Neither kept, nor exported, nor shown in the request log. */
export async function expectHidden(
  instance: Instance,
  kept: Kept,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  await expectNotKept(kept, secrets);
  for (const path of ["/_medley/state", "/_medley/requests?limit=500", "/_medley/outbox?limit=500"]) {
    const { status, bytes } = await instance.bearer("GET", path);
    expect([path, status, seenIn(bytes, secrets)]).toEqual([path, 200, []]);
  }
}
