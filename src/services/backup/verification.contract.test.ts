/**
 * Verification finds every changed bit of a vault and names exactly the recovery points that are affected.
 * No reader ever gets content that differs from the stored content. On both databases.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defineService, operationsFor } from "#kernel/operation";
import { apiKeyIn, plain } from "#kernel/protocols";
import { Backups, backupArn, newRoot, pointPath } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

/**
 * Columns that locate and decrypt content, the keys of their rows, and the number of rows to try reading
 * with.
 */
const TARGETS = [
  { table: "backup_chunk", column: "bytes", keys: ["vault_id", "id"], rows: 7 },
  { table: "backup_chunk", column: "id", keys: ["vault_id", "id"], rows: 2 },
  { table: "backup_chunk_use", column: "chunk_id", keys: ["vault_id", "chunk_id", "holder"], rows: 1 },
  { table: "backup_chunk_use", column: "holder", keys: ["vault_id", "chunk_id", "holder"], rows: 1 },
  { table: "backup_point", column: "root", keys: ["vault_id", "id"], rows: 1 },
  { table: "backup_vault", column: "sealed_key", keys: ["id"], rows: 1 },
] as const;
type Row = Record<string, string | Uint8Array>;
const isLetter = (code: number) => /[A-Za-z0-9]/.test(String.fromCharCode(code));

/** One bit of bytes; of text one that leaves a letter or digit a letter or digit. */
function flipped(value: string | Uint8Array, at: number): string | Uint8Array {
  if (typeof value !== "string") {
    const bytes = Buffer.from(value);
    const bit = at % (bytes.length * 8);
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    return bytes;
  }
  for (let turn = 0; ; turn += 1) {
    const place = (at + turn) % value.length;
    const code = value.charCodeAt(place);
    const other = code ^ (1 << (at % 5));
    if (isLetter(code) && isLetter(other))
      return value.slice(0, place) + String.fromCharCode(other) + value.slice(place + 1);
  }
}

/** The list of holders of a chunk does not affect its content. */
const isReadBy = (target: number): boolean => TARGETS[target]?.table !== "backup_chunk_use";

