/** What the package offers beside the bundle: its types, and an entry for programs that use `require`. */
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

const START = "export declare function startMedley(options?: StartOptions): Promise<Medley>;\n";

/**
 * Test runners such as jest run CommonJS in a context of their own, in which `import()` fails. So the entry takes Node's
 * own `require`, and a file that it loads imports the bundle.
 */
const ENTRY = `"use strict";
const { createRequire } = process.getBuiltinModule?.("node:module") ?? require("node:module");
const load = createRequire(__filename)("./load-library.cjs");
exports.startMedley = async (options) => (await load()).startMedley(options);
`;
const LOADER = `"use strict";
module.exports = () => import("./index.js");
`;

export function writeLibrary() {
  const types = readFileSync("src/library.ts", "utf8") + START;
  for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(`dist/${name}`, types);
  writeFileSync("dist/index.cjs", ENTRY);
  writeFileSync("dist/load-library.cjs", LOADER);
}

/** npm links no command of the project itself, and `npx medley` in a clone would take seconds to look for one. */
export function linkCommand() {
  chmodSync("dist/main.js", 0o755);
  if (!existsSync("node_modules/.bin")) return;
  rmSync("node_modules/.bin/medley", { force: true });
  symlinkSync("../../dist/main.js", "node_modules/.bin/medley");
}
