/**
 * `npm run mutate -- src/services/voice [more vitest paths]`: changes the code of a folder in small ways, one at a time, runs the
 * folder's own tests (and those of the further paths), and tells which changes none of them notices.
 * `npm run mutate`: a fixed sample of the rules of every service, judged by their quick tests.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { groupedBy, sampledLines, sampleTests, serviceOf } from "./mutation-sample.mjs";

const [named, ...furtherTests] = process.argv.slice(2);

function run(mutate, tests, timeoutMS) {
  process.env.MUTATION_TESTS = tests.join(",");
  return new Stryker({
    mutate,
    // Words in messages are no rules.
    mutator: { excludedMutations: ["StringLiteral", "ObjectLiteral", "ArrayDeclaration"] },
    testRunner: "vitest",
    vitest: { configFile: "tools/mutate.vitest.mjs", related: false },
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS,
    dryRunTimeoutMinutes: 30,
    // Only used to rewrite what tests are compiled with, by an interface that the native compiler has not got.
    tsconfigFile: "absent.json",
    tempDirName: ".mutants",
    // What servers and tests leave while they run.
    ignorePatterns: [".medley", ".test-record"],
    reporters: ["clear-text"],
    clearTextReporter: { reportTests: false, logTests: false, reportScoreTable: false },
  }).runMutationTest();
}
const isUnnoticed = ({ status }) => status === "Survived" || status === "NoCoverage";

async function mutateFolder() {
  const folder = [named, `src/services/${named}`, `src/kernel/${named}`].find((path) => existsSync(path));
  if (folder === undefined) {
    console.error("name a folder of the sources: npm run mutate -- src/kernel/jobs");
    process.exit(2);
  }
  const testsOf = (path) => (path.endsWith(".ts") ? path : join(path, "**/*.test.ts"));
  const sources = [folder.endsWith(".ts") ? folder : join(folder, "**/*.ts"), "!**/*.test.ts"];
  const results = await run(sources, [folder, ...furtherTests].map(testsOf), 60_000);
  console.log(`${results.length} changes, ${results.filter(isUnnoticed).length} of them unnoticed`);
}

async function mutateSample() {
  process.env.MUTATION_RULES = "yes";
  const results = await run(sampledLines(), sampleTests(), 10_000);
  const byService = groupedBy(results, ({ fileName }) => serviceOf(fileName));
  for (const [service, changes] of [...byService].sort(([a], [b]) => a.localeCompare(b))) {
    const countOf = (wanted) => changes.filter(({ status }) => status === wanted).length;
    const [noticed, unnoticed] = [countOf("Killed"), countOf("Survived")];
    // What no quick test reaches is judged by a complete run of the service.
    const others = `${countOf("NoCoverage")} not reached, ${countOf("Timeout")} took too long`;
    console.log(`${service}: ${noticed} of ${noticed + unnoticed} changes noticed; ${others}`);
  }
}

await (named === undefined ? mutateSample() : mutateFolder());
