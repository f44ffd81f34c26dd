/** A real S3 server as the object store: killed, silent, slow, full, and restarted. It is installed on first use. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { openS3 } from "../../src/kernel/objects/index.ts";
import { LARGE_BYTES_MIN } from "../../src/kernel/objects/objects.ts";
import { createLog } from "../../src/kernel/observe/index.ts";
import { installed } from "../../tools/installed.mjs";
import { Backups } from "../support/backup.ts";
import { eventually } from "../support/eventually.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { databasesHere } from "../support/test-part.ts";

const BUCKET = "large-things";
const FILE_BYTES = 3_000_000;
/** In blocks of 512 bytes: no object of the test fits. */
const FULL_BLOCKS = 8;
const folder = mkdtempSync(join(tmpdir(), "medley-store-"));
let server: ChildProcess;
let proxy: TcpProxy;
let port = 0;
/** What the server has said since it was started. */
let output = "";

/** `blocks`: no file may be larger. */
async function startServer(blocks?: number): Promise<void> {
  const words = [
    "-d",
    join(folder, "store"),
    "-a",
    "127.0.0.1",
    "-p",
    String(port),
    "--configure-bucket",
    BUCKET,
  ];
  const limit = blocks === undefined ? "" : `ulimit -f ${blocks}; `;
  const main = join(installed("s3rver"), "s3rver/bin/s3rver.js");
  server = spawn("sh", ["-c", `${limit}exec "$0" "$@"`, process.execPath, main, ...words]);
  output = "";
  port = await new Promise<number>((resolve, reject) => {
    const note = (part: Buffer) => {
      output += part;
      const found = /listening on \S+?:(\d+)/i.exec(output);
      if (found) resolve(Number(found[1]));
    };
    server.stdout?.on("data", note);
    server.stderr?.on("data", note);
    server.once("exit", () => reject(new Error(output)));
  });
}
async function killServer(): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGKILL");
  await ended;
}

beforeAll(async () => {
  mkdirSync(join(folder, "store"));
  await startServer();
  proxy = await TcpProxy.start(port);
}, 300_000);
afterEach(() => proxy.heal());
afterAll(async () => {
  await killServer();
  await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(databasesHere())("a real store on %s", (kind) => {
  let instance: Instance;
  const backups = new Backups(() => instance);
  const file = join(folder, kind, "large");
  let arn: string;
  let point: string;
  beforeAll(async () => {
    instance = await startInstance({
      on: kind,
      services: ["backup"],
      backupRoots: [folder],
      objects: `s3://${BUCKET}/medley/${kind}`,
      objectsEndpoint: `http://127.0.0.1:${proxy.port}`,
      objectsKeyId: "S3RVER",
      objectsSecret: "S3RVER",
      objectsTimeoutSeconds: 5,
      objectsGraceSeconds: 0,
      logLevel: "silent",
    } as never);
    await backups.vault("main");
    arn = await backups.folder(folder, kind);
    writeFileSync(file, randomBytes(FILE_BYTES));
    return () => instance.stop();
  });
  const objects = (method: string, path = "", body?: unknown) =>
    instance.bearer(method, `/_medley/objects${path}`, { body });
  const backedUp = async () => {
    const job = await backups.backedUp(arn);
    expect(job.State, job.StatusMessage).toBe("COMPLETED");
    point = job.RecoveryPointArn;
  };
  const isRestored = async (name: string) => {
    const restorePath = join(folder, `${kind}-${name}`);
    const job = await backups.restored(point, { restorePath });
    expect(job.Status, job.StatusMessage).toBe("COMPLETED");
    return readFileSync(join(restorePath, "large")).equals(readFileSync(file));
  };
  const isAway = async () => {
    const answer = await objects("POST", "/move", { to: "database" });
    expect([answer.status, answer.body.error?.message ?? answer.text]).toEqual([
      503,
      expect.stringMatching(/store of large objects does not answer/),
    ]);
  };

  it("keeps objects", async () => {
    await backedUp();
    expect(await isRestored("well")).toBe(true);
    const { body } = await objects("GET");
    expect(body).toMatchObject({ missing: 0, unnamed: 0, inDatabase: 0 });
    // The file is cut at random places. A last chunk that is too small for the store stays in the database.
    expect(body.bytes).toBeGreaterThan(FILE_BYTES - LARGE_BYTES_MIN);
    expect(readdirSync(join(folder, "store", BUCKET, "medley", kind))).toHaveLength(1);
  });
  it("refuses keys that it does not know, and says so", async () => {
    const keys = { objectsKeyId: "STRANGER", objectsSecret: "S3RVER" };
    const place = { objects: `s3://${BUCKET}`, objectsEndpoint: `http://127.0.0.1:${proxy.port}` };
    const stranger = openS3({ ...defaultConfig, ...place, ...keys }, createLog("silent"));
    await expect(stranger?.list("", "")).rejects.toThrow(/refuses: it answered 403 InvalidAccessKeyId/);
  });
  it("that is killed costs a 503, and nothing once it is back", async () => {
    await killServer();
    await isAway();
    await startServer();
    proxy.pointAt(port);
    expect(await isRestored("killed")).toBe(true);
  });
  it("that is silent costs a 503 in time, and nothing once it answers", async () => {
    proxy.swallow();
    await isAway();
    proxy.heal();
    expect(await isRestored("silent")).toBe(true);
  });
  it("that is slow is waited for", async () => {
    proxy.delay(5);
    expect(await isRestored("slow")).toBe(true);
  });
  it("that is full takes no backup; the job goes on when there is room", async () => {
    await killServer();
    await startServer(FULL_BLOCKS);
    proxy.pointAt(port);
    writeFileSync(file, randomBytes(FILE_BYTES));
    const backup = backedUp();
    // This server does not survive a write that fails.
    await eventually(() => output.includes("EFBIG"), "an attempt that fails");
    await killServer();
    await startServer();
    proxy.pointAt(port);
    await backup;
    expect(await isRestored("full")).toBe(true);
  });
  it("is swept of what nothing names", async () => {
    await instance.medley.reset();
    // This server may fail when two requests empty a folder at once. The next sweep goes on.
    await eventually(async () => {
      await objects("POST", "/sweep");
      return (await objects("GET")).body.objects === 0;
    }, "a store without objects");
  });
});
