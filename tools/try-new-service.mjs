/**
 * A copy of the project with a service and a resource manager made from the examples. The static checks run there once,
 * for the project and for what was made: both must pass at once.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./checks.mjs";

const made = [
  ["throw-away", "-", "/throw-away/v1"],
  ["throw-away-managers", "-", "Vendor.ThrowAway"],
];

const copy = mkdtempSync(join(tmpdir(), "medley-new-service-"));
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
for (const file of listed.split("\n").filter(Boolean))
  cpSync(file, join(copy, file), { recursive: true, mode: 0, force: true });
symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));

const run = (name, command, ...words) => {
  const beganMs = performance.now();
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: copy, encoding: "utf8" });
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  console.log(`${status === 0 ? "passed" : "failed"}: ${name} (${seconds} s)`);
  if (status === 0) return;
  console.error(`${stdout}\n${stderr}`.slice(-8000));
  process.exitCode = 1;
};
for (const one of made) run(`new-service ${one.join(" ")}`, "node", "tools/new-service.mjs", ...one);
for (const check of checks) run(...check);
run("tests of what was made", "npx", "vitest", "run", ...made.map(([name]) => join("src/services", name)));
rmSync(copy, { recursive: true, force: true });
