/** What the package offers beside the bundle: its types and its command. */
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

const START = "export declare function startMedley(options?: StartOptions): Promise<Medley>;\n";

export function writeLibrary() {
  const types = readFileSync("src/library.ts", "utf8") + START;
  for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(`dist/${name}`, types);
}

/** npm links no command of the project itself, and `npx medley` in a clone would take seconds to look for one. */
export function linkCommand() {
  chmodSync("dist/main.js", 0o755);
  if (!existsSync("node_modules/.bin")) return;
  rmSync("node_modules/.bin/medley", { force: true });
  symlinkSync("../../dist/main.js", "node_modules/.bin/medley");
}
