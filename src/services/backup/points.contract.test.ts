/** Recovery points: searched, moved to cold storage, read while they are deleted, and missing ones. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Backups, backupArn, newRoot, pointPath, role } from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;
const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));
/** Words that come back, in an order that does not. */
const text = Array.from({ length: 250_000 }, (_, at) => {
  const byte = createHash("md5").update(`${at}`).digest();
  return `${byte.readUInt16LE(0) % 3000}-word${byte.readUInt8(2) % 40}`;
}).join(" ");

onBothDatabases(
  "recovery points",
  (instance, kind) => {
    const backups = new Backups(instance);
    const other = new Backups(instance, "us-east-1", "second");
    const here = join(root, kind);
    const tree = async (name: string, files: Record<string, string | Buffer>) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(join(here, name, path, ".."), { recursive: true });
        writeFileSync(join(here, name, path), content);
      }
      return backups.register(`${name}-${kind}`, { path: join(here, name) });
    };
    beforeAll(async () => {
      mkdirSync(here);
      for (const name of ["main", "frosty"]) await backups.vault(name);
    });

    describe("indexes", () => {
      const items = async (arn: string, query = "") =>
        (await backups.well("GET", `${pointPath(arn)}/items${query}`)).Items.map(
          ({ Path }: { Path: string }) => Path,
        );
      it("let items be searched as long as they are wanted", async () => {
        const arn = await tree("album", { "a/Harbour.JPG": "1", "a/notes.txt": "22", "b/harbour.jpg": "3" });
        const plain = await backups.backedUp(arn);
        expect((await backups.point(plain.RecoveryPointArn)).IndexStatus).toBeUndefined();
        expect(await backups.refusal("GET", `${pointPath(plain.RecoveryPointArn)}/index`)).toContain(
          "NotFound",
        );
        expect(await backups.refusal("GET", `${pointPath(plain.RecoveryPointArn)}/items`)).toContain(
          "no index",
        );
        const { RecoveryPointArn: point } = await backups.backedUp(arn, { Index: "ENABLED" });
        const index = await eventually(async () => {
          const found = await backups.well("GET", `${pointPath(point)}/index`);
          return found.IndexStatus === "ACTIVE" && found;
        });
        expect([index.TotalItemsIndexed, index.SourceResourceArn]).toEqual([5, arn]);
        expect((await backups.point(point)).IndexStatus).toBe("ACTIVE");
        expect(await items(point, "?pattern=*harbour.jpg")).toEqual(["a/Harbour.JPG", "b/harbour.jpg"]);
        expect(await items(point, "?pattern=a%2F*")).toEqual(["a/Harbour.JPG", "a/notes.txt"]);
        expect(await items(point, "?pattern=nothing")).toEqual([]);
        const [first] = (await backups.well("GET", `${pointPath(point)}/items?pattern=*.txt`)).Items;
        expect(first).toEqual({
          Path: "a/notes.txt",
          Kind: "FILE",
          Size: 2,
          LastModified: expect.any(Number),
        });
        expect((await backups.all(`${pointPath(point)}/items`, "Items", 2)).map(({ Path }) => Path)).toEqual([
          "a",
          "a/Harbour.JPG",
          "a/notes.txt",
          "b",
          "b/harbour.jpg",
        ]);
        const listed = await backups.all(
          "/indexes/recovery-point?indexStatus=ACTIVE",
          "IndexedRecoveryPoints",
        );
        expect(listed.map(({ RecoveryPointArn }) => RecoveryPointArn)).toEqual([point]);
        const off = await backups.well("POST", `${pointPath(point)}/index`, { Index: "DISABLED" });
        expect(off.IndexStatus).toBe("DELETING");
        await eventually(async () => (await backups.point(point)).IndexStatus === undefined);
        expect(await backups.refusal("GET", `${pointPath(point)}/items`)).toContain("no index");
        expect(await backups.well("GET", `${pointPath(point)}/index`)).toMatchObject({
          IndexDeletionDate: expect.any(Number),
        });
        expect(
          (await backups.well("POST", `${pointPath(plain.RecoveryPointArn)}/index`, { Index: "ENABLED" }))
            .IndexStatus,
        ).toBe("PENDING");
        expect(await other.refusal("GET", `${pointPath(point)}/items`)).toContain("NotFound");
      });
      it("are refused where there are no items", async () => {
        const web = createServer((_request, response) => response.end("page")).listen(0, "127.0.0.1");
        await new Promise((resolve) => web.once("listening", resolve));
        const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
        const arn = await backups.register(`page-${kind}`, { url }, "Vendor::Http::Resource");
        const { RecoveryPointArn, State } = await backups.backedUp(arn, { Index: "ENABLED" });
        web.close();
        expect(State).toBe("COMPLETED");
        expect(
          await backups.refusal("POST", `${pointPath(RecoveryPointArn)}/index`, { Index: "ENABLED" }),
        ).toContain("InvalidRequest: Items");
        for (const body of [{}, { Index: "MAYBE" }])
          expect(await backups.refusal("POST", `${pointPath(RecoveryPointArn)}/index`, body)).toMatch(
            /^(Missing|Invalid)ParameterValue/,
          );
      });
    });

    it("move to cold storage, where they take less room, and come back the same", async () => {
      const arn = await tree("cold", { "long.txt": text, "short.txt": "short" });
      const kept = {
        BackupVaultName: "frosty",
        Lifecycle: { MoveToColdStorageAfterDays: 1, DeleteAfterDays: 200 },
      };
      const job = await backups.backedUp(arn, kept);
      const warm = await backups.backedUp(arn, { BackupVaultName: "frosty" });
      const before = await backups.sizeOf("frosty");
      await instance().clock.advance(DAY_MS + 1000);
      await eventually(async () => {
        const { StorageClass } = await backups.point(job.RecoveryPointArn, "frosty");
        return StorageClass === "COLD";
      }, "cold storage");
      expect((await backups.point(warm.RecoveryPointArn, "frosty")).StorageClass).toBe("WARM");
      const cold = await backups.sizeOf("frosty");
      expect(cold.cold).toBeGreaterThan(0);
      expect(cold.cold).toBeLessThan(before.stored);
      for (const [at, { RecoveryPointArn }] of [job, warm].entries()) {
        const restorePath = join(here, `thawed-${at}`);
        const { Status, StatusMessage } = await backups.restored(RecoveryPointArn, { restorePath });
        expect(Status, StatusMessage).toBe("COMPLETED");
        expect(readFileSync(join(restorePath, "long.txt"), "utf8")).toBe(text);
      }
      const copy = await backups.copied(job.RecoveryPointArn, backupArn("backup-vault:main"), {
        SourceBackupVaultName: "frosty",
      });
      expect([copy.State, (await backups.point(copy.DestinationRecoveryPointArn)).StorageClass]).toEqual([
        "COMPLETED",
        "WARM",
      ]);
      // Chunks that only the cold point needs are deleted with it. Chunks that the warm point needs remain.
      await backups.well("DELETE", pointPath(job.RecoveryPointArn, "frosty"));
      await eventually(async () => (await backups.sizeOf("frosty")).cold === 0, "empty cold storage");
      expect((await backups.sizeOf("frosty")).stored).toBe(before.stored);
    });

    it("are read to the end by restores that began before they were deleted", async () => {
      const files = Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [`${at}`, randomBytes(900_000)]),
      );
      const { RecoveryPointArn } = await backups.backedUp(await tree("leaving", files));
      const restorePath = join(here, "left");
      const started = await backups.well("PUT", "/restore-jobs", {
        RecoveryPointArn,
        Metadata: { restorePath },
        IamRoleArn: role,
      });
      const job = () => backups.well("GET", `/restore-jobs/${started.RestoreJobId}`);
      await eventually(async () => (await job()).Status !== "PENDING");
      await backups.well("DELETE", pointPath(RecoveryPointArn));
      const { Status, StatusMessage } = await eventually(async () => {
        const now = await job();
        return now.Status !== "RUNNING" && now;
      });
      expect(Status, StatusMessage).toBe("COMPLETED");
      for (const [name, content] of Object.entries(files))
        expect(readFileSync(join(restorePath, name)).equals(content as Buffer)).toBe(true);
    });

    describe("windows", () => {
      const sleep = (ms: number) => {
        vi.useFakeTimers({ toFake: ["Date"] });
        vi.setSystemTime(Date.now() + ms);
      };
      afterEach(() => vi.useRealTimers());
      it("that are over before a job is done leave it expired", async () => {
        let waiting: ServerResponse | undefined;
        const slow = createServer((_request, response) => {
          waiting = response;
        }).listen(0, "127.0.0.1");
        await new Promise((resolve) => slow.once("listening", resolve));
        const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
        const arn = await backups.register(`slow-${kind}`, { url }, "Vendor::Http::Resource");
        const { BackupJobId } = await backups.well("PUT", "/backup-jobs", {
          BackupVaultName: "main",
          ResourceArn: arn,
          IamRoleArn: role,
          StartWindowMinutes: 60,
          CompleteWindowMinutes: 120,
        });
        const held = await eventually(() => waiting);
        sleep(3 * 3_600_000);
        held.end("too late");
        const job = await backups.backupEnd(BackupJobId);
        slow.close();
        expect([job.State, job.StatusMessage, job.MessageCategory]).toEqual([
          "EXPIRED",
          expect.stringContaining("completion window"),
          "Expired",
        ]);
        expect(job.RecoveryPointArn).toBeUndefined();
      });
      it("that nobody was there for leave expired jobs", async () => {
        const arn = await tree("missed", { file: "1" });
        const { BackupPlanId } = await backups.well("PUT", "/backup/plans", {
          BackupPlan: {
            BackupPlanName: `missed-${kind}`,
            Rules: [
              {
                RuleName: "hourly",
                TargetBackupVaultName: "main",
                ScheduleExpression: "cron(0 * ? * * *)",
                StartWindowMinutes: 60,
              },
            ],
          },
        });
        const selection = { SelectionName: "one", IamRoleArn: role, Resources: [arn] };
        await backups.well("PUT", `/backup/plans/${BackupPlanId}/selections`, { BackupSelection: selection });
        sleep(3 * 3_600_000);
        const jobs = await eventually(async () => {
          const found = await backups.all(
            `/backup-jobs?resourceArn=${encodeURIComponent(arn)}`,
            "BackupJobs",
          );
          return found.length === 3 && found.every(({ CompletionDate }) => CompletionDate) && found;
        }, "three occurrences");
        expect(jobs.map(({ State }) => State)).toEqual(["COMPLETED", "EXPIRED", "EXPIRED"]);
        expect(jobs[2].StatusMessage).toContain("start window");
        await backups.well(
          "DELETE",
          `/backup/plans/${BackupPlanId}/selections/${await onlySelection(BackupPlanId)}`,
        );
        await backups.well("DELETE", `/backup/plans/${BackupPlanId}`);
      });
      const onlySelection = async (plan: string) =>
        (await backups.well("GET", `/backup/plans/${plan}/selections/`)).BackupSelectionsList[0].SelectionId;
    });

    it("are copied into another account where both its policy and the organisation let them", async () => {
      const there = (name: string) =>
        backupArn(`backup-vault:${name}`).replace(accounts.first.id, accounts.second.id);
      await other.vault("guest");
      const arn = await tree("abroad", { "long.txt": text });
      const { RecoveryPointArn } = await backups.backedUp(arn);
      const request = {
        RecoveryPointArn,
        SourceBackupVaultName: "main",
        DestinationBackupVaultArn: there("guest"),
        IamRoleArn: role,
      };
      expect(await backups.refusal("PUT", "/copy-jobs", request)).toMatch(/^(InvalidRequest|AccessDenied)/);
      await backups.well("PUT", "/global-settings", {
        GlobalSettings: { isCrossAccountBackupEnabled: "true" },
      });
      expect(await backups.refusal("PUT", "/copy-jobs", request)).toContain("AccessDenied");
      await other.well("PUT", "/backup-vaults/guest/access-policy", {
        Policy: JSON.stringify({
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { AWS: `arn:aws:iam::${accounts.first.id}:root` },
              Action: "backup:CopyIntoBackupVault",
              Resource: "*",
            },
          ],
        }),
      });
      const copy = await backups.copied(RecoveryPointArn, there("guest"));
      expect(copy.State, copy.StatusMessage).toBe("COMPLETED");
      const [point] = (await other.well("GET", "/backup-vaults/guest/recovery-points/")).RecoveryPoints;
      expect([point.RecoveryPointArn, point.ResourceArn]).toEqual([copy.DestinationRecoveryPointArn, arn]);
      // The other account owns the copy: it can restore it, and the source account cannot reach it.
      const restorePath = join(here, "abroad-restored");
      const guest = {
        account: accounts.second.id,
        arn: `arn:vendor:files:us-east-1:${accounts.second.id}:folder/guest-${kind}`,
        type: "Vendor::Files::Folder",
        region: "us-east-1",
        details: { path: join(here, "guest") },
      };
      expect((await instance().bearer("PUT", "/_medley/resources", { body: guest })).status).toBe(200);
      const { RestoreJobId } = await other.well("PUT", "/restore-jobs", {
        RecoveryPointArn: point.RecoveryPointArn,
        Metadata: { restorePath },
        IamRoleArn: role.replace(accounts.first.id, accounts.second.id),
      });
      await eventually(
        async () => (await other.well("GET", `/restore-jobs/${RestoreJobId}`)).Status === "COMPLETED",
      );
      expect(readFileSync(join(restorePath, "long.txt"), "utf8")).toBe(text);
      expect(await backups.refusal("GET", pointPath(point.RecoveryPointArn, "guest"))).toContain("NotFound");
    });

    it("stay in a locked vault, whoever asks, once the days of grace are over", async () => {
      await backups.vault("vaulted");
      const arn = await tree("vaulted", { file: "1" });
      const { RecoveryPointArn } = await backups.backedUp(arn, {
        BackupVaultName: "vaulted",
        Lifecycle: { DeleteAfterDays: 40 },
      });
      const lock = (body: object) => ["PUT", "/backup-vaults/vaulted/vault-lock", body] as const;
      await backups.well(...lock({ MinRetentionDays: 30, ChangeableForDays: 3 }));
      await backups.well("DELETE", "/backup-vaults/vaulted/vault-lock");
      await backups.well(...lock({ MinRetentionDays: 30, MaxRetentionDays: 60, ChangeableForDays: 3 }));
      await instance().clock.advance(3 * DAY_MS + 1000);
      for (const [method, path, body] of [
        lock({ MinRetentionDays: 1 }),
        lock({}),
        ["DELETE", "/backup-vaults/vaulted/vault-lock"],
        ["DELETE", "/backup-vaults/vaulted"],
        ["DELETE", pointPath(RecoveryPointArn, "vaulted")],
        ["POST", `${pointPath(RecoveryPointArn, "vaulted")}/disassociate`],
        ["POST", pointPath(RecoveryPointArn, "vaulted"), { Lifecycle: { DeleteAfterDays: 31 } }],
      ] as const)
        expect(await backups.refusal(method, path, body), `${method} ${path}`).toContain("InvalidRequest");
      const gone = await instance().bearer(
        "DELETE",
        `/_medley/resources?arn=${encodeURIComponent(backupArn("backup-vault:vaulted"))}`,
      );
      expect([gone.status, gone.text]).toEqual([
        expect.any(Number),
        expect.stringContaining("belongs to backup"),
      ]);
      expect(await backups.well("GET", "/backup-vaults/vaulted")).toMatchObject({
        Locked: true,
        MinRetentionDays: 30,
        NumberOfRecoveryPoints: 1,
      });
    });
  },
  { backupRoots: root, backupOrganization: [accounts.first.id, accounts.second.id] } as never,
);
