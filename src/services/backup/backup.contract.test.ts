/** Vaults, jobs and recovery points over HTTP, on both databases: cases beyond the client tests. */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  account,
  asSomebodyElse,
  Backups,
  backupArn,
  folderArn,
  role as IamRoleArn,
  megabytesOf,
  newRoot,
  pointPath,
} from "../../../tests/support/backup.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";

const vaultArn = (name: string) => backupArn(`backup-vault:${name}`);
const root = newRoot();
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));
const outside = mkdtempSync(join(tmpdir(), "medley-outside-"));
writeFileSync(join(outside, "secret"), "secret");
afterAll(() => rmSync(outside, { recursive: true, force: true }));

onBothDatabases(
  "backups",
  (instance, kind) => {
    const send = (method: string, path: string, options: SendOptions = {}) =>
      instance().signed("backup", method, `/backup${path}`, options);
    const done = async (method: string, path: string, options: SendOptions = {}) => {
      const answer = await send(method, path, options);
      expect([answer.status, answer.text]).toEqual([
        expect.toSatisfy((s: number) => s < 300),
        expect.anything(),
      ]);
      return answer.body;
    };
    const refused = async (code: string, method: string, path: string, options: SendOptions = {}) => {
      const answer = await send(method, path, options);
      expect([answer.headers.get("x-amzn-errortype"), answer.text]).toEqual([code, expect.anything()]);
      return answer;
    };
    const backups = new Backups(instance);
    const register = (name: string, details: object, type?: string) => backups.register(name, details, type);
    const back = (arn: string, more: object = {}) => backups.backedUp(arn, more);
    const restore = (arn: string, metadata: Record<string, string>) => backups.restored(arn, metadata);
    const here = join(root, kind);
    beforeAll(async () => {
      mkdirSync(here);
      await done("PUT", "/backup-vaults/main", { body: {} });
      await done("PUT", "/backup-vaults/other", { body: {} });
    });

    describe("sources", () => {
      it("a stack is a parent with children, and so are its recovery points and copies", async () => {
        const stack = `arn:vendor:cloudformation:us-east-1:${account}:stack/shop-${kind}/1`;
        for (const name of ["one", "two"]) {
          mkdirSync(join(here, name));
          writeFileSync(join(here, name, "file"), name);
          await register(`${name}-${kind}`, { path: join(here, name), stack });
        }
        const job = await back(stack);
        expect([job.State, job.IsParent, job.NumberOfChildJobs, job.ChildJobsInState]).toEqual([
          "COMPLETED",
          true,
          2,
          { COMPLETED: 2 },
        ]);
        const children = await done(
          "GET",
          `/backup-vaults/main/recovery-points/?parentRecoveryPointArn=${encodeURIComponent(job.RecoveryPointArn)}`,
        );
        expect(
          children.RecoveryPoints.map(
            ({ CompositeMemberIdentifier: name }: Record<string, string>) => name,
          ).sort(),
        ).toEqual([`one-${kind}`, `two-${kind}`]);
        const byJob = await done("GET", `/backup-jobs/?parentJobId=${job.BackupJobId}`);
        expect(byJob.BackupJobs).toHaveLength(2);
        const copy = await backups.copied(job.RecoveryPointArn, vaultArn("other"));
        expect([copy.IsParent, copy.ChildJobsInState]).toEqual([true, { COMPLETED: 2 }]);
        await refused("InvalidRequestException", "PUT", "/restore-jobs", {
          body: { RecoveryPointArn: job.RecoveryPointArn, Metadata: {}, IamRoleArn },
        });
        const [child] = children.RecoveryPoints;
        expect((await send("DELETE", `${pointPath(child.RecoveryPointArn)}/parentAssociation`)).status).toBe(
          204,
        );
        await refused(
          "InvalidRequestException",
          "DELETE",
          `${pointPath(child.RecoveryPointArn)}/parentAssociation`,
        );
        await done("DELETE", pointPath(job.RecoveryPointArn));
        await eventually(async () => {
          const { status } = await send("GET", pointPath(job.RecoveryPointArn));
          return status === 400;
        });
        expect((await done("GET", pointPath(child.RecoveryPointArn))).Status).toBe("COMPLETED");
      });
    });

    describe("trees", () => {
      it("that are hostile stay inside their root, and say what could not be read", async () => {
        const tree = join(here, "hostile");
        mkdirSync(join(tree, "empty"), { recursive: true });
        symlinkSync(join(outside, "secret"), join(tree, "absolute"));
        symlinkSync("../../../../../etc/passwd", join(tree, "up"));
        symlinkSync(outside, join(tree, "folder-link"));
        writeFileSync(join(tree, "new\nline"), "odd name");
        writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0xfe, 0x41])]), "not text");
        writeFileSync(join(tree, "tool"), "#!/bin/sh\n");
        chmodSync(join(tree, "tool"), 0o755);
        writeFileSync(join(tree, "sparse"), "head");
        truncateSync(join(tree, "sparse"), 20_000_000);
        const socket = createServer().listen(join(tree, "socket"));
        await new Promise((resolve) => socket.once("listening", resolve));
        const arn = await register(`hostile-${kind}`, { path: tree });
        const job = await back(arn);
        expect([job.State, job.StatusMessage, job.MessageCategory]).toEqual([
          "PARTIAL",
          expect.stringContaining('"socket"'),
          "UnreadableItems",
        ]);
        const lenient = await back(arn, { BackupOptions: { SkipUnreadable: "enabled" } });
        expect([lenient.State, lenient.StatusMessage]).toEqual([
          "COMPLETED",
          expect.stringContaining('"socket"'),
        ]);
        socket.close();
        const to = join(here, "hostile-restored");
        expect((await restore(job.RecoveryPointArn, { restorePath: to })).Status).toBe("COMPLETED");
        const names = readdirSync(to, { encoding: "buffer" })
          .map((name) => name.toString("latin1"))
          .sort();
        expect(names).toEqual(
          ["absolute", "empty", "folder-link", "new\nline", "sparse", "tool", "up", "ÿþA"].sort(),
        );
        expect(statSync(join(to, "tool")).mode & 0o777).toBe(0o755);
        expect(statSync(join(to, "tool")).mtimeMs).toBeCloseTo(statSync(join(tree, "tool")).mtimeMs, 0);
        expect(readFileSync(join(to, "sparse")).equals(readFileSync(join(tree, "sparse")))).toBe(true);
        expect(statSync(join(to, "sparse")).blocks).toBeLessThan(100);
        for (const path of [
          outside,
          join(here, "hostile/../../.."),
          join(here, "hostile", "folder-link", "secret"),
          "relative",
        ]) {
          const escaped = await back(await register(`escape-${kind}`, { path }));
          expect([path, escaped.State]).toEqual([path, "FAILED"]);
        }
        for (const path of [join(outside, "restored"), join(tree, "folder-link", "restored")])
          expect([path, (await restore(job.RecoveryPointArn, { restorePath: path })).Status]).toEqual([
            path,
            "FAILED",
          ]);
        expect(existsSync(join(outside, "restored"))).toBe(false);
        const taken = await restore(job.RecoveryPointArn, { restorePath: to });
        expect([taken.Status, taken.StatusMessage]).toEqual(["FAILED", expect.stringContaining("inPlace")]);
      });

      it("that change while they are read, or that nobody may read, end in part and say why", async () => {
        const tree = join(here, "moving");
        mkdirSync(tree);
        for (const name of ["calm", "secret"]) writeFileSync(join(tree, name), name);
        const log = join(tree, "log");
        writeFileSync(log, "begun ");
        truncateSync(log, 20_000_000);
        const arn = await register(`moving-${kind}`, { path: tree });
        const writing = setInterval(() => appendFileSync(log, "one more "), 1);
        const changed = await eventually(async () => {
          const job = await back(arn);
          return job.State === "PARTIAL" && job;
        }, "a file that changes while it is read").finally(() => clearInterval(writing));
        expect(changed.StatusMessage).toMatch(/^1 of its items .* "log": it changed while it was read/);
        const to = join(here, "moving-restored");
        expect((await restore(changed.RecoveryPointArn, { restorePath: to })).Status).toBe("COMPLETED");
        const kept = readFileSync(join(to, "log"));
        expect(kept.equals(readFileSync(log).subarray(0, kept.length))).toBe(true);
        expect(readFileSync(join(to, "calm"), "utf8")).toBe("calm");

        const closed = await asSomebodyElse(join(tree, "secret"), () => back(arn));
        expect([closed.State, closed.MessageCategory, closed.StatusMessage]).toEqual([
          "PARTIAL",
          "UnreadableItems",
          expect.stringMatching(/^1 of its items .* "secret": it may not be read/),
        ]);
        const nothing = await asSomebodyElse(here, () => back(arn));
        expect([nothing.State, nothing.StatusMessage]).toEqual([
          "FAILED",
          expect.stringContaining("may not be read"),
        ]);
      });

      it("that did not change are stored once, and what they share with others too", async () => {
        const tree = join(here, "large");
        mkdirSync(tree);
        const content = Buffer.concat(
          Array.from({ length: 4000 }, (_, at) => createHash("sha512").update(`${at}`).digest()),
        );
        const large = Buffer.concat(Array.from({ length: 8 }, () => content));
        writeFileSync(join(tree, "a"), large);
        const storedIn = async (vault: string) => {
          const { body } = await instance().bearer("GET", "/_medley/views/backup?view=Vaults");
          return megabytesOf(body.views[0].rows.find((row: string[]) => row[1] === vault)[4]);
        };
        await done("PUT", "/backup-vaults/shared", { body: {} });
        const arn = await register(`large-${kind}`, { path: tree });
        await back(arn, { BackupVaultName: "shared" });
        const once = await storedIn("shared");
        writeFileSync(join(tree, "b"), Buffer.concat([Buffer.from("something new before it"), large]));
        const second = await back(arn, { BackupVaultName: "shared" });
        // Where chunks end depends on the vault's key; both files together always take less than one of them.
        expect(await storedIn("shared")).toBeLessThan(large.length / 1e6);
        await done("DELETE", pointPath(second.RecoveryPointArn, "shared"));
        await eventually(async () => (await storedIn("shared")) === once, "the space of the second point");
      });
    });

    describe("vaults", () => {
      it("are deleted when they are empty, and gone then", async () => {
        const path = "/backup-vaults/short-lived";
        await done("PUT", path, { body: {} });
        expect((await send("DELETE", path)).status).toBe(200);
        await refused("ResourceNotFoundException", "GET", path);
      });
      it("refuse those whom their policy refuses, operation by operation", async () => {
        const vault = "guarded";
        await done("PUT", `/backup-vaults/${vault}`, { body: {} });
        const tree = join(here, "guarded");
        mkdirSync(tree);
        const arn = await register(`guarded-${kind}`, { path: tree });
        const point = await back(arn, { BackupVaultName: vault });
        const path = pointPath(point.RecoveryPointArn, vault);
        const start = { BackupVaultName: vault, ResourceArn: arn, IamRoleArn };
        const attempts: [string, string, string, object?][] = [
          ["DescribeBackupVault", "GET", `/backup-vaults/${vault}`],
          ["DeleteBackupVault", "DELETE", `/backup-vaults/${vault}`],
          ["GetBackupVaultAccessPolicy", "GET", `/backup-vaults/${vault}/access-policy`],
          ["PutBackupVaultLockConfiguration", "PUT", `/backup-vaults/${vault}/vault-lock`, {}],
          ["DeleteBackupVaultLockConfiguration", "DELETE", `/backup-vaults/${vault}/vault-lock`],
          [
            "PutBackupVaultNotifications",
            "PUT",
            `/backup-vaults/${vault}/notification-configuration`,
            { SNSTopicArn: "arn:vendor:sns:us-east-1:1:t", BackupVaultEvents: ["BACKUP_JOB_FAILED"] },
          ],
          ["GetBackupVaultNotifications", "GET", `/backup-vaults/${vault}/notification-configuration`],
          ["DeleteBackupVaultNotifications", "DELETE", `/backup-vaults/${vault}/notification-configuration`],
          ["ListRecoveryPointsByBackupVault", "GET", `/backup-vaults/${vault}/recovery-points/`],
          ["ListProtectedResourcesByBackupVault", "GET", `/backup-vaults/${vault}/resources/`],
          ["DescribeRecoveryPoint", "GET", path],
          ["GetRecoveryPointRestoreMetadata", "GET", `${path}/restore-metadata`],
          ["UpdateRecoveryPointLifecycle", "POST", path, {}],
          ["DisassociateRecoveryPoint", "POST", `${path}/disassociate`],
          ["DisassociateRecoveryPointFromParent", "DELETE", `${path}/parentAssociation`],
          ["DeleteRecoveryPoint", "DELETE", path],
          ["StartBackupJob", "PUT", "/backup-jobs", start],
          [
            "StartCopyJob",
            "PUT",
            "/copy-jobs",
            {
              RecoveryPointArn: point.RecoveryPointArn,
              SourceBackupVaultName: vault,
              DestinationBackupVaultArn: vaultArn("other"),
              IamRoleArn,
            },
          ],
          [
            "StartRestoreJob",
            "PUT",
            "/restore-jobs",
            { RecoveryPointArn: point.RecoveryPointArn, Metadata: { restorePath: tree }, IamRoleArn },
          ],
        ];
        const policyOf = (...statements: object[]) => ({
          Policy: JSON.stringify({ Version: "2012-10-17", Statement: statements }),
        });
        for (const [action, method, to, body] of attempts) {
          const deny = {
            Effect: "Deny",
            Principal: { AWS: account },
            Action: `backup:${action}`,
            Resource: vaultArn(vault),
          };
          await done("PUT", `/backup-vaults/${vault}/access-policy`, { body: policyOf(deny) });
          const { headers } = await send(method, to, { ...(body && { body }) });
          expect([action, headers.get("x-amzn-errortype")]).toEqual([action, "AccessDeniedException"]);
        }
        for (const bad of [
          "{",
          "[]",
          "{}",
          '{"Statement":[{"Effect":"Maybe"}]}',
          JSON.stringify({ Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:Get" }] }),
        ])
          await refused("InvalidParameterValueException", "PUT", `/backup-vaults/${vault}/access-policy`, {
            body: { Policy: bad },
          });
        await refused("MissingParameterValueException", "PUT", `/backup-vaults/${vault}/access-policy`, {
          body: {},
        });
        await done("PUT", `/backup-vaults/${vault}/access-policy`, {
          body: policyOf({
            Effect: "Allow",
            Principal: { AWS: accounts.second.id },
            Action: ["backup:DescribeBackupVault", "backup:ListRecoveryPointsByBackupVault"],
            Resource: "*",
          }),
        });
        const shared = await send("GET", `/backup-vaults/${vault}?backupVaultAccountId=${account}`, {
          as: "second",
        });
        expect(shared.body.BackupVaultName).toBe(vault);
        const list = await send("GET", "/backup-vaults/?shared=true", { as: "second" });
        expect(
          list.body.BackupVaultList.map(({ BackupVaultName }: Record<string, string>) => BackupVaultName),
        ).toEqual([vault]);
        await refused(
          "AccessDeniedException",
          "GET",
          `/backup-vaults/${vault}/resources/?backupVaultAccountId=${account}`,
          { as: "second" },
        );
        const seenBySecond = async (name: string) => {
          const path = `/backup-vaults/${name}?backupVaultAccountId=${account}`;
          const { status, text } = await send("GET", path, { as: "second" });
          return { status, text };
        };
        await done("PUT", "/backup-vaults/closed", { body: {} });
        const [closed, missing] = [await seenBySecond("closed"), await seenBySecond("absent")];
        expect(missing).toEqual({ ...closed, text: closed.text.replaceAll("closed", "absent") });
      });

      it("say what is wrong with what is asked of them", async () => {
        for (const [code, method, path, body] of [
          ["ResourceNotFoundException", "GET", "/backup-vaults/nowhere"],
          ["ResourceNotFoundException", "GET", "/backup-vaults/main/access-policy"],
          ["ResourceNotFoundException", "GET", "/backup-vaults/main/notification-configuration"],
          ["ResourceNotFoundException", "GET", "/backup-jobs/none"],
          ["ResourceNotFoundException", "GET", "/copy-jobs/none"],
          ["ResourceNotFoundException", "GET", "/restore-jobs/none"],
          ["ResourceNotFoundException", "GET", `/resources/${encodeURIComponent(folderArn("none"))}`],
          [
            "ResourceNotFoundException",
            "GET",
            `/resources/${encodeURIComponent(folderArn("none"))}/recovery-points/`,
          ],
          [
            "ResourceNotFoundException",
            "GET",
            `/resources/${encodeURIComponent(folderArn("none"))}/restore-jobs/`,
          ],
          ["InvalidParameterValueException", "PUT", "/backup-vaults/a", {}],
          ["InvalidParameterValueException", "GET", "/backup-jobs/?state=DONE"],
          ["InvalidParameterValueException", "GET", "/backup-vaults/?nextToken=abc"],
          [
            "InvalidParameterValueException",
            "PUT",
            "/logically-air-gapped-backup-vaults/bunker",
            { MinRetentionDays: 9, MaxRetentionDays: 7 },
          ],
          ["MissingParameterValueException", "PUT", "/logically-air-gapped-backup-vaults/bunker", {}],
          [
            "InvalidParameterValueException",
            "PUT",
            "/backup-vaults/main/vault-lock",
            { ChangeableForDays: 2 },
          ],
          [
            "ResourceNotFoundException",
            "PUT",
            "/backup-jobs",
            { BackupVaultName: "main", ResourceArn: folderArn("none"), IamRoleArn },
          ],
          [
            "InvalidParameterValueException",
            "PUT",
            "/backup-jobs",
            { BackupVaultName: "main", ResourceArn: folderArn("none"), IamRoleArn: "nobody" },
          ],
          [
            "InvalidParameterValueException",
            "PUT",
            "/restore-jobs",
            { RecoveryPointArn: "arn:vendor:x:::y", Metadata: {}, IamRoleArn },
          ],
        ] as const)
          await refused(code, method, path, { ...(body && { body }) });
      });
    });
  },
  { backupRoots: root } as never,
);
