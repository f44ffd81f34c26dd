/** Reports, stacks and outside resources: the last that fits, and what happens to more. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account, Backups, folderArn, newRoot, role } from "../../../tests/support/backup.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";

const data = mkdtempSync(join(tmpdir(), "medley-large-counts-"));
const root = newRoot();
let instance: Instance;
const backups = new Backups(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["backup"], data, backupRoots: root } as never);
  await backups.vault("main");
});
afterAll(async () => {
  await instance.stop();
  for (const folder of [data, root]) rmSync(folder, { recursive: true, force: true });
});
const count = (what: string): number =>
  changeRows(data, (database) => {
    const { count: found } = database.prepare(`select count(*) as count from ${what}`).get() as {
      count: number;
    };
    return found;
  });

it("256 MB of an outside resource", async () => {
  let bytes = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": String(bytes) }).write("x");
    setTimeout(() => response.destroy(), 20);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  const arn = await backups.register("web", { url }, "Vendor::Http::Resource");
  const problemOf = async (size: number): Promise<string> => {
    bytes = size;
    return (await backups.backedUp(arn)).StatusMessage;
  };
  // The server breaks off, which only who reads on notices.
  expect(await problemOf(268_435_456)).not.toContain("longer than");
  expect(await problemOf(268_435_457)).toContain("The answer is longer than 268435456 bytes.");
  server.close();
});

it.skipIf(isFirstPart())("500 resources of a stack", async () => {
  const stack = `arn:vendor:cloudformation:us-east-1:${account}:stack/many/1`;
  await backups.register("0", { path: join(data, "none"), stack });
  const childrenOf = async (copies: number) => {
    const changed = { arn: `'${folderArn("")}' || n`, name: "n" };
    copyRow(data, { table: "medley_resource", count: copies, changed, where: "name = '0'" });
    const request = { BackupVaultName: "main", ResourceArn: stack, IamRoleArn: role };
    const { BackupJobId } = await backups.well("PUT", "/backup-jobs", request);
    const children = `backup_job where parent_id = '${BackupJobId}'`;
    await eventually(() => count(children) > 0, "jobs of the members");
    changeRows(data, (database) => database.exec("delete from medley_resource where name <> '0'"));
    return count(children);
  };
  expect([await childrenOf(499), await childrenOf(500)]).toEqual([500, 500]);
});

it("a backup starts within sixty minutes at the least", async () => {
  const arn = await backups.folder(root, "windows");
  const start = (minutes: number) => {
    const request = { BackupVaultName: "main", ResourceArn: arn, IamRoleArn: role };
    return backups.send("PUT", "/backup-jobs", { ...request, StartWindowMinutes: minutes });
  };
  const [short, enough] = [await start(59), await start(60)];
  expect([short.status, short.text]).toEqual([400, expect.stringContaining("60 minutes at least")]);
  expect([enough.status, enough.text]).toEqual([200, enough.text]);
  await backups.backupEnd(enough.body.BackupJobId);
});

it("a restore test chooses a point behind a thousand newer ones that it may not choose", async () => {
  const point = await backups.pointOf(await backups.folder(root, "tested"), "Folder");
  const newer = { id: "copied.id || n", vault: "'other'", created_at: "copied.created_at + n" };
  copyRow(data, { table: "backup_point", count: 1000, changed: newer });
  await backups.well("PUT", "/restore-testing/plans", {
    RestoreTestingPlan: {
      RestoreTestingPlanName: "nightly",
      ScheduleExpression: "cron(0 5 ? * * *)",
      RecoveryPointSelection: {
        Algorithm: "LATEST_WITHIN_WINDOW",
        IncludeVaults: [`arn:vendor:backup:us-east-1:${account}:backup-vault:main`],
        RecoveryPointTypes: ["SNAPSHOT"],
      },
    },
  });
  await backups.well("PUT", "/restore-testing/plans/nightly/selections", {
    RestoreTestingSelection: {
      RestoreTestingSelectionName: "folders",
      IamRoleArn: role,
      ProtectedResourceType: "Folder",
      ProtectedResourceArns: [folderArn("tested")],
    },
  });
  // One or two occurrences, by the time of day, each with up to a day until its start.
  await instance.clock.advance("48h");
  const { RestoreJobs } = await backups.well("GET", "/restore-jobs");
  const chosen = RestoreJobs.map((job: { RecoveryPointArn: string }) => job.RecoveryPointArn);
  expect(new Set(chosen)).toEqual(new Set([point]));
  changeRows(data, (database) => database.exec("delete from backup_point where vault = 'other'"));
});

it("the console draws a hundred backups, and a resource leads to its newest hundred recovery points", async () => {
  const arn = await backups.folder(root, "drawn");
  await backups.pointOf(arn, "Folder");
  const drawn = async () => {
    const { body } = await instance.bearer("GET", "/_medley/views/backup?limit=1");
    const { widgets } = body.views.find(({ title }: { title: string }) => title === "Backup jobs");
    return widgets[0].events.length;
  };
  const related = async () => {
    const path = `/_medley/resources/one?arn=${encodeURIComponent(arn)}`;
    const [{ links }] = (await instance.bearer("GET", path)).body.related;
    return links.length;
  };
  const most = [];
  const own = `resource_arn = '${arn}'`;
  const jobs = count("backup_job");
  for (const [first, more] of [
    [0, 99],
    [99, 1],
  ] as const) {
    const id = `copied.id || (${first} + n)`;
    const missing = first === 0 ? 100 - jobs : more;
    copyRow(data, { table: "backup_job", count: missing, changed: { id: `copied.id || ${first} || n` } });
    copyRow(data, { table: "backup_point", count: more, changed: { id }, where: own });
    copyRow(data, {
      table: "medley_resource",
      count: more,
      changed: { arn: `copied.arn || (${first} + n)` },
      where: "type like '%RecoveryPoint' and name = 'drawn'",
    });
    most.push(await drawn(), await related());
  }
  expect(most).toEqual([100, 100, 100, 100]);
});

it.skipIf(isFirstPart())("100,000 rows of a report", async () => {
  changeRows(data, (database) => database.exec("delete from backup_job"));
  await backups.well("POST", "/audit/report-plans", {
    ReportPlanName: "jobs",
    ReportDeliveryChannel: { S3BucketName: "reports", Formats: ["CSV"] },
    ReportSetting: { ReportTemplate: "BACKUP_JOB_REPORT" },
  });
  await backups.backedUp(await backups.register("reported", { path: join(data, "none") }));
  const rowsWith = async (copies: number): Promise<number> => {
    copyRow(data, { table: "backup_job", count: copies, changed: { id: "copied.id || '-' || n" } });
    const { ReportJobId } = await backups.well("POST", "/audit/report-jobs/jobs", {});
    const path = `/audit/report-jobs/${ReportJobId}`;
    await eventually(async () => {
      const { Status } = (await backups.well("GET", path)).ReportJob;
      expect(Status).not.toBe("FAILED");
      return Status === "COMPLETED";
    }, "the report");
    const { text } = await backups.send("GET", `${path}/files/CSV`);
    changeRows(data, (database) => database.exec("delete from backup_job where id like '%-%-%-%-%-%'"));
    return text.trim().split("\n").length - 1;
  };
  expect([await rowsWith(99_999), await rowsWith(100_000)]).toEqual([100_000, 100_000]);
});
