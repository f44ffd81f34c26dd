/** Packages that only one test of the second part needs: installed by that test, on first use. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns the folder of the packages that `tests/frameworks/<name>/package.json` names. */
export function installed(name: string): string {
  const cwd = join(import.meta.dirname, "../frameworks", name);
  const packages = join(cwd, "node_modules");
  const words = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
  if (!existsSync(packages)) execFileSync("npm", words, { cwd, stdio: "ignore" });
  return packages;
}
