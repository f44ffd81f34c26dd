/** One process per data folder, and a note of where it listens, so that the command line finds it. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "#kernel/config";

export type RunningServer = {
  readonly pid: number;
  readonly url: string;
  /** When the process began, where the system tells: its number alone may be somebody else's by now. */
  readonly startTicks?: string;
};
export type FolderLock = { announce(running: RunningServer): void; release(): void };

export class FolderInUseError extends Error {}

/** Folders that instances of this process use: the note in the folder cannot tell them apart. */
const ownFolders = new Set<string>();
const lockPathOf = (dataFolder: string): string => join(dataFolder, "server.json");

/** State and start time as Linux tells them; undefined elsewhere, or when there is no such process. */
function findProcess(pid: number): { readonly state: string; readonly startTicks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTicks: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** A killed process keeps its number until it is reaped, and another may get that number afterwards. */
function isAlive({ pid, startTicks }: RunningServer): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const found = findProcess(pid);
  if (!found) return true;
  return found.state !== "Z" && (startTicks ?? found.startTicks) === found.startTicks;
}

/** The process that uses this folder now, if there is one. */
export function findRunningServer(dataFolder: string): RunningServer | undefined {
  try {
    const running: RunningServer = JSON.parse(readFileSync(lockPathOf(dataFolder), "utf8"));
    return typeof running.pid === "number" && isAlive(running) ? running : undefined;
  } catch {
    return undefined;
  }
}

/** Nodes on a shared database may use one folder; an embedded database has exactly one owner. */
export function lockDataFolder(config: Config): FolderLock {
  if (config.memory) return { announce() {}, release() {} };
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 });
  const path = lockPathOf(config.dataFolder);
  const shared = config.databaseUrl !== undefined;
  const running = findRunningServer(config.dataFolder);
  const folder = resolve(config.dataFolder);
  if (!shared && ownFolders.has(folder))
    throw new FolderInUseError(`the data folder ${config.dataFolder} is in use by this very process`);
  if (running && !shared && running.pid !== process.pid) {
    throw new FolderInUseError(
      `the data folder ${config.dataFolder} is in use by process ${running.pid} (${running.url || "starting"})`,
    );
  }
  if (!shared) {
    takeLock(path, config.dataFolder);
    ownFolders.add(folder);
  }
  return {
    announce: (server) =>
      writeFileSync(path, JSON.stringify({ ...server, startTicks: findProcess(server.pid)?.startTicks })),
    release() {
      if (!shared) ownFolders.delete(folder);
      // On a shared database the note may be of another node by now.
      if (!shared || findRunningServer(config.dataFolder)?.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

/** A lock left behind by a dead process is replaced; of two starting at once, one wins. */
function takeLock(path: string, dataFolder: string): void {
  rmSync(path, { force: true });
  try {
    const file = openSync(path, "wx");
    writeFileSync(
      file,
      JSON.stringify({ pid: process.pid, url: "", startTicks: findProcess(process.pid)?.startTicks }),
    );
    closeSync(file);
  } catch {
    throw new FolderInUseError(`the data folder ${dataFolder} was taken by another process just now`);
  }
}
