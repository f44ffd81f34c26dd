/**
 * `npm run mutate -- src/services/voice [more vitest paths]`: changes the code of a folder in small ways, one at a time, runs the
 * folder's own tests (and those of the further paths), and tells which changes none of them notices.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Stryker } from "@stryker-mutator/core";

const [named, ...furtherTests] = process.argv.slice(2);
const folder = [named, `src/services/${named}`, `src/kernel/${named}`].find(
  (path) => path && existsSync(path),
);
if (folder === undefined) {
  console.error("name a folder of the sources: npm run mutate -- src/kernel/jobs");
  process.exit(2);
}
const testsOf = (path) => (path.endsWith(".ts") ? path : join(path, "**/*.test.ts"));
process.env.MUTATION_TESTS = [folder, ...furtherTests].map(testsOf).join(",");

const results = await new Stryker({
  mutate: [folder.endsWith(".ts") ? folder : join(folder, "**/*.ts"), "!**/*.test.ts"],
  testRunner: "vitest",
  vitest: { configFile: "tools/mutate.vitest.mjs", related: false },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  // Only used to rewrite what tests are compiled with, by an interface that the native compiler has not got.
  tsconfigFile: "absent.json",
  tempDirName: ".mutants",
  reporters: ["clear-text"],
  clearTextReporter: { reportTests: false, logTests: false },
}).runMutationTest();

const unnoticed = results.filter(({ status }) => status === "Survived" || status === "NoCoverage");
console.log(`${results.length} changes, ${unnoticed.length} of them unnoticed`);
