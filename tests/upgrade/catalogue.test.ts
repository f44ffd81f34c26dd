/**
 * Bank users, clients and lists of earlier releases are in the catalogue after the upgrade. A plan selects them by
 * tag, and the maker's client backs them up and restores them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as backup from "@aws-sdk/client-backup";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { clientOptions } from "../support/maker-client.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { databases, importInto } from "./shelf.ts";

const account = accounts.first.id;
const IamRoleArn = `arn:aws:iam::${account}:role/backup`;
const nora = `arn:aws:bank::${account}:user/1`;
const content = (name: string) => gunzipSync(readFileSync(join(import.meta.dirname, "fixtures", name)));
const names: Readonly<Record<string, readonly string[]>> = {
  "Vendor::Bank::User": ["Nora Visser", "Sam Dekker", "Ines Laurent", "Harbour Books"],
  "Vendor::Identity::Client": ["Field notebook", "Garden planner"],
  "Vendor::Podcasts::Playlist": ["Sunday walks"],
  "Vendor::Podcasts::CuratedList": ["Podcasts for a long train ride"],
};

async function entriesOf(instance: Instance, type: string): Promise<any[]> {
  const { status, body } = await instance.bearer("GET", `/_medley/resources?type=${type}`);
  expect(status).toBe(200);
  return body.resources;
}
async function expectListed(instance: Instance): Promise<void> {
  for (const [type, expected] of Object.entries(names)) {
    const entries = await entriesOf(instance, type);
    expect([type, entries.map(({ name }) => name).sort()]).toEqual([type, [...expected].sort()]);
    for (const { arn, nativeId, updatedAt } of entries)
      expect([arn.endsWith(`/${nativeId}`), updatedAt]).toEqual([true, expect.stringMatching(/^20\d\d-/)]);
  }
}

/** The maker's client as an administrator of backups uses it. */
class Administrator {
  readonly #instance: Instance;
  readonly #client: backup.BackupClient;
  constructor(instance: Instance) {
    this.#instance = instance;
    this.#client = new backup.BackupClient(clientOptions(instance, "backup"));
  }
  close(): void {
    this.#client.destroy();
  }
  /** A daily plan for everything with the tag `keep=daily`. */
  async planByTag(): Promise<void> {
    await this.#client.send(new backup.CreateBackupVaultCommand({ BackupVaultName: "upgraded" }));
    const { BackupPlanId } = await this.#client.send(
      new backup.CreateBackupPlanCommand({
        BackupPlan: {
          BackupPlanName: "upgraded",
          Rules: [
            {
              RuleName: "daily",
              TargetBackupVaultName: "upgraded",
              ScheduleExpression: "cron(0 5 ? * * *)",
            },
          ],
        },
      }),
    );
    await this.#client.send(
      new backup.CreateBackupSelectionCommand({
        BackupPlanId,
        BackupSelection: {
          SelectionName: "kept",
          IamRoleArn,
          ListOfTags: [{ ConditionType: "STRINGEQUALS", ConditionKey: "keep", ConditionValue: "daily" }],
        },
      }),
    );
  }
  async tag(arn: string): Promise<void> {
    const body = { arn, tags: { keep: "daily" } };
    const { status, text } = await this.#instance.bearer("PUT", "/_medley/resources/tags", { body });
    expect([status, text]).toEqual([200, text]);
  }
  /** The point of the first backup that has completed. */
  pointOf(ByResourceArn: string): Promise<string> {
    return eventually(async () => {
      const { BackupJobs = [] } = await this.#client.send(
        new backup.ListBackupJobsCommand({ ByResourceArn }),
      );
      return BackupJobs.find(({ State }) => State === "COMPLETED")?.RecoveryPointArn;
    }, `the backup of ${ByResourceArn}`);
  }
  async restore(RecoveryPointArn: string, Metadata: Record<string, string>): Promise<string> {
    const { RestoreJobId } = await this.#client.send(
      new backup.StartRestoreJobCommand({ RecoveryPointArn, Metadata, IamRoleArn }),
    );
    const job = await eventually(async () => {
      const found = await this.#client.send(new backup.DescribeRestoreJobCommand({ RestoreJobId }));
      return found.Status !== "PENDING" && found.Status !== "RUNNING" && found;
    }, "the restore");
    expect([job.Status, job.StatusMessage]).toEqual(["COMPLETED", undefined]);
    return job.CreatedResourceArn ?? "";
  }
}

const paymentsOf = async (instance: Instance, userId: number): Promise<string> => {
  const { body } = await instance.bearer("POST", `/_medley/bank/users/${userId}/keys`);
  const headers = { "X-Vendor-Client-Authentication": body.apiKey };
  const accountsOf = await instance.send("GET", `/bank/v1/user/${userId}/monetary-account`, { headers });
  expect(accountsOf.status).toBe(200);
  const [{ id }] = accountsOf.body;
  const listed = await instance.send("GET", `/bank/v1/user/${userId}/monetary-account/${id}/payment`, {
    headers,
  });
  expect([listed.status, listed.body.length > 0]).toEqual([200, true]);
  return listed.text;
};

describe.each(databases)("an export of 0.2.0 on %s", (on) => {
  it("brings users, clients and lists that a plan selects by tag", async () => {
    const instance = await startInstance({ on });
    expect((await importInto(instance, content("0.2.0.ndjson.gz"))).status).toBe(200);
    await expectListed(instance);
    const administrator = new Administrator(instance);
    const arns: string[] = [];
    for (const type of Object.keys(names))
      arns.push(...(await entriesOf(instance, type)).map(({ arn }) => arn));
    for (const arn of arns) await administrator.tag(arn);
    await administrator.planByTag();
    await instance.clock.freeze();
    await instance.clock.advance("25h");
    for (const arn of arns) await administrator.pointOf(arn.replace("arn:vendor", "arn:aws"));

    const point = await administrator.pointOf(nora);
    const before = await paymentsOf(instance, 1);
    expect((await instance.bearer("DELETE", "/_medley/bank/users/1")).status).toBe(204);
    expect((await entriesOf(instance, "Vendor::Bank::User")).length).toBe(3);
    expect(await administrator.restore(point, {})).toBe(nora);
    expect(await paymentsOf(instance, 1)).toBe(before);
    expect(await administrator.restore(point, { userName: "Nora Again" })).not.toBe(nora);
    expect((await entriesOf(instance, "Vendor::Bank::User")).length).toBe(5);
    const proof = await instance.bearer("GET", "/_medley/bank/proof");
    expect([proof.body.isSound, proof.body.wrong]).toEqual([true, []]);
    administrator.close();
    await instance.stop();
  });
});

it("a database file of 0.2.0 lists them after the start", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-catalogue-"));
  writeFileSync(join(data, "medley.db"), content("0.2.0.db.gz"));
  const instance = await startInstance({ data });
  await expectListed(instance);
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});
