/** Checks the import rules, and that the checker really read the sources: some versions pass on nothing. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

const sources = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".ts")).length;
const words = ["depcruise", "--config", "tools/import-rules.cjs", "--output-type", "json", "src"];
let output;
try {
  output = execFileSync("npx", words, { maxBuffer: 1 << 29, encoding: "utf8" });
} catch (error) {
  output = error.stdout;
}
const { modules, summary } = JSON.parse(output);
const read = modules.filter(({ source }) => source.startsWith("src/")).length;
const ports = modules
  .flatMap(({ dependencies }) => dependencies)
  .filter(
    ({ module, resolved }) => module.startsWith("#kernel/") && resolved.startsWith("src/kernel/"),
  ).length;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
if (read < sources) console.error(`only ${read} of ${sources} source files were read`);
if (ports === 0) console.error("no #kernel import was resolved, so no rule was really checked");
console.log(`${read} files, ${summary.violations.length} violations`);
process.exit(summary.violations.length > 0 || read < sources || ports === 0 ? 1 : 0);
