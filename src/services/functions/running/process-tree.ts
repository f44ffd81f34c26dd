/** A process and all its descendants, whatever thread started them. Available only on Linux. */
import { readdirSync, readFileSync } from "node:fs";

const NANOSECONDS = 1e6;

export function processesOf(pid: number): number[] {
  const found = [pid];
  for (const one of found)
    for (const task of listed(`/proc/${one}/task`))
      found.push(...readOf(`/proc/${one}/task/${task}/children`).split(" ").filter(Boolean).map(Number));
  return found;
}
/** Of all threads of these processes that still live. */
export const processorMsOf = (pids: readonly number[]): number =>
  sumOf(pids, (pid) =>
    sumOf(
      listed(`/proc/${pid}/task`),
      (task) => Number(readOf(`/proc/${pid}/task/${task}/schedstat`).split(" ")[0]) / NANOSECONDS,
    ),
  );

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}
/** Empty for processes that have ended in the meantime. */
function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
function readOf(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
