/** The memory of a function: private pages of its processes, and files in memory. Available only on Linux. */
import { readdirSync, readFileSync, readlinkSync, type Stats, statfsSync, statSync } from "node:fs";
import { SHARED_MEMORY, SHARED_PLACES } from "./namespaces.ts";
import { processesOf } from "./process-tree.ts";

const TMPFS = 0x01021994;
const BLOCK_BYTES = 512;
const KILOBYTES = /^Rss(Anon|File|Shmem):\s+(\d+) kB$/gm;
const DELETED = " (deleted)";

export type Held = {
  readonly memoryBytes: number;
  /** Of files on a disk that no folder shows any more. */
  readonly deletedBytes: number;
};

/**
 * `pid`: its first process. Wrappers precede the wrapped process, so the last process sees the function's
 * mounts.
 */
export function heldBy(pid: number, looksAtFiles: boolean): Held {
  const pids = processesOf(pid);
  const root = `/proc/${pids.at(-1) ?? pid}/root`;
  const places = [...SHARED_PLACES, SHARED_MEMORY].filter((place) => isItsOwn(place, root));
  const seen = new Set<number>();
  let fileBytes = 0;
  for (const place of places) fileBytes += usedOf(root + place, seen);
  let deletedBytes = 0;
  for (const { isMemory, bytes } of looksAtFiles ? hiddenFilesOf(pids, seen) : [])
    if (isMemory) fileBytes += bytes;
    else deletedBytes += bytes;
  const pages = pids.map(pagesOf);
  const ownBytes = pages.reduce((sum, { own }) => sum + own, 0);
  // Memory that processes share is mostly one of these files, so it is counted once.
  return { memoryBytes: ownBytes + Math.max(fileBytes, ...pages.map(({ shared }) => shared)), deletedBytes };
}
/** Anonymous memory: without files. */
export const anonymousBytesOf = (pid: number): number =>
  processesOf(pid).reduce((sum, one) => sum + pagesOf(one).anonymous, 0);
function pagesOf(pid: number): { own: number; anonymous: number; shared: number } {
  const bytes = { own: 0, anonymous: 0, shared: 0 };
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8"), "");
  for (const [, kind, kilobytes] of status.matchAll(KILOBYTES)) {
    bytes[kind === "Shmem" ? "shared" : "own"] += Number(kilobytes) * 1024;
    if (kind === "Anon") bytes.anonymous = Number(kilobytes) * 1024;
  }
  return bytes;
}
/** Excludes mounts that belong to the whole machine. */
function isItsOwn(place: string, root: string): boolean {
  const [host, own] = [statOf(place), statOf(root + place)];
  return own !== undefined && host?.dev !== own.dev;
}
/** Counts a file in memory once, even if it has several names. */
function usedOf(path: string, seen: Set<number>): number {
  const { dev } = statOf(path) ?? {};
  if (dev === undefined || seen.has(dev)) return 0;
  const used = attempt(() => statfsSync(path), undefined);
  if (used?.type !== TMPFS) return 0;
  seen.add(dev);
  return (used.blocks - used.bfree) * used.bsize;
}
/** Open files without a name. Files on mounts in `counted` are already counted. */
function hiddenFilesOf(pids: readonly number[], counted: ReadonlySet<number>) {
  const found = new Map<string, { isMemory: boolean; bytes: number }>();
  for (const pid of pids)
    for (const name of attempt(() => readdirSync(`/proc/${pid}/fd`), [])) {
      const file = `/proc/${pid}/fd/${name}`;
      const target = attempt(() => readlinkSync(file), "");
      if (!target.endsWith(DELETED)) continue;
      const { dev, ino, blocks } = statOf(file) ?? {};
      if (dev === undefined || blocks === undefined || counted.has(dev)) continue;
      found.set(`${dev} ${ino}`, { isMemory: target.startsWith("/memfd:"), bytes: blocks * BLOCK_BYTES });
    }
  return found.values();
}
/** Whether the folder is on a file system in memory. */
export const isMemory = (folder: string): boolean =>
  attempt(() => statfsSync(folder).type, undefined) === TMPFS;
const statOf = (path: string): Stats | undefined => attempt(() => statSync(path), undefined);
/** For processes that have ended in the meantime. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
