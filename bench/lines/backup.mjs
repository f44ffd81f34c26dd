/**
 * Backup: a tree of mixed files into a vault and out of it, beside `tar` and `gzip -1`;
 * by processor time, because a busy machine tells the same of it. `npm run bench backup 1000` for so many megabytes.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { openKernel } from "../../dist/app/index.js";
import { defaultConfig } from "../../dist/kernel/config/index.js";
import { insertPoint } from "../../dist/services/backup/store/points.js";
import { autocannon, inTurns, signedHeaders, startServer, token } from "../load.mjs";
import { makeSmallFiles, makeTree } from "./backup-tree.mjs";

const execute = promisify(execFile);
const ACCOUNT = "111111111111";
const role = `arn:vendor:iam::${ACCOUNT}:role/backup`;
const POINTS_FEW = 1_000;
const POINTS_MANY = 10_000;
const READS = 10_000;
const LISTS = 300;
const ROUNDS = 6;
const SMALL_FILES = 100_000;
const TICKS_PER_SECOND = 100;
const ENDED = ["COMPLETED", "PARTIAL", "FAILED", "ABORTED", "EXPIRED"];

async function send({ url }, method, path, body) {
  const whole = `${url}/backup${path}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { ...signedHeaders("backup", method, whole, text), "content-type": "application/json" };
  const answer = await fetch(whole, { method, headers, ...(text !== undefined && { body: text }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
async function register({ url }, name, path) {
  const arn = `arn:vendor:files:us-east-1:${ACCOUNT}:folder/${name}`;
  const body = { arn, type: "Vendor::Files::Folder", name, region: "us-east-1", details: { path } };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/_medley/resources`, {
    method: "PUT",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return arn;
}

/** Seconds of a processor that a process has had, all its threads together. */
function processorSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
const megabytesMaxOf = (pid) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** The job's end, with the time and the processor time that it took. */
async function follow(server, start, path, states) {
  const cpu = processorSecondsOf(server.pid);
  const began = performance.now();
  const id = await start();
  for (;;) {
    const job = await send(server, "GET", `${path}/${id}`);
    if (states.includes(job.State ?? job.Status))
      return {
        job,
        seconds: (performance.now() - began) / 1000,
        cpu: processorSecondsOf(server.pid) - cpu,
      };
    await pause(50);
  }
}
async function back(server, ResourceArn, BackupVaultName = "bench") {
  const start = async () =>
    (await send(server, "PUT", "/backup-jobs", { BackupVaultName, ResourceArn, IamRoleArn: role }))
      .BackupJobId;
  const done = await follow(server, start, "/backup-jobs", ENDED);
  if (done.job.State !== "COMPLETED") throw new Error(JSON.stringify(done.job));
  return done;
}
async function restore(server, RecoveryPointArn, restorePath) {
  const body = { RecoveryPointArn, Metadata: { restorePath }, IamRoleArn: role };
  const start = async () => (await send(server, "PUT", "/restore-jobs", body)).RestoreJobId;
  const done = await follow(server, start, "/restore-jobs", ENDED);
  if (done.job.Status !== "COMPLETED") throw new Error(JSON.stringify(done.job));
  return done;
}

/** A command of the shell, with the time and the processor time of all that it started. */
export async function command(text) {
  const began = performance.now();
  const { stdout } = await execute("bash", ["-c", `set -eo pipefail; ${text}; times`]);
  const seconds = (performance.now() - began) / 1000;
  const cpu = [
    ...stdout
      .trim()
      .split("\n")
      .at(-1)
      .matchAll(/(\d+)m([\d.]+)s/g),
  ].reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return { seconds, cpu };
}
export const bytesUnder = async (folder) =>
  Number((await execute("du", ["-sb", folder])).stdout.split("\t")[0]);

export async function storedBytes({ url }) {
  const headers = { authorization: `Bearer ${token}` };
  const { views } = await (await fetch(`${url}/_medley/views/backup?view=Vaults`, { headers })).json();
  return Number.parseFloat(views[0].rows[0][4]) * 1e6;
}

const both = (ours, theirs) =>
  `${ours.cpu.toFixed(1)} s of a processor in ${ours.seconds.toFixed(1)} s; it ${theirs.cpu.toFixed(1)} s in ${theirs.seconds.toFixed(1)} s`;

const toTar = (packed, first) => ({
  value: both(first, packed),
  ratio: packed.seconds / first.seconds,
  target: 0.5,
});
const toFirst = (second, first) => ({
  line: "the same tree again to the first time",
  value: both(second, first),
  ratio: first.seconds / second.seconds,
  target: 5,
});
const toUntar = (restored, unpacked) => ({
  line: "restore to `tar xz`, time",
  value: both(restored, unpacked),
  ratio: unpacked.seconds / restored.seconds,
  target: 0.5,
});
const memoryOf = ({ pid }) => ({
  line: "most memory",
  value: `${megabytesMaxOf(pid).toFixed(0)} MB`,
  measured: megabytesMaxOf(pid),
  atMost: 300,
});

