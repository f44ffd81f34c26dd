/** Keeps a function's process to its share of the processors: by a quota of the system's, or else by pauses. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf, processorMsOf } from "./process-tree.ts";

/** `quota`: control groups that can be written to. `pauses`: it is stopped for a while where it took more. */
export type Rationing = "quota" | "pauses" | "none";

const CONTROL_GROUPS = "/sys/fs/cgroup";
const OWN_GROUPS = "/proc/self/cgroup";
const PERIOD_MICROSECONDS = 100_000;
const LOOK_MS = 50;
/** So much it may take at once after it rested. */
const BURST_MS = 100;
const PAUSE_MAX_MS = 1000;
const REMOVALS = 20;
const REMOVAL_PAUSE_MS = 50;
/** Its first words put it into the group, so that nothing of it begins outside. */
const JOIN = 'echo $$ > "$0" && exec "$@"';

/** A hierarchy that has the processor's controller, and how a quota is written there. */
type Hierarchy = { readonly folder: string; writeQuota(group: string, microseconds: number): void };

/** Below our own group, whose limits go on to hold. The newer kind has one hierarchy, the older one for each controller. */
export function findHierarchy(root = CONTROL_GROUPS, own = ownGroups()): Hierarchy | undefined {
  const newer = join(root, own.get("") ?? "");
  const older = join(root, "cpu", own.get("cpu") ?? "");
  const candidates: readonly Hierarchy[] = [
    {
      folder: newer,
      writeQuota: (group, quota) => write(join(group, "cpu.max"), `${quota} ${PERIOD_MICROSECONDS}`),
    },
    {
      folder: older,
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
/** Never makes a file: where there is none, there is no such controller. */
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

/** Groups of servers that are gone. One that still holds a process stays. */
export function clearGroups(): void {
  const { folder } = findHierarchy() ?? {};
  for (const name of folder === undefined ? [] : readdirSync(folder)) {
    const [, pid] = GROUP.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmdirSync(join(folder as string, name));
    } catch {
      // Another was quicker, or something in it still lives.
    }
  }
}

export type ProcessorShare = {
  /** The command that begins inside the share. */
  wrap(command: readonly string[]): readonly string[];
  /** Once it runs. */
  watch(pid: number): void;
  /** Once it has ended. */
  release(): Promise<void>;
};

export function processorShareOf(rationing: Rationing, cpus: number): ProcessorShare {
  const hierarchy = rationing === "quota" ? findHierarchy() : undefined;
  if (hierarchy) return quotaOf(hierarchy, cpus);
  return rationing === "none" ? unlimited : new Pauses(cpus);
}
const unlimited: ProcessorShare = {
  wrap: (command) => command,
  watch() {},
  async release() {},
};
function quotaOf({ folder, writeQuota }: Hierarchy, cpus: number): ProcessorShare {
  const group = join(folder, nameOfGroup());
  mkdirSync(group);
  writeQuota(group, Math.round(cpus * PERIOD_MICROSECONDS));
  return {
    wrap: (command) => ["/bin/sh", "-c", JOIN, join(group, "cgroup.procs"), ...command],
    watch() {},
    async release() {
      // It can go when the last of its processes is gone, which may be a moment after the first.
      for (let round = 0; round < REMOVALS; round += 1) {
        try {
          return rmdirSync(group);
        } catch {
          await sleep(REMOVAL_PAUSE_MS);
        }
      }
    },
  };
}

/** Looks at what was taken, and stops whoever took too much until its share has caught up. */
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
  async release(): Promise<void> {
    clearInterval(this.#timer);
  }
  #look(pid: number): void {
    const nowMs = performance.now();
    const pids = processesOf(pid);
    // Processes that have ended take what they took with them.
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
