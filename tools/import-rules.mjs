/**
 * Checks what ARCHITECTURE says of who may import whom, where queries are built and how tables are called; and that the
 * checker of imports really read the sources: some versions pass on nothing. `node tools/import-rules.mjs [folder]`.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findDoorBreaches } from "./doors.mjs";
import { commandOf } from "./installed.mjs";
import layers from "./layers.cjs";
import { findBreaches } from "./room-rules.mjs";

const root = process.argv[2] ?? ".";
const tools = import.meta.dirname;
const words = ["--config", join(tools, "import-rules.cjs"), "--output-type", "json", "src"];

function cruise() {
  try {
    return execFileSync(commandOf("analysis", "depcruise"), words, {
      cwd: root,
      maxBuffer: 1 << 29,
      encoding: "utf8",
    });
  } catch (error) {
    return error.stdout;
  }
}

const sources = readdirSync(join(root, "src"), { recursive: true }).filter((name) =>
  name.endsWith(".ts"),
).length;
const { modules, summary } = JSON.parse(cruise());
const read = modules.filter(({ source }) => source.startsWith("src/")).length;
const ports = modules
  .flatMap(({ dependencies }) => dependencies)
  .filter(
    ({ module, resolved }) => module.startsWith("#kernel/") && resolved.startsWith("src/kernel/"),
  ).length;
const problems = [
  ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  ...layers.findLayerBreaches(modules).map(({ rule, text }) => `${rule}: ${text}`),
  ...findDoorBreaches(root).map(({ rule, text }) => `${rule}: ${text}`),
  ...findBreaches(root).map(({ rule, text }) => `${rule}: ${text}`),
  ...(read < sources ? [`only ${read} of ${sources} source files were read`] : []),
  ...(ports === 0 ? ["no #kernel import was resolved, so no rule was really checked"] : []),
];
for (const problem of problems) console.error(problem);
console.log(`${read} files, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
