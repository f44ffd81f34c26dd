/** The part of `medley doctor` that reports how functions are isolated. */
import type { Config, Finding } from "#kernel/config";
import { settingsOf } from "../settings.ts";
import { findRationing, type Rationing } from "./processor-share.ts";
import { findLevel, type Level, userIdOf } from "./sandbox.ts";

const WORDS: Readonly<Record<Level, string>> = {
  bubblewrap: "bubblewrap: a file system, processes and a network of their own",
  namespaces:
    "namespaces: processes and memory of their own, no network; Python code can read files that every user can read",
  permissions:
    "permissions: Node's permission model alone; the network stays open, and Python code is hardly restricted: it can write to shared folders and shared memory without a limit",
};
const RATIONING_WORDS: Readonly<Record<Rationing, string>> = {
  quota: "processors are rationed by the system's control groups (availableCpu)",
  pauses: "processors are rationed by pauses (availableCpu): control groups cannot be written to here",
  none: "processors are not rationed (availableCpu)",
};
const WHAT = "isolation of functions";

export async function isolationOf(config: Config): Promise<Finding> {
  const { isolation, hasNetwork } = settingsOf(config);
  try {
    const level = await findLevel(userIdOf(0), isolation);
    const network = hasNetwork ? "; the network is open, as --functions-network says" : "";
    const note = `${WORDS[level]}${network}; ${RATIONING_WORDS[findRationing()]}`;
    if (level === "bubblewrap") return { what: WHAT, note };
    return { what: WHAT, warning: note, mend: "Install bubblewrap (bwrap), and allow user namespaces." };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { what: WHAT, problem, mend: "Leave --functions-isolation out, or choose another." };
  }
}
