/** Lock of a data folder, the address of its server for the command line, and private file modes. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Config } from "#kernel/config";

export type RunningServer = {
  readonly pid: number;
  readonly url: string;
  /** Start time of the process, where available. Process IDs alone may be reused. */
  readonly startTicks?: string;
};
export type FolderLock = {
  announce(running: RunningServer): void;
  release(): void;
  /** Used instead of `release` after a failed start. It deletes files that the start created. */
  abandon(): void;
};

export class FolderInUseError extends Error {}
export class NoFolderError extends Error {}
export class NewerDataError extends Error {}

/** Folders in use by instances of this process. The lock file cannot distinguish these instances. */
const ownFolders = new Set<string>();
const lockPathOf = (dataFolder: string): string => join(dataFolder, "server.json");
export const databasePathOf = (dataFolder: string): string => join(dataFolder, "medley.db");
export const credentialsPathOf = (dataFolder: string): string => join(dataFolder, "credentials.json");

const OWNER_ONLY_MODE = 0o600;
const OWNER_ONLY_FOLDER_MODE = 0o700;
/** Mode bits of group and others. */
const OTHERS_MODE = 0o077;
/**
 * Errors for files of another user, or on file systems without modes. They are ignored here; `medley doctor`
 * reports such files.
 */
const UNCHANGEABLE: ReadonlySet<string | undefined> = new Set(["EPERM", "EROFS", "ENOTSUP", "EINVAL"]);

export const othersMayLook = (path: string): boolean => (statSync(path).mode & OTHERS_MODE) !== 0;

/**
 * Creates the folder if necessary. Its files are always private, because the database contains keys. The
 * folder itself may be readable by others.
 */
export function prepareDataFolder({ dataFolder, memory, databaseUrl }: Config): void {
  if (memory) return;
  makeFolder(dataFolder);
  const database = databasePathOf(dataFolder);
  // SQLite creates its other files with the mode of the database file.
  if (databaseUrl === undefined) closeSync(openSync(database, "a", OWNER_ONLY_MODE));
  for (const path of [
    database,
    `${database}-wal`,
    `${database}-shm`,
    `${database}-journal`,
    credentialsPathOf(dataFolder),
    lockPathOf(dataFolder),
  ])
    closeToOthers(path);
}
/** Returns the topmost folder that was created. */
function makeFolder(dataFolder: string): string | undefined {
  try {
    return mkdirSync(dataFolder, { recursive: true, mode: OWNER_ONLY_FOLDER_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw new NoFolderError(
      `the data folder ${dataFolder} cannot be made, because there is a file of that name: give --data a folder`,
    );
  }
}
function closeToOthers(path: string): void {
  try {
    if (othersMayLook(path)) chmodSync(path, OWNER_ONLY_MODE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && !UNCHANGEABLE.has(code)) throw error;
  }
}

/** State and start time of a process on Linux. Undefined elsewhere, or if the process does not exist. */
function findProcess(pid: number): { readonly state: string; readonly startTicks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", startTicks: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** A killed process keeps its ID until it is reaped. Later, another process may get the same ID. */
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

/** The process that uses this folder. Undefined if there is none. */
export const findRunningServer = (dataFolder: string): RunningServer | undefined =>
  readLock(lockPathOf(dataFolder));
function readLock(path: string): RunningServer | undefined {
  try {
    const running: RunningServer = JSON.parse(readFileSync(path, "utf8"));
    return typeof running.pid === "number" && isAlive(running) ? running : undefined;
  } catch {
    return undefined;
  }
}

/** Nodes on a shared database may share a folder. An embedded database has exactly one owner. */
export function lockDataFolder(config: Config): FolderLock {
  if (config.memory) return { announce() {}, release() {}, abandon() {} };
  const made = makeFolder(config.dataFolder);
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
  const before = new Set(readdirSync(folder));
  if (!shared) {
    takeLock(config.dataFolder);
    ownFolders.add(folder);
  }
  const release = () => {
    if (!shared) ownFolders.delete(folder);
    // On a shared database, the lock file may belong to another node.
    if (!shared || findRunningServer(config.dataFolder)?.pid === process.pid) rmSync(path, { force: true });
  };
  return {
    announce: (server) =>
      writeFileSync(path, JSON.stringify({ ...server, startTicks: findProcess(server.pid)?.startTicks }), {
        mode: OWNER_ONLY_MODE,
      }),
    release,
    abandon() {
      // On a shared database, the accounts already exist, and only this folder has their secrets.
      if (!shared && !before.has(basename(databasePathOf(folder)))) removeAllBut(before, folder);
      release();
      if (made !== undefined) removeEmptyFolders(folder, resolve(made));
    },
  };
}

function removeAllBut(kept: ReadonlySet<string>, folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
/** From the innermost to the topmost folder, until one is not empty. */
function removeEmptyFolders(innermost: string, topmost: string): void {
  try {
    for (let path = innermost; path.startsWith(topmost); path = dirname(path)) rmdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT") throw error;
  }
}

/**
 * Creates the lock, or replaces that of a dead process. Of several starts at the same time one succeeds: the file
 * appears complete and only if there is none, and each start moves a lock aside before it checks its owner again.
 */
export function takeLock(dataFolder: string): void {
  const path = lockPathOf(dataFolder);
  const own = `${path}.${process.pid}`;
  const { pid } = process;
  writeFileSync(own, JSON.stringify({ pid, url: "", startTicks: findProcess(pid)?.startTicks }), {
    mode: OWNER_ONLY_MODE,
  });
  const aside = `${own}.aside`;
  try {
    if (moveAside(path, aside) && isOfAnother(aside)) {
      putLock(aside, path);
      throw inUseSinceNow(dataFolder);
    }
    putLock(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw inUseSinceNow(dataFolder);
    throw error;
  } finally {
    rmSync(own, { force: true });
    rmSync(aside, { force: true });
  }
}
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
/** Throws EEXIST if there is a lock. Not all file systems have hard links. */
function putLock(file: string, path: string): void {
  try {
    linkSync(file, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    copyFileSync(file, path, constants.COPYFILE_EXCL);
  }
}
const inUseSinceNow = (dataFolder: string): FolderInUseError =>
  new FolderInUseError(`the data folder ${dataFolder} was taken by another process just now`);
/** False if there is no such file. */
function moveAside(path: string, aside: string): boolean {
  try {
    renameSync(path, aside);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return false;
  }
}
const isOfAnother = (lockPath: string): boolean => {
  const running = readLock(lockPath);
  return running !== undefined && running.pid !== process.pid;
};
