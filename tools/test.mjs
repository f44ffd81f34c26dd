/**
 * `npm test`: every check and every test, in order; the first that fails ends it. `npm run check` is the same.
 * `npm test -- voice`: builds, and runs the tests of one room (or of a kernel folder, or of any path) alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "./checks.mjs";

const wanted = process.argv.slice(2);
const isPath = (word) => !word.startsWith("-");

const partial = [
  ["browser", () => (filesOf(wanted).some((path) => path.startsWith("tests/browser")) ? ensureBrowser() : 0)],
  ["build", "npm", "run", "-s", "build"],
  ["tests", runTests],
];
const whole = [
  ["browser", ensureBrowser],
  ...checks,
  ["a room made from each example", "node", "tools/try-new-service.mjs"],
  ["tests", runTests],
  ["promised statuses seen", "node", "tools/contract-coverage.mjs"],
];

/** Browser tests need a Chromium; where there is none and Debian's package manager is at hand, it is installed. */
function ensureBrowser() {
  const known = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
  if (process.env.CHROMIUM_PATH || known.some((path) => existsSync(path))) return 0;
  if (!existsSync("/usr/bin/apt-get")) {
    console.error("browser tests need Chromium: install it, or name it in CHROMIUM_PATH");
    return 1;
  }
  console.log("no Chromium here: installing Debian's package for the browser tests");
  const apt = (...words) =>
    spawnSync("apt-get", words, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status;
  apt("update", "-qq");
  return apt("install", "-y", "-qq", "chromium") ?? 1;
}

/** A room's own folder and what tests it elsewhere; anything that is neither room nor kernel folder is taken as it is. */
function filesOf(words) {
  return words.filter(isPath).flatMap((name) => {
    const folders = [`src/services/${name}`, `src/kernel/${name}`].filter((path) => existsSync(path));
    if (folders.length === 0) return [name];
    const elsewhere = ["clients", "browser", "faults", "kernel"].flatMap((kind) =>
      readdirSync(`tests/${kind}`)
        .filter((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`))
        .map((file) => `tests/${kind}/${file}`),
    );
    return [...folders.map((folder) => `${folder}/`), ...elsewhere];
  });
}

/** An exit code of 0 is not enough: something loaded by a test may end the process with it. The report must say so too. */
function runTests() {
  const report = join(tmpdir(), `medley-tests-${process.pid}.json`);
  const words = ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const flags = wanted.filter((word) => !isPath(word));
  const { status } = spawnSync("npx", [...words, ...flags, ...filesOf(wanted)], { stdio: "inherit" });
  if (status !== 0) return status;
  const { success, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
  return success ? 0 : 1;
}

rmSync(".test-record", { recursive: true, force: true });
const began = Date.now();
for (const [name, command, ...words] of wanted.some(isPath) ? partial : whole) {
  const start = Date.now();
  console.log(`\n== ${name}`);
  const status =
    typeof command === "function" ? command() : spawnSync(command, words, { stdio: "inherit" }).status;
  if (status !== 0) {
    console.error(`\n${name} failed after ${((Date.now() - start) / 1000).toFixed(1)} s`);
    process.exit(1);
  }
  console.log(`   ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
console.log(`\neverything passed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
