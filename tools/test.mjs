/**
 * `npm test`: every check, and the first part of the tests. `npm run test:full`: the second part (CONTRIBUTING, "Two test
 * commands"). `npm test -- voice`: all tests of one service, kernel folder or path. The first failure ends the run.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isInFirstPart, isInSecondPart } from "./test-parts.mjs";

const wanted = process.argv.slice(2);
const isFull = wanted.includes("--full");
const flags = wanted.filter((word) => word.startsWith("-") && word !== "--full");
const paths = wanted.filter((word) => !word.startsWith("-"));

const build = ["build", "npm", "run", "-s", "build"];
const steps = () => {
  if (paths.length > 0) return [build, ["tests", () => runTests(filesOf(paths))]];
  const part = isFull ? "second" : "first";
  const files = testFiles().filter((file) => (isFull ? isInSecondPart : isInFirstPart)(resolve(file)));
  return [
    ["browser", ensureBrowser],
    build,
    ...(isFull ? [] : [["checks, beside the tests", beginChecks]]),
    [`${part} part of the tests`, () => runTests(files, part)],
    ...(isFull
      ? [
          ["structure, and new services", "node", "tools/try-new-service.mjs"],
          ["changes of rules that tests notice", "node", "tools/mutate.mjs"],
        ]
      : []),
    isFull
      ? ["what a start costs", "node", "tools/start-cost.mjs"]
      : ["promised statuses seen", "node", "tools/contract-coverage.mjs"],
    ...(isFull ? [] : [["what the checks said", () => checks.ended]]),
  ];
};

function testFiles() {
  const listed = ["src", "tests"].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  );
  return listed.filter((name) => name.endsWith(".test.ts"));
}

/** Debian's package. Returns false where it cannot be installed. */
function install(name, reason) {
  if (!existsSync("/usr/bin/apt-get")) return false;
  console.log(`no ${name} here: installing Debian's package ${reason}`);
  const apt = (...words) =>
    spawnSync("apt-get", words, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status;
  apt("update", "-qq");
  return apt("install", "-y", "-qq", name) === 0;
}

function ensureBrowser() {
  const known = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"];
  if (process.env.CHROMIUM_PATH || known.some((path) => existsSync(path))) return 0;
  if (install("chromium", "for the browser tests")) return 0;
  console.error("browser tests need Chromium: install it, or name it in CHROMIUM_PATH");
  return 1;
}

/** Deployed functions have three levels of isolation. The strongest also needs user namespaces, which no package brings. */
function ensureBubblewrap() {
  const tried = () =>
    spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"], { encoding: "utf8" });
  if (tried().error?.code === "ENOENT") install("bubblewrap", "for the tests of deployed functions");
  const { status, stderr } = tried();
  if (status === 0) return;
  const reason = stderr?.trim() || "it is not installed";
  console.warn(`bubblewrap does not work here (${reason}): no function is tested at that level of isolation`);
}

/** A service's own folder and what tests it elsewhere; anything that is neither service nor kernel folder is a path. */
function filesOf(words) {
  return words.flatMap((name) => {
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

/** The checks that run beside the tests: their end, and what has to stop when they fail. */
const checks = { ended: Promise.resolve(0), stopTests: () => {} };
/** They use what the tests leave of the processors. If one fails, the tests end as well. */
function beginChecks() {
  const output = [];
  const options = { stdio: ["ignore", "pipe", "pipe"], detached: true };
  const child = spawn("node", ["tools/checks.mjs"], options);
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  // With everything that they have started.
  const stop = () => child.exitCode === null && process.kill(-child.pid);
  process.on("exit", stop);
  process.on("SIGINT", () => process.exit(130));
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => output.push(part));
  checks.ended = new Promise((resolve) => {
    child.on("close", (status) => {
      process.stdout.write(Buffer.concat(output));
      if (status !== 0) checks.stopTests();
      resolve(status ?? 1);
    });
  });
  return 0;
}

/** An exit code of 0 is not enough: something loaded by a test may end the process with it. The report must say so too. */
async function runTests(files, part) {
  if (files.some((path) => path.startsWith("tests/browser")) && ensureBrowser() !== 0) return 1;
  ensureBubblewrap();
  const report = join(tmpdir(), `medley-tests-${process.pid}.json`);
  const words = ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // The step before has built what the tests load.
  const env = { ...process.env, MEDLEY_TEST_BUILT: "yes", ...(part && { MEDLEY_TEST_PART: part }) };
  const child = spawn("npx", [...words, ...flags, ...files], { stdio: "inherit", env });
  checks.stopTests = () => child.kill("SIGINT");
  const status = await new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
  checks.stopTests = () => {};
  if (status !== 0) return status;
  const { success, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
  return success ? 0 : 1;
}

rmSync(".test-record", { recursive: true, force: true });
const began = Date.now();
for (const [name, command, ...words] of steps()) {
  const start = Date.now();
  console.log(`\n== ${name}`);
  const status =
    typeof command === "function" ? await command() : spawnSync(command, words, { stdio: "inherit" }).status;
  if (status !== 0) {
    console.error(`\n${name} failed after ${((Date.now() - start) / 1000).toFixed(1)} s`);
    process.exit(1);
  }
  console.log(`   ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
console.log(`\neverything passed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
