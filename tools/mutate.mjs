/**
 * `npm run mutate -- src/services/voice [more vitest paths]`: changes the code of a folder in small ways, one at a time, runs the
 * folder's own tests (and those of the further paths), and tells which changes none of them notices.
 * `npm run mutate`: a fixed sample of the rules of every service and the kernel, judged by their quick tests. Fails if they
 * notice too few of the changes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { importOf } from "./installed.mjs";
import { groupedBy, sampledLines, sampleTests, serviceOf } from "./mutation-sample.mjs";

const { Stryker } = await importOf("analysis", "@stryker-mutator/core");
const [named, ...furtherTests] = process.argv.slice(2);

/** What servers and tests leave while they run. */
const LEFTOVERS = [".medley", ".test-record"];
/** Tests of rules need none of these. */
const NOT_FOR_RULES = ["bench", "console", "contract", "dist", "docs"];

function run(mutate, tests, { timeoutMS, ignorePatterns }) {
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
    ignorePatterns,
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
  const results = await run(sources, [folder, ...furtherTests].map(testsOf), {
    timeoutMS: 60_000,
    ignorePatterns: LEFTOVERS,
  });
  console.log(`${results.length} changes, ${results.filter(isUnnoticed).length} of them unnoticed`);
}

/** Percent of the changes that a quick test has to notice. */
const SCORE_MIN = 75;
const STRICT_SCORE_MIN = 85;
/** Others rely on these, or they keep money, people, data, or programs of strangers. */
const STRICT = ["kernel", "bank", "identity", "backup", "functions"];

async function mutateSample() {
  process.env.MUTATION_RULES = "yes";
  const results = await run(sampledLines(), sampleTests(), {
    timeoutMS: 10_000,
    ignorePatterns: [...LEFTOVERS, ...NOT_FOR_RULES],
  });
  // A change that no test reaches is unnoticed like any other. Static ones cannot be judged.
  const judged = results.filter(({ status }) => status !== "Ignored");
  const byService = groupedBy(judged, ({ fileName }) => serviceOf(fileName));
  const low = [...byService]
    .sort(([a], [b]) => a.localeCompare(b))
    .filter(([service, changes]) => {
      const noticed = changes.filter((change) => !isUnnoticed(change)).length;
      const score = Math.floor((100 * noticed) / changes.length);
      const scoreMin = STRICT.includes(service) ? STRICT_SCORE_MIN : SCORE_MIN;
      console.log(
        `${service}: ${score} % (${noticed} of ${changes.length} changes noticed; ${scoreMin} % needed)`,
      );
      return score < scoreMin;
    });
  if (low.length === 0) return;
  console.error(`too few changes noticed: ${low.map(([service]) => service).join(", ")}`);
  process.exitCode = 1;
}

await (named === undefined ? mutateSample() : mutateFolder());
