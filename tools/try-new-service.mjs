/** Makes a room and a resource manager from the examples in a copy of the project: both must pass every check at once. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./checks.mjs";

const rooms = [
  ["throw-away", "-", "/throw-away/v1"],
  ["throw-away-managers", "-", "Vendor.ThrowAway"],
];

const copy = mkdtempSync(join(tmpdir(), "medley-new-service-"));
const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
for (const file of listed.split("\n").filter(Boolean))
  cpSync(file, join(copy, file), { recursive: true, mode: 0, force: true });
symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));

const run = (name, command, ...words) => {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: copy, encoding: "utf8" });
  console.log(`${status === 0 ? "passed" : "failed"}: ${name}`);
  if (status === 0) return;
  console.error(`${stdout}\n${stderr}`.slice(-8000));
  process.exitCode = 1;
};
for (const room of rooms) run(`new-service ${room.join(" ")}`, "node", "tools/new-service.mjs", ...room);
for (const check of checks) run(...check);
run("tests", "npx", "vitest", "run", ...rooms.map(([name]) => join("src/services", name)));
rmSync(copy, { recursive: true, force: true });
