/** Backups in tests: a caller that signs, and folders of the machine to back up. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { accounts, type Instance, type SendOptions } from "./medley.ts";

export const account = accounts.first.id;
export const role = `arn:vendor:iam::${account}:role/backup`;
export const folderArn = (name: string) => `arn:vendor:files:us-east-1:${account}:folder/${name}`;
export const backupArn = (resource: string) => `arn:vendor:backup:us-east-1:${account}:${resource}`;
export const newRoot = (): string => mkdtempSync(join(tmpdir(), "medley-backup-"));

/** Signed requests of one account in one region. */
export class Backups {
  readonly instance: () => Instance;
  readonly region: string;
  readonly as: SendOptions["as"];
  constructor(instance: () => Instance, region = "us-east-1", as: SendOptions["as"] = "first") {
    this.instance = instance;
    this.region = region;
    this.as = as;
  }
  send(method: string, path: string, body?: unknown) {
    return this.instance().signed("backup", method, `/backup${path}`, { body, as: this.as }, this.region);
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
  /** A folder with one file in it, as an outside resource. */
  async folder(root: string, name: string, tags: Record<string, string> = {}): Promise<string> {
    const path = join(root, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "note.txt"), `This is ${name}.\n`);
    const { status, text } = await this.instance().bearer("PUT", "/_medley/resources", {
      body: {
        arn: folderArn(name),
        type: "Vendor::Files::Folder",
        name,
        region: "us-east-1",
        tags,
        details: { path },
      },
    });
    expect(status, text).toBe(200);
    return folderArn(name);
  }
  /** Time stands still at an instant to come. */
  async standAt(instant: string): Promise<void> {
    const { clock } = this.instance();
    await clock.freeze();
    await clock.advance(Date.parse(instant) - clock.nowMs());
  }
}
