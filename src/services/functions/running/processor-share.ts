/** Keeps a function's process to its share of the processors and of memory: by the system's control groups, or else processors by pauses. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf, processorMsOf } from "./process-tree.ts";

/** `quota`: writable control groups. `pauses`: the process is paused when it has used too much. */
export type Rationing = "quota" | "pauses" | "none";

const CONTROL_GROUPS = "/sys/fs/cgroup";
const OWN_GROUPS = "/proc/self/cgroup";
const PERIOD_MICROSECONDS = 100_000;
const LOOK_MS = 50;
/** The burst: processor time available at once after an idle time. */
const BURST_MS = 100;
const PAUSE_MAX_MS = 1000;
const REMOVALS = 20;
const REMOVAL_PAUSE_MS = 50;
/** The first command joins the control groups, so that no part of the process starts outside. */
const JOIN = 'IFS=:; for group in $0; do echo $$ > "$group" || exit 125; done; unset IFS; exec "$@"';

/** A hierarchy that has the processor's controller, and how a quota is written there. */
type Hierarchy = {
  readonly folder: string;
  /** The memory group, if it is a different one. */
  readonly memoryFolder: string;
  writeQuota(group: string, microseconds: number): void;
  writeMemory(group: string, bytes: number): void;
  /** Counts how often a process in the group was ended by the out-of-memory killer. */
  readonly endingsFile: string;
};
export type Share = { readonly cpus: number; readonly memoryBytes: number };

/** Below our own group, whose limits go on to hold. The newer kind has one hierarchy, the older one for each controller. */
export function findHierarchy(root = CONTROL_GROUPS, own = ownGroups()): Hierarchy | undefined {
  const newer = join(root, own.get("") ?? "");
  const older = join(root, "cpu", own.get("cpu") ?? "");
  const olderMemory = join(root, "memory", own.get("memory") ?? "");
  const candidates: readonly Hierarchy[] = [
    {
      folder: newer,
      memoryFolder: newer,
      writeQuota: (group, quota) => write(join(group, "cpu.max"), `${quota} ${PERIOD_MICROSECONDS}`),
      writeMemory(group, bytes) {
        write(join(group, "memory.max"), String(bytes));
        write(join(group, "memory.oom.group"), "1");
      },
      endingsFile: "memory.events",
    },
    {
      folder: older,
      memoryFolder: olderMemory,
      writeMemory: (group, bytes) => write(join(group, "memory.limit_in_bytes"), String(bytes)),
      endingsFile: "memory.oom_control",
      writeQuota(group, quota) {
        write(join(group, "cpu.cfs_period_us"), String(PERIOD_MICROSECONDS));
        write(join(group, "cpu.cfs_quota_us"), String(quota));
      },
    },
  ];
  return candidates.find((candidate) => isUsable(candidate));
}
/** By controller; the newer kind's has no name. */
function ownGroups(): ReadonlyMap<string, string> {
  const lines = existsSync(OWN_GROUPS) ? readFileSync(OWN_GROUPS, "utf8").trim().split("\n") : [];
  return new Map(
    lines.flatMap((line) => {
      const [, controllers = "", group = ""] = line.split(":");
      return controllers.split(",").map((controller) => [controller, group] as const);
    }),
  );
}
/** Never creates a file: a missing file means that the controller is not available. */
const write = (file: string, text: string): void => writeFileSync(file, text, { flag: "r+" });

function isUsable({ folder, writeQuota }: Hierarchy): boolean {
  if (!existsSync(join(folder, "cgroup.procs"))) return false;
  const group = join(folder, nameOfGroup());
  try {
    mkdirSync(group);
    try {
      writeQuota(group, PERIOD_MICROSECONDS);
      return true;
    } finally {
      rmdirSync(group);
    }
  } catch {
    return false;
  }
}
const GROUP = /^medley-(\d{1,10})-/;
const nameOfGroup = (): string => `medley-${process.pid}-${randomBytes(4).toString("hex")}`;

export function findRationing(): Rationing {
  if (findHierarchy()) return "quota";
  return existsSync("/proc/self/schedstat") ? "pauses" : "none";
}