/** A tree there and back, by us and by `tar`; what came back is equal. `measure` looks at the server before it ends. */
export async function thereAndBack(folder, tree, measure) {
  const data = join(folder, "data");
  const server = await startServer("product", { data, backupRoots: folder });
  try {
    await send(server, "PUT", "/backup-vaults/bench", {});
    const arn = await register(server, "tree", tree);
    const archive = join(folder, "tree.tar.gz");
    const packed = await command(`tar c -C ${folder} ${basename(tree)} | gzip -1 > ${archive}`);
    const first = await back(server, arn);
    const second = await back(server, arn);
    mkdirSync(join(folder, "unpacked"));
    const unpacked = await command(`tar xz -C ${join(folder, "unpacked")} -f ${archive}`);
    const restored = await restore(server, first.job.RecoveryPointArn, join(folder, "restored"));
    await execute("diff", ["-r", tree, join(folder, "restored")]);
    return await measure({ server, data, packed, first, second, unpacked, restored });
  } finally {
    server.stop();
    for (const name of ["data", "tree.tar.gz", "unpacked", "restored"])
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
async function treeLines(folder, megabytes) {
  const tree = join(folder, "tree");
  const files = makeTree(tree, megabytes * 1e6);
  return thereAndBack(folder, tree, async ({ server, data, packed, first, second, unpacked, restored }) => {
    const stored = await storedBytes(server);
    const onDisk = await bytesUnder(data);
    return [
      {
        line: `backup of ${megabytes} MB in ${files} files to \`tar | gzip -1\`, time`,
        ...toTar(packed, first),
      },
      {
        line: "the same, processor time",
        value: `${first.cpu.toFixed(1)} s; ${packed.cpu.toFixed(1)} s`,
        ratio: packed.cpu / first.cpu,
      },
      toFirst(second, first),
      toUntar(restored, unpacked),
      memoryOf(server),
      {
        line: "database to what is stored in it",
        value: `${(onDisk / 1e6).toFixed(0)} MB`,
        ratio: onDisk / stored,
      },
    ];
  });
}
async function smallFileLines(folder) {
  const tree = join(folder, "many");
  makeSmallFiles(tree, SMALL_FILES);
  const rows = await thereAndBack(folder, tree, ({ server, packed, first, second, unpacked, restored }) => [
    { line: "backup to `tar | gzip -1`, time", ...toTar(packed, first) },
    toFirst(second, first),
    toUntar(restored, unpacked),
    memoryOf(server),
  ]);
  return rows.map((row) => ({ ...row, line: `${SMALL_FILES} small files: ${row.line}` }));
}

/** The same point over and over, as of other times. */
async function putPoints(data, vault, count) {
  const { kernel } = await openKernel({
    ...defaultConfig,
    dataFolder: data,
    services: ["backup"],
    logLevel: "error",
  });
  const pattern = await kernel.database.read.selectFrom("backup_point").selectAll().executeTakeFirstOrThrow();
  await kernel.database.transact(async (db) => {
    for (let at = 1; at <= count; at += 1)
      await insertPoint(db, { ...pattern, vault, id: `${vault}-${at}`, created_at: pattern.created_at + at });
  });
  await kernel.stop();
}
/** Processor time of one request, in microseconds: loads take turns, and the lowest of each counts. */
async function costs(servers) {
  const found = Object.fromEntries(Object.keys(servers).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, { pid, url, headers, amount }] of Object.entries(servers)) {
      const before = processorSecondsOf(pid);
      const { non2xx } = await autocannon({ url, headers, connections: 64, amount });
      if (non2xx > 0) throw new Error(`${url}: ${non2xx} refusals`);
      found[name] = Math.min(found[name], ((processorSecondsOf(pid) - before) / amount) * 1e6);
    }
  return found;
}
async function vaultLines(folder, raw) {
  const data = join(folder, "points");
  const tree = join(folder, "small");
  makeTree(tree, 10_000);
  const first = await startServer("product", { data, backupRoots: folder });
  for (const name of ["few", "many"]) await send(first, "PUT", `/backup-vaults/${name}`, {});
  await back(first, await register(first, "small", tree), "few");
  first.stop();
  await putPoints(data, "few", POINTS_FEW);
  await putPoints(data, "many", POINTS_MANY);
  const product = await startServer("product", { data, backupRoots: folder });
  try {
    const signed = (path, amount) => {
      const url = `${product.url}/backup${path}`;
      return { pid: product.pid, url, headers: signedHeaders("backup", "GET", url), amount };
    };
    const µs = await costs({
      raw: { pid: raw.pid, url: raw.url, amount: READS },
      vault: signed("/backup-vaults/many", READS),
      few: signed("/backup-vaults/few/recovery-points", LISTS),
      many: signed("/backup-vaults/many/recovery-points", LISTS),
    });
    const { url, headers } = signed("/backup-vaults/many");
    const rates = await inTurns({ raw: [raw.url, {}], vault: [url, { headers }] });
    return [
      {
        line: "signed describe-vault to a raw answer",
        value: `${rates.vault.toFixed(0)}/s; ${rates.raw.toFixed(0)}/s`,
        ratio: rates.vault / rates.raw,
        target: 0.38,
      },
      {
        line: "the same, processor time",
        value: `${µs.vault.toFixed(0)} µs; ${µs.raw.toFixed(0)} µs`,
        ratio: µs.raw / µs.vault,
      },
      {
        line: `page of 1,000 points of ${POINTS_MANY} to one of ${POINTS_FEW}, processor time`,
        value: `${(µs.many / 1000).toFixed(1)} ms; ${(µs.few / 1000).toFixed(1)} ms`,
        ratio: µs.few / µs.many,
        target: 0.7,
      },
    ];
  } finally {
    product.stop();
  }
}

export async function backupLines({ raw }, megabytes) {
  const folder = mkdtempSync(join(tmpdir(), "medley-bench-backup-"));
  try {
    const rows = [
      ...(await treeLines(folder, megabytes)),
      ...(await smallFileLines(folder)),
      ...(await vaultLines(folder, raw)),
    ];
    return rows.map((row) => ({ ...row, line: `backup: ${row.line}` }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
