/** The part of `medley doctor` that reports how functions are isolated. */
import type { Config, Finding } from "#kernel/config";
import { settingsOf } from "../settings.ts";
import { findRationing, type Rationing } from "./processor-share.ts";
import { findLevel, type Level, userIdOf } from "./sandbox.ts";

const WORDS: Readonly<Record<Level, string>> = {
  bubblewrap: "bubblewrap: own file system, processes and network",
  namespaces:
    "namespaces: own processes and memory, no network; Python code can read files that every user can read",
  permissions:
    "permissions: Node's permission model alone; the network is open; Python code is hardly restricted and can write to shared folders and shared memory without a limit",
};
const RATIONING_WORDS: Readonly<Record<Rationing, string>> = {
  quota: "CPU time (availableCpu) and memory are limited by control groups",
  pauses:
    "control groups are not writable: CPU time is limited by pauses (availableCpu), and memory that no process shows is not limited",
  none: "CPU time is not limited (availableCpu), and memory that no process shows is not limited",
};
const WHAT = "isolation of functions";

export async function isolationOf(config: Config): Promise<Finding> {
  const { isolation, hasNetwork } = settingsOf(config);
  try {
    const level = await findLevel(userIdOf(0), isolation);
    const network = hasNetwork ? "; the network is open, as --functions-network says" : "";
    const note = `${WORDS[level]}${network}; ${RATIONING_WORDS[findRationing()]}`;
    if (level === "bubblewrap") return { what: WHAT, note };
    return { what: WHAT, warning: note, fix: "Install bubblewrap (bwrap), and allow user namespaces." };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { what: WHAT, problem, fix: "Leave --functions-isolation out, or choose another." };
  }
}
