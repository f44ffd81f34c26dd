/** Packages that few need and that are large: installed on first use, and not with the project. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Returns the folder of the packages that `tests/frameworks/<name>/package.json` names. */
export function installed(name) {
  const cwd = join(import.meta.dirname, "../tests/frameworks", name);
  const packages = join(cwd, "node_modules");
  const words = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
  if (!existsSync(packages)) execFileSync("npm", words, { cwd, stdio: "ignore" });
  return packages;
}
/** Loads a package from that folder. */
export const load = (name, packageName) => createRequire(join(installed(name), "index.js"))(packageName);
