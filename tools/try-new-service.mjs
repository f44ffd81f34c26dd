/**
 * A copy of the project with a service and a resource manager made from the examples. The checks of the second part run
 * there, for the project and for what was made: both must pass at once.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runCheck, runChecks, structureChecks } from "./checks.mjs";
import { installed } from "./installed.mjs";

const made = [
  ["throw-away", "-", "/throw-away/v1"],
  ["throw-away-managers", "-", "Vendor.ThrowAway"],
];

const copy = mkdtempSync(join(tmpdir(), "medley-new-service-"));
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
for (const file of listed.split("\n").filter(Boolean))
  cpSync(file, join(copy, file), { recursive: true, mode: 0, force: true });
for (const packages of ["node_modules", relative(".", installed("analysis"))])
  symlinkSync(join(process.cwd(), packages), join(copy, packages));

for (const one of made)
  await runCheck([`new-service ${one.join(" ")}`, "node", "tools/new-service.mjs", ...one], copy);
await runCheck(["build", "npm", "run", "-s", "build"], copy);
const madeFolders = made.map(([name]) => join("src/services", name));
await runChecks(
  [...structureChecks, ["tests of what was made", "npx", "vitest", "run", ...madeFolders]],
  copy,
);
rmSync(copy, { recursive: true, force: true });
