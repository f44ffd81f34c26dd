/** Folders of running functions are named after the server they belong to, so that the next one can clear up after one that was killed. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, readlink } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { clearGroups } from "./processor-share.ts";
import { removeFolder } from "./removal.ts";

const FOLDER = /^mdly-([0-9a-z]{1,8})-([0-9a-z]{7})-/;
const HOST_LETTERS = 3;
const START_LETTERS = 4;
/** In `/proc/<pid>/stat`, behind the name in brackets. */
const START_FIELD = 19;

const lettersOf = (text: string, count: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, count);

/** Another process may have the same number later, but not the same beginning. Elsewhere than on Linux the number must do. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_FIELD];
  } catch {
    return process.platform !== "linux" && isThere(pid) ? "" : undefined;
  }
}
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
/** Several machines may share a folder. Each knows only its own processes. */
const tagOf = (start: string): string =>
  lettersOf(hostname(), HOST_LETTERS) + lettersOf(start, START_LETTERS);

/** Short: the address of a socket has little room. */
export async function makeRootFolder(): Promise<string> {
  const name = `mdly-${process.pid.toString(36)}-${tagOf(startOf(process.pid) ?? "")}-`;
  const folder = await mkdtemp(join(tmpdir(), name));
  await chmod(folder, 0o711);
  return folder;
}

function isLeftOver(name: string): boolean {
  const [, pid = "", tag = ""] = FOLDER.exec(name) ?? [];
  if (tag.slice(0, HOST_LETTERS) !== lettersOf(hostname(), HOST_LETTERS)) return false;
  const start = startOf(Number.parseInt(pid, 36));
  return start === undefined || tagOf(start) !== tag;
}
/**
 * Cleans up after ended servers of this machine: processes in their folders, the folders, and control
 * groups.
 */
export async function clearLeftovers(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter(isLeftOver)) {
    const folder = join(tmpdir(), name);
    await endProcessesOf(folder);
    await removeFolder(folder);
  }
  clearGroups();
}
/**
 * Ends processes whose working directory or HOME is in the folder. An orphan keeps its HOME even in another session.
 * Processes in their own namespaces have already ended with their first process.
 */
export async function endProcessesOf(folder: string): Promise<void> {
  const pids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
  for (const pid of pids) if (pid !== process.pid && (await isOf(pid, folder))) endProcess(pid);
}
async function isOf(pid: number, folder: string): Promise<boolean> {
  const place = await readlink(`/proc/${pid}/cwd`).catch(() => "");
  if (isWithin(place, folder)) return true;
  const variables = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const home = variables.split("\0").find((variable) => variable.startsWith("HOME="));
  return home !== undefined && isWithin(home.slice("HOME=".length), folder);
}
const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
