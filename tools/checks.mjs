/** Static checks. `node tools/checks.mjs` runs those of the first part of the tests. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** One checker: several would each resolve the same types, which takes a third more processor time. */
const types = ["types", "npx", "tsc", "--noEmit", "--checkers", "1"];
/** What is checked without running the product. `npm test` runs these beside the tests. */
export const checks = [
  types,
  ["types of the console", "npx", "tsc", "-p", "console"],
  ["Python sources", "node", "tools/python.mjs"],
  ["OpenAPI and promised operations", "node", "tools/contract.mjs"],
];
/** The second part of the tests runs these in a copy of the project that has new services. */
export const structureChecks = [
  types,
  ["OpenAPI and promised operations", "node", "tools/contract.mjs"],
  ["expressions that take long", "node", "tools/expressions.mjs"],
  ["format and lint", "npx", "biome", "ci", "--error-on-warnings", "."],
  ["prose of the documents", "node", "tools/prose.mjs"],
  ["import rules", "node", "tools/import-rules.mjs"],
  ["dead exports and unused dependencies", "node", "tools/dead-code.mjs"],
];

/** Two at once: most of them use one core. Prints the output of those that fail. */
export async function runChecks(list, cwd = process.cwd()) {
  const waiting = [...list];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await runCheck(next, cwd);
  };
  await Promise.all([lane(), lane()]);
}
export function runCheck([name, command, ...words], cwd) {
  const beganMs = performance.now();
  const options = { cwd, encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX };
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await runChecks(checks);
