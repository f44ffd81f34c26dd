/**
 * A copy of the project with a service and a resource manager made from the examples. The static checks run there once,
 * for the project and for what was made: both must pass at once. `--structure`: only those of the second part.
 */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks, structureChecks } from "./checks.mjs";

const made = [
  ["throw-away", "-", "/throw-away/v1"],
  ["throw-away-managers", "-", "Vendor.ThrowAway"],
];

const copy = mkdtempSync(join(tmpdir(), "medley-new-service-"));
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
for (const file of listed.split("\n").filter(Boolean))
  cpSync(file, join(copy, file), { recursive: true, mode: 0, force: true });
symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
function run([name, command, ...words]) {
  const beganMs = performance.now();
  const options = { cwd: copy, encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve) => {
    execFile(command, words, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
      console.log(`${error ? "failed" : "passed"}: ${name} (${seconds} s)`);
      if (error) {
        console.error(`${stdout}\n${stderr}`.slice(-8000));
        process.exitCode = 1;
      }
      resolve();
    });
  });
}
/** Two at once: most of them use one core. */
async function runInLanes(waiting) {
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all([lane(), lane()]);
}

for (const one of made) await run([`new-service ${one.join(" ")}`, "node", "tools/new-service.mjs", ...one]);
const [build, ...others] = checks;
if (process.argv.includes("--structure")) {
  await runInLanes([...structureChecks]);
} else {
  await run(build);
  const madeFolders = made.map(([name]) => join("src/services", name));
  await runInLanes([...others, ["tests of what was made", "npx", "vitest", "run", ...madeFolders]]);
}
rmSync(copy, { recursive: true, force: true });
