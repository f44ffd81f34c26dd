/** Packages that few need and that are large: installed on first use, and not with the project. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Returns the folder of the packages that `tests/frameworks/<name>/package.json` names. They are installed beside it and
 * then moved there, so that no other process sees half of them.
 */
export function installed(name) {
  const folder = join(import.meta.dirname, "../tests/frameworks", name);
  const packages = join(folder, "node_modules");
  if (existsSync(packages)) return packages;
  const cwd = mkdtempSync(join(folder, ".install-"));
  try {
    cpSync(join(folder, "package.json"), join(cwd, "package.json"));
    const words = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
    execFileSync("npm", words, { cwd, stdio: "ignore" });
    renameSync(join(cwd, "node_modules"), packages);
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(packages)) throw error;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  return packages;
}
/** Loads a package from that folder. */
export const load = (name, packageName) => createRequire(join(installed(name), "index.js"))(packageName);
