/** Backups in tests: a caller that signs, and folders of the machine to back up. */
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { accounts, type Instance, type SendOptions } from "./medley.ts";
import { SignedCaller } from "./signed-caller.ts";

export const account = accounts.first.id;
export const role = `arn:vendor:iam::${account}:role/backup`;
export const folderArn = (name: string) => `arn:vendor:files:us-east-1:${account}:folder/${name}`;
export const backupArn = (resource: string) => `arn:vendor:backup:us-east-1:${account}:${resource}`;
export const newRoot = (): string => mkdtempSync(join(tmpdir(), "medley-backup-"));

export const pointPath = (arn: string, vault = "main"): string =>
  `/backup-vaults/${vault}/recovery-points/${encodeURIComponent(arn)}`;
const ENDED = ["COMPLETED", "PARTIAL", "FAILED", "ABORTED", "EXPIRED"];

const MEGABYTES: Readonly<Record<string, number>> = { B: 1e-6, KB: 1e-3, MB: 1, GB: 1e3 };
/** Of a size as the console shows it, such as `3.4 KB`. */
export function megabytesOf(text: string): number {
  const [size = "", unit = ""] = text.split(" ");
  return Number(size) * (MEGABYTES[unit] ?? Number.NaN);
}

export class Backups extends SignedCaller {
  constructor(instance: () => Instance, region = "us-east-1", as: SendOptions["as"] = "first") {
    super("backup", instance, region, as);
  }
  /** The body of an answer that has to be a good one. */
  async well(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.send(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer.body;
  }
  /** The name of the error that it is refused with, and what it says. */
  async refusal(method: string, path: string, body?: unknown): Promise<string> {
    const answer = await this.send(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeGreaterThanOrEqual(400);
    const name = answer.headers.get("x-amzn-errortype")?.replace("Exception", "");
    return `${name}: ${answer.body.Message}`;
  }
  vault(name: string): Promise<any> {
    return this.well("PUT", `/backup-vaults/${name}`, {});
  }
  /** All pages of a list. */
  async all(path: string, member: string, size = 1000): Promise<any[]> {
    const rows: any[] = [];
    let token = "";
    do {
      const asked = `${path}${path.includes("?") ? "&" : "?"}maxResults=${size}${token && `&nextToken=${token}`}`;
      const page = await this.well("GET", asked);
      expect(page[member].length).toBeLessThanOrEqual(size);
      rows.push(...page[member]);
      token = page.NextToken ?? "";
    } while (token);
    return rows;
  }
  /** The recovery point of a backup that has to succeed. */
  async pointOf(arn: string, type: string): Promise<string> {
    const job = await this.backedUp(arn);
    expect([job.State, job.ResourceType, job.StatusMessage]).toEqual(["COMPLETED", type, undefined]);
    return job.RecoveryPointArn;
  }
  /** What a restore made that has to succeed. */
  async restoredArn(point: string, metadata: Record<string, string>): Promise<string> {
    const job = await this.restored(point, metadata);
    expect([job.Status, job.StatusMessage]).toEqual(["COMPLETED", undefined]);
    return job.CreatedResourceArn;
  }
  /** The vaults `near` and `archive` and a folder `photos`, on the first day of 2030. */
  async setUpOffice(path: string): Promise<void> {
    await this.standAt("2030-01-01T00:00:00Z");
    for (const vault of ["near", "archive"]) await this.vault(vault);
    await this.folder(path, "photos", { stage: "production" });
  }
  /** An outside resource. */
  async register(
    name: string,
    details: object,
    type = "Vendor::Files::Folder",
    tags: Record<string, string> = {},
  ): Promise<string> {
    const arn = folderArn(name);
    const body = { arn, type, name, region: "us-east-1", tags, details };
    const { status, text } = await this.instance().bearer("PUT", "/_medley/resources", { body });
    expect(status, text).toBe(200);
    return arn;
  }
  /** A folder with one file in it, as an outside resource. */
  folder(root: string, name: string, tags: Record<string, string> = {}): Promise<string> {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "note.txt"), `This is ${name}.\n`);
    return this.register(name, { path }, undefined, tags);
  }
  async #ended(path: string, id: string, member = "State"): Promise<any> {
    return eventually(async () => {
      const { CopyJob, ...job } = await this.well("GET", `${path}/${id}`);
      return ENDED.includes((CopyJob ?? job)[member]) && (CopyJob ?? job);
    }, `the end of ${path}/${id}`);
  }
  backupEnd(id: string): Promise<any> {
    return this.#ended("/backup-jobs", id);
  }
  /** A backup job that has ended. */
  async backedUp(ResourceArn: string, more: object = {}): Promise<any> {
    const request = { BackupVaultName: "main", ResourceArn, IamRoleArn: role, ...more };
    return this.backupEnd((await this.well("PUT", "/backup-jobs", request)).BackupJobId);
  }
  restoreEnd(id: string): Promise<any> {
    return this.#ended("/restore-jobs", id, "Status");
  }
  async restored(RecoveryPointArn: string, Metadata: Record<string, string>): Promise<any> {
    const request = { RecoveryPointArn, Metadata, IamRoleArn: role };
    return this.#ended(
      "/restore-jobs",
      (await this.well("PUT", "/restore-jobs", request)).RestoreJobId,
      "Status",
    );
  }
  async copied(RecoveryPointArn: string, vaultArn: string, more: object = {}): Promise<any> {
    const request = {
      RecoveryPointArn,
      SourceBackupVaultName: "main",
      DestinationBackupVaultArn: vaultArn,
      IamRoleArn: role,
      ...more,
    };
    return this.#ended("/copy-jobs", (await this.well("PUT", "/copy-jobs", request)).CopyJobId);
  }
  point(RecoveryPointArn: string, vault = "main"): Promise<any> {
    return this.well("GET", pointPath(RecoveryPointArn, vault));
  }
  /** What the console tells of a vault: megabytes of content, as they are stored, and of these the cold ones. */
  async sizeOf(vault: string): Promise<{ content: number; stored: number; cold: number }> {
    const { body } = await this.instance().bearer("GET", "/_medley/views/backup?view=Vaults");
    const row = body.views[0].rows.find(([, name]: string[]) => name === vault);
    const [content, stored, cold] = row.slice(3, 6).map(megabytesOf);
    return { content, stored, cold };
  }
  /** Time stands still at an instant to come. */
  async standAt(instant: string): Promise<void> {
    const { clock } = this.instance();
    await clock.freeze();
    await clock.advance(Date.parse(instant) - clock.nowMs());
  }
}

const NOBODY = 65_534;
/** What lies at the path is closed to the process meanwhile: whoever may read everything becomes somebody who may not. */
export async function asSomebodyElse<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { mode } = statSync(path);
  chmodSync(path, 0);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  return work().finally(() => {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, mode);
  });
}