type State = { before?: Row; after?: Row };
const operation = operationsFor<any, State>();
const Change = Type.Object({ target: Type.Integer(), row: Type.Integer(), at: Type.Integer() });
/** Mounted beside the backup service: changes a bit behind its back, and changes it back. */
const breaker = defineService({
  name: "breaker",
  title: "Breaker",
  summary: "Changes bits.",
  mount: "/breaker",
  protocol: plain({ scheme: apiKeyIn("Vendor-Subscription-Key") }),
  operations: (["/break", "/mend"] as const).map((path) =>
    operation({
      id: `breaker.${path.slice(1)}`,
      summary: "Changes a bit",
      method: "POST",
      path,
      permission: "breaker:Break",
      body: Change,
      answers: { 200: Type.Array(Type.String()) },
      async handle({ body: { target, row, at } }, { db, state }) {
        const { table, column, keys } = TARGETS[target % TARGETS.length] as (typeof TARGETS)[number];
        const set = (from: Row, to: string | Uint8Array) =>
          keys
            .reduce((query, key) => query.where(key, "=", from[key] as string), db.updateTable(table))
            .set({ [column]: to })
            .execute();
        if (path === "/mend") {
          await set(state.after as Row, (state.before as Row)[column] as string);
          return [];
        }
        const main = db.selectFrom("backup_vault").select("id").where("name", "=", "main");
        const rows: Row[] = await keys
          .reduce((query, key) => query.orderBy(key), db.selectFrom(table).selectAll())
          .where(keys[0], "=", main)
          .execute();
        const before = rows[row % rows.length] as Row;
        const after = { ...before, [column]: flipped(before[column] as string, at) };
        Object.assign(state, { before, after });
        const holders = db
          .selectFrom("backup_chunk_use")
          .select("holder")
          .where("chunk_id", "=", before.id ?? "");
        const hit = await db
          .selectFrom("backup_point")
          .select("id")
          .where("vault_id", "=", main)
          .$if(table === "backup_chunk", (query) => query.where("holder", "in", holders))
          .$if(table === "backup_chunk_use", (query) => query.where("holder", "=", before.holder))
          .$if(table === "backup_point", (query) => query.where("id", "=", before.id))
          .execute();
        await set(before, after[column] as string);
        return hit.map(({ id }) => id as string);
      },
    }),
  ),
  start: (): State => ({}),
});

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "verification",
  (instance, kind) => {
    const backups = new Backups(instance);
    const folder = join(root, kind);
    /** Ids of the recovery points that it names. */
    const verified = async (): Promise<string[]> => {
      const named = new Set<string>();
      for (let position = ""; ; ) {
        const path = `/_medley/views/backup?view=Verification&after=${encodeURIComponent(position)}`;
        const { status, body, text } = await instance().bearer("GET", path);
        expect(status, text).toBe(200);
        const rows: string[][] = body.views[0].rows;
        for (const row of rows)
          for (const arn of (row[5] ?? "").split(" ")) if (arn) named.add(arn.split(":").at(-1) as string);
        const last = rows.at(-1);
        if (!last) return [...named].sort();
        position = last[0] as string;
      }
    };
    const change = async (path: string, body: object): Promise<string[]> => {
      const sent = await instance().apiKey("Vendor-Subscription-Key", "POST", `/breaker${path}`, { body });
      expect(sent.status, sent.text).toBe(200);
      return sent.body;
    };
    const points: { arn: string; content: object }[] = [];
    const contentOf = (path: string) =>
      Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
    let restores = 0;
    /** The result or error of every way to read the recovery point. */
    const readings = async (arn: string) => {
      restores += 1;
      const restorePath = join(folder, `restored-${restores}`);
      const restored = await backups.restored(arn, { restorePath });
      const copied = await backups.copied(arn, backupArn("backup-vault:other"));
      const items = await backups.send("GET", `${pointPath(arn)}/items?pattern=*`);
      return {
        restored:
          restored.Status === "COMPLETED"
            ? contentOf(restorePath)
            : [restored.Status, restored.StatusMessage],
        copied: copied.State === "COMPLETED" ? "COMPLETED" : [copied.State, copied.StatusMessage],
        found: items.status === 200 ? items.body.Items.length : [items.status, items.body.Message],
        left: readdirSync(folder).filter((name) => name.startsWith(".")),
      };
    };
    beforeAll(async () => {
      for (const name of ["main", "other"]) await backups.vault(name);
      mkdirSync(folder);
      const shared = Buffer.alloc(400_000, "what both have in common ");
      for (const name of ["one", "two"]) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, "shared"), shared);
        writeFileSync(join(folder, name, "own"), `of ${name}`);
        const arn = await backups.register(`${kind}-${name}`, { path: join(folder, name) });
        const job = await backups.backedUp(arn, { Index: "ENABLED" });
        expect(job.State, job.StatusMessage).toBe("COMPLETED");
        points.push({ arn: job.RecoveryPointArn, content: contentOf(join(folder, name)) });
      }
      for (const { arn } of points)
        await eventually(async () => (await backups.point(arn)).IndexStatus === "ACTIVE", "the index");
    });

    it("finds any bit that was changed, and names what it hits", { timeout: 240_000 }, async () => {
      expect(await verified()).toEqual([]);
      await fc.assert(
        fc.asyncProperty(
          fc.nat(TARGETS.length - 1),
          fc.nat(1_000),
          fc.nat(10_000_000),
          async (target, row, at) => {
            const hit = await change("/break", { target, row, at });
            const named = await verified();
            await change("/mend", { target, row, at });
            expect(hit.length).toBeGreaterThan(0);
            expect(named).toEqual(hit.sort());
          },
        ),
        { numRuns: 40, endOnFailure: true },
      );
      expect(await verified()).toEqual([]);
    });

    it("gives nobody content of which any bit was changed, and says what is damaged", {
      timeout: 240_000,
    }, async () => {
      const refused = expect.stringMatching(/^the (chunk|key of the backup vault) .+ (missing|stored|says)$/);
      for (const [target, { rows }] of TARGETS.entries())
        for (let row = 0; row < rows; row += 1) {
          const hit = await change("/break", { target, row, at: 4_321 + row });
          for (const { arn, content } of points) {
            const isLost = isReadBy(target) && hit.includes(arn.split(":").at(-1) as string);
            const { restored, copied, found, left } = await readings(arn);
            const what = `${TARGETS[target]?.column} ${row}`;
            expect([what, restored, left]).toEqual([what, isLost ? ["FAILED", refused] : content, []]);
            expect([what, copied]).toEqual([what, isLost ? ["FAILED", refused] : "COMPLETED"]);
            // Items are searched in the manifest: content that is damaged is none of it.
            if (!isLost) expect([what, found]).toEqual([what, 2]);
            else if (found !== 2) expect([what, found]).toEqual([what, [400, refused]]);
          }
          await change("/mend", { target, row, at: 0 });
        }
    });
  },
  { services: ["backup"], extraServices: [breaker], backupRoots: root } as never,
);