/** Removes the groups of ended servers and the processes in them. */
export function clearGroups(): void {
  const hierarchy = findHierarchy();
  for (const folder of new Set(hierarchy ? [hierarchy.folder, hierarchy.memoryFolder] : []))
    for (const name of listed(folder)) {
      const [, pid] = GROUP.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) isRemoved(join(folder, name));
    }
}
const listed = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
function processesIn(group: string): number[] {
  try {
    return readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export type ProcessorShare = {
  /** The command that begins inside the share. */
  wrap(command: readonly string[]): readonly string[];
  /** Once it runs. */
  watch(pid: number): void;
  /** Whether the system has ended a process of it because of memory. */
  wasShortOfMemory(): boolean;
  /** Once it has ended. Whatever of it still lives is ended. */
  release(): Promise<void>;
};

export function processorShareOf(rationing: Rationing, share: Share): ProcessorShare {
  const hierarchy = rationing === "quota" ? findHierarchy() : undefined;
  if (hierarchy) return new Groups(hierarchy, share);
  return rationing === "none" ? unlimited : new Pauses(share.cpus);
}
const unlimited: ProcessorShare = {
  wrap: (command) => command,
  watch() {},
  wasShortOfMemory: () => false,
  async release() {},
};
class Groups implements ProcessorShare {
  readonly #groups: readonly string[];
  readonly #endings: string;

  constructor(hierarchy: Hierarchy, { cpus, memoryBytes }: Share) {
    const { folder, memoryFolder, writeQuota, endingsFile } = hierarchy;
    const name = nameOfGroup();
    const group = join(folder, name);
    mkdirSync(group);
    writeQuota(group, Math.round(cpus * PERIOD_MICROSECONDS));
    const memoryGroup = join(memoryFolder, name);
    const isHeld = limitMemory(hierarchy, memoryGroup, memoryBytes);
    this.#groups = isHeld && memoryGroup !== group ? [group, memoryGroup] : [group];
    this.#endings = join(memoryGroup, endingsFile);
  }
  wrap(command: readonly string[]): readonly string[] {
    const joined = this.#groups.map((group) => join(group, "cgroup.procs")).join(":");
    return ["/bin/sh", "-c", JOIN, joined, ...command];
  }
  watch(): void {}
  wasShortOfMemory(): boolean {
    try {
      return /^oom_kill [1-9]/m.test(readFileSync(this.#endings, "utf8"));
    } catch {
      return false;
    }
  }
  async release(): Promise<void> {
    // They can go when the last of its processes is gone, which may be a moment after the first.
    for (let round = 0; round < REMOVALS; round += 1) {
      if (this.#groups.every((group) => isRemoved(group))) return;
      await sleep(REMOVAL_PAUSE_MS);
    }
  }
}
/** Where memory has no controller that can be written to, it is only watched. */
function limitMemory({ writeMemory }: Hierarchy, group: string, bytes: number): boolean {
  try {
    mkdirSync(group, { recursive: true });
    writeMemory(group, bytes);
    return true;
  } catch {
    return false;
  }
}
function isRemoved(group: string): boolean {
  for (const pid of processesIn(group)) signal(pid, "SIGKILL");
  try {
    rmdirSync(group);
  } catch {
    return !existsSync(group);
  }
  return true;
}

/**
 * Measures the used processor time, and pauses a process that used too much until its share has caught up.
 */
class Pauses implements ProcessorShare {
  readonly #cpus: number;
  #timer: NodeJS.Timeout | undefined;
  #allowedMs = BURST_MS;
  #takenMs = 0;
  #lookedAtMs = performance.now();
  #isPaused = false;

  constructor(cpus: number) {
    this.#cpus = cpus;
  }
  wrap(command: readonly string[]): readonly string[] {
    return command;
  }
  watch(pid: number): void {
    this.#timer = setInterval(() => this.#look(pid), LOOK_MS).unref();
  }
  wasShortOfMemory(): boolean {
    return false;
  }
  async release(): Promise<void> {
    clearInterval(this.#timer);
  }
  #look(pid: number): void {
    const nowMs = performance.now();
    const pids = processesOf(pid);
    // The time of ended processes is no longer visible, so the sum must not decrease.
    const takenMs = Math.max(this.#takenMs, processorMsOf(pids));
    const gainedMs = (nowMs - this.#lookedAtMs) * this.#cpus;
    this.#allowedMs = Math.min(BURST_MS, this.#allowedMs + gainedMs) - (takenMs - this.#takenMs);
    this.#allowedMs = Math.max(this.#allowedMs, -PAUSE_MAX_MS * this.#cpus);
    this.#takenMs = takenMs;
    this.#lookedAtMs = nowMs;
    const isPaused = this.#allowedMs < 0;
    if (!isPaused && !this.#isPaused) return;
    this.#isPaused = isPaused;
    for (const one of pids) signal(one, isPaused ? "SIGSTOP" : "SIGCONT");
  }
}
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
