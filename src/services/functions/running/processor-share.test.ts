/** A process that takes all it can get has no more than its share. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findHierarchy, findRationing, processorShareOf, type Rationing } from "./processor-share.ts";

const CPUS = 0.2;
const TAKEN_MS = 300;
/** Reports the elapsed time for a given amount of processor time. */
const GREEDY = `
const began = performance.now(), before = process.cpuUsage();
const takenMs = () => { const { user, system } = process.cpuUsage(before); return (user + system) / 1000; };
while (takenMs() < ${TAKEN_MS});
console.log(performance.now() - began);`;

async function tookMs(rationing: Rationing): Promise<number> {
  const share = processorShareOf(rationing, { cpus: CPUS, memoryBytes: 512 * 1024 ** 2 });
  const [file = "", ...args] = share.wrap([process.execPath, "-e", GREEDY]);
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  share.watch(child.pid as number);
  let said = "";
  child.stdout.on("data", (part) => {
    said += part;
  });
  await new Promise((resolve) => child.once("close", resolve));
  await share.release();
  return Number(said);
}
const working = [...new Set<Rationing>([findRationing(), "pauses"])].filter((one) => one !== "none");

// A busy machine only makes it longer. The burst after an idle time makes it shorter.
it.each(working)("by %s", async (rationing) => {
  expect(await tookMs(rationing)).toBeGreaterThan(((TAKEN_MS - 150) / CPUS) * 0.9);
});

it("control groups that have no quota for processors are left as they are", () => {
  const root = mkdtempSync(join(tmpdir(), "groups-"));
  writeFileSync(join(root, "cgroup.procs"), "");
  mkdirSync(join(root, "cpu"));
  expect(findHierarchy(root, new Map())).toBeUndefined();
  expect(readdirSync(root).sort()).toEqual(["cgroup.procs", "cpu"]);
});
