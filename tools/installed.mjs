/** Packages that few need and that are large: installed on first use, and not with the project. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

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
    for (const file of ["package.json", ".npmrc"]) {
      if (existsSync(join(folder, file))) cpSync(join(folder, file), join(cwd, file));
    }
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
const requireOf = (name) => createRequire(join(installed(name), "index.js"));
/** Loads a package from that folder. */
export const load = (name, packageName) => requireOf(name)(packageName);
/** The same for a package that consists of modules. */
export const importOf = async (name, packageName) =>
  import(pathToFileURL(requireOf(name).resolve(packageName)));
/** Path of a command of the packages in that folder. */
export const commandOf = (name, command) => join(installed(name), ".bin", command);
