/** Killed with -9 in mid-export and in mid-upload: the archive is whole in the end, and nothing is left of what broke off. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { unzip } from "../support/archives.ts";
import { eventually } from "../support/eventually.ts";
import { filmOf } from "../support/films.ts";
import { createDatabase } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { databasesHere } from "../support/test-part.ts";

const CONTRIBUTIONS = 60;
const AT_ONCE = 10;
const FILM_BYTES = 30_000_000;
const credentialsFile = join(import.meta.dirname, "../support/credentials.json");
const headers = { authorization: "Bearer first-token-0001" };

async function call(node: NodeProcess, method: string, path: string, body?: unknown): Promise<any> {
  const raw = body instanceof Uint8Array;
  const answer = await fetch(
    path.startsWith("/_") ? `${node.url}${path}` : `${node.url}/contributions/1${path}`,
    {
      method,
      headers: { ...headers, ...(body !== undefined && !raw && { "content-type": "application/json" }) },
      ...(body !== undefined && {
        body: raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    },
  );
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return text === "" ? undefined : JSON.parse(text);
}

/** How many chunks there are of bytes that nobody can find. */
const UNFOUND =
  "select count(*) as count from medley_blob_chunk where blob_id not in (select id from medley_blob)";
async function unfound(data: string, database: string | undefined): Promise<number> {
  if (database === undefined) {
    const file = new DatabaseSync(join(data, "medley.db"), { readOnly: true });
    const { count } = file.prepare(UNFOUND).get() as { count: number };
    file.close();
    return count;
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(UNFOUND);
  await client.end();
  return Number(rows[0].count);
}

describe.each(databasesHere())("contributions on %s", (kind) => {
  it("are exported whole and received whole, though the server is killed on its way", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-contributions-"));
    const database = kind === "postgres" ? await createDatabase() : undefined;
    const words = ["--data", data, "--credentials", credentialsFile, "--services", "identity,contributions"];
    words.push("--job-lease-seconds", "2", "--job-poll-ms", "25");
    if (database !== undefined) words.push("--database", database);
    let node = await startServe(...words, "--log-level", "error");
    const again = async () => {
      await node.kill("SIGKILL");
      node = await startServe(...words, "--log-level", "error");
    };
    const noise = { width: 900, height: 700, channels: 3 as const };
    const picture = await sharp(randomBytes(900 * 700 * 3), { raw: noise })
      .jpeg({ quality: 90 })
      .toBuffer();
    const media = await call(node, "POST", "/media", picture);
    const { id: assignment } = await call(node, "POST", "/assignments", {
      name: "Flood",
      moderation: "after",
    });
    const contribute = (number: number): Promise<{ id: string }> =>
      call(node, "POST", "/contributions", {
        assignment: { id: assignment },
        headline: `Street ${number}`,
        mediaUsages: [{ media: { id: media.id } }],
      });
    for (let i = 1; i < CONTRIBUTIONS; i += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, CONTRIBUTIONS - i) }, (_, k) => contribute(i + k)),
      );
    const last = await contribute(CONTRIBUTIONS);
    const artifact = await eventually(async () => {
      const { mediaUsages } = await call(node, "GET", `/contributions/${last.id}`);
      return mediaUsages[0].artifacts.find(({ label }: { label: string }) => label === "optimised");
    }, "artifacts");
    const shown = Buffer.from(await (await fetch(artifact.url)).arrayBuffer());

    const begun = await call(node, "POST", `/export?assignment=${assignment}&json=true&combined=true`);
    const seen = await eventually(async () => {
      const { progress, finished } = await call(node, "GET", `/exports/${begun.id}`);
      return (progress > 0 || finished !== undefined) && { progress, finished };
    }, "progress of the export");
    expect(seen.finished).toBeUndefined();
    await again();
    const { downloadUrl } = await eventually(async () => {
      const now = await call(node, "GET", `/exports/${begun.id}`);
      return now.finished !== undefined && now;
    }, "the end of the export");
    const files = await unzip(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
    const names = [...files.keys()];
    const of = (folder: string) => names.filter((name) => name.startsWith(`${folder}/`));
    expect([names.length, of("json").length, of("media").length]).toEqual([
      2 * CONTRIBUTIONS + 1,
      CONTRIBUTIONS,
      CONTRIBUTIONS,
    ]);
    expect(of("media").every((name) => files.get(name)?.equals(shown))).toBe(true);
    expect(
      files
        .get("contributions.txt")
        ?.toString()
        .match(/^Street \d+$/gm),
    ).toHaveLength(CONTRIBUTIONS);

    const film = filmOf({ pictures: Buffer.alloc(FILM_BYTES, 3) });
    const sending = call(node, "POST", "/media", film).catch(() => "broken off");
    await eventually(async () => (await unfound(data, database)) > 2, "the first chunks of the film");
    await again();
    expect(await sending).toBe("broken off");
    const { id } = await call(node, "POST", "/media", film);
    const kept = await fetch(`${node.url}/contributions/1/media/${id}/original`, { headers });
    expect(Buffer.from(await kept.arrayBuffer()).equals(film)).toBe(true);
    await call(node, "POST", "/_medley/clock/advance", { by: "30h" });
    await eventually(async () => (await unfound(data, database)) === 0, "the end of what broke off");
    await node.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  });
});
