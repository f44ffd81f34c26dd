/** Large objects outside the database: backup's chunks, and what happens when the store is away. On both databases. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Backups, newRoot, role } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { S3Double } from "../../../tests/support/s3-double.ts";

const root = newRoot();
const store = await S3Double.start();
afterEach(() => {
  store.mood = "well";
});
afterAll(async () => {
  await store.stop();
  rmSync(root, { recursive: true, force: true });
});

onBothDatabases(
  "objects",
  (instance, kind) => {
    const backups = new Backups(instance);
    const content = randomBytes(1_500_000);
    const folder = join(root, kind);
    let arn: string;
    let point: string;
    const objects = async (method: string, path = "", body?: unknown) => {
      const answer = await instance().bearer(method, `/_medley/objects${path}`, { body });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const move = async (to: string) => {
      let moved = 0;
      for (let next: string | undefined, isEnd = false; !isEnd; isEnd = next === undefined) {
        const some = await objects("POST", "/move", { to, ...(next && { next }) });
        moved += some.moved;
        next = some.next;
      }
      return moved;
    };
    const restored = async (name: string) => {
      const restorePath = join(root, `${kind}-${name}`);
      const job = await backups.restored(point, { restorePath });
      expect(job.Status, job.StatusMessage).toBe("COMPLETED");
      return readFileSync(join(restorePath, "large"));
    };
    const damagedPoints = async () => {
      const named: string[] = [];
      for (let after = "", isEnd = false; !isEnd; ) {
        const view = `/_medley/views/backup?view=Verification&after=${encodeURIComponent(after)}`;
        const { rows } = (await instance().bearer("GET", view)).body.views[0];
        for (const row of rows) if (row[4] !== "") named.push(row[5]);
        isEnd = rows.length === 0;
        after = rows.at(-1)?.[0] ?? "";
      }
      return named.join();
    };
    beforeAll(async () => {
      store.forget();
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "large"), content);
      await backups.vault("main");
      arn = await backups.register(kind, { path: folder });
    });

    it("hold the chunks of a backup, and rows name them", async () => {
      const job = await backups.backedUp(arn);
      expect(job.State, job.StatusMessage).toBe("COMPLETED");
      point = job.RecoveryPointArn;
      expect(store.bytes).toBeGreaterThan(content.length * 0.9);
      expect(store.wrong).toBe(0);
      expect(await objects("GET")).toMatchObject({
        objects: store.kept.size,
        bytes: store.bytes,
        missing: 0,
        unnamed: 0,
        inDatabase: 0,
      });
      expect((await restored("first")).equals(content)).toBe(true);
    });
    it("are named by their content", () => {
      for (const [key, bytes] of store.kept) {
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        expect(key).toMatch(new RegExp(`^pre/fix/[0-9a-f]{16}/backup/${sha256}-[0-9a-f]{16}$`));
      }
    });
    it("move to the database and back, also after a stop in between", async () => {
      const all = store.kept.size;
      expect(await move("database")).toBe(all);
      expect(await objects("GET")).toMatchObject({ unnamed: all, inDatabase: all, missing: 0 });
      expect((await restored("moved")).equals(content)).toBe(true);
      expect(await move("s3")).toBe(all);
      expect(await move("s3")).toBe(0);
      expect(await objects("GET")).toMatchObject({ objects: 2 * all, unnamed: all, inDatabase: 0 });
      expect((await restored("back")).equals(content)).toBe(true);
    });
    it("stay for the grace time when nothing names them, and then go", async () => {
      const { unnamed, objects: all } = await objects("GET");
      expect(await objects("POST", "/sweep")).toEqual({ removed: 0, waiting: unnamed });
      store.pageSize = 2;
      expect(await objects("POST", "/sweep")).toEqual({ removed: unnamed, waiting: 0 });
      store.pageSize = 1000;
      expect(await objects("GET")).toMatchObject({ objects: all - unnamed, unnamed: 0, missing: 0 });
      expect((await restored("swept")).equals(content)).toBe(true);
    });
    it("are in an export as bytes, which an import puts into the database", async () => {
      const exported = await instance().bearer("GET", "/_medley/state?service=backup");
      expect(exported.status).toBe(200);
      expect(exported.text.includes('"object":"')).toBe(false);
      const before = store.kept.size;
      const imported = await instance().bearer("PUT", "/_medley/state", {
        body: exported.bytes,
        headers: { "content-type": "application/x-ndjson" },
      });
      expect(imported.status, imported.text).toBe(200);
      expect(await objects("GET")).toMatchObject({ inDatabase: before, unnamed: before });
      expect((await restored("imported")).equals(content)).toBe(true);
      await move("s3");
    });
    it("that are lost are found, and a restore says so", async () => {
      for (const _ of ["noticed", "removed"]) await objects("POST", "/sweep");
      const [[lost, bytes] = ["", Buffer.alloc(0)]] = store.kept;
      store.kept.delete(lost);
      const { missing, missingNames } = await objects("GET");
      expect([missing, `pre/fix/${missingNames[0]}`]).toEqual([1, lost]);
      expect(await objects("POST", "/move", { to: "database" })).toMatchObject({ missing: 1 });
      store.kept.set(lost, bytes);
      expect(await objects("GET")).toMatchObject({ missing: 0 });
      await move("s3");
    });
    it("that were changed are not read, and a verification of the vault names their points", async () => {
      for (const _ of ["noticed", "removed"]) await objects("POST", "/sweep");
      const [[name, bytes] = ["", Buffer.alloc(0)]] = store.kept;
      store.kept.set(name, Buffer.from(bytes).fill(7, 0, 9));
      const answer = await instance().bearer("GET", "/_medley/state?service=backup");
      const words = expect.stringMatching(/does not have these bytes as they were stored/);
      expect([answer.status, answer.text.slice(0, 300)]).toEqual([503, words]);
      const named = await damagedPoints();
      store.kept.set(name, bytes);
      expect(named).toContain(point.slice(point.lastIndexOf(":") + 1));
    });
    it.each([
      ["silent", /does not answer/],
      ["busy", /does not answer/],
      ["full", /does not answer/],
      ["refusing", /refuses: it answered 403 AccessDenied/],
      ["drops-answers", /does not answer/],
    ] as const)("of a store that is %s are answered 503", async (mood, words) => {
      await move("database");
      store.mood = mood;
      const answer = await instance().bearer("POST", "/_medley/objects/move", { body: { to: "s3" } });
      expect([answer.status, answer.text]).toEqual([503, expect.stringMatching(words)]);
      expect(answer.headers.get("retry-after")).toBe("5");
      store.mood = "well";
      expect(await objects("GET")).toMatchObject({ missing: 0 });
      await move("s3");
      expect((await restored(`after-${mood}`)).equals(content)).toBe(true);
    });
    it("are asked for again after a passing failure", async () => {
      store.stumbles = 2;
      expect((await restored("stumbled")).equals(content)).toBe(true);
      expect(store.stumbles).toBeLessThanOrEqual(0);
    });
    it("of a backup under way are stored when the store is well again", async () => {
      writeFileSync(join(folder, "large"), randomBytes(300_000));
      store.mood = "busy";
      const asked = store.requests;
      const request = { BackupVaultName: "main", ResourceArn: arn, IamRoleArn: role };
      const { BackupJobId } = await backups.well("PUT", "/backup-jobs", request);
      await eventually(() => store.requests > asked + 2, "attempts");
      store.mood = "well";
      expect((await backups.backupEnd(BackupJobId)).State).toBe("COMPLETED");
    });
    it("refuse a move that goes nowhere", async () => {
      for (const next of ["x", '{"table":"a"}', "null"]) {
        const answer = await instance().bearer("POST", "/_medley/objects/move", { body: { to: "s3", next } });
        expect(answer.status, next).toBe(400);
      }
    });
  },
  { services: ["backup"], ...store.options, backupRoots: [root] } as never,
);
