/**
 * Installs other makers' programs in a cache folder outside the project, each on first use and by itself: one that cannot be
 * had does not hide the others. Nothing of it is shipped.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("./", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "medley-bench");

/** Makes `folder` by `install`, or leaves nothing there. */
function once(folder, install) {
  if (existsSync(folder)) return true;
  mkdirSync(folder, { recursive: true });
  try {
    install();
    return true;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

/** A package of the npm registry, and the script here that uses it. The script's path, or undefined. */
export function installPackage(name) {
  const folder = join(cache, `${name}-${dependencies[name]}`);
  const words = [
    "install",
    "--prefix",
    folder,
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
    "--ignore-scripts",
  ];
  const isThere = once(folder, () =>
    execFileSync("npm", [...words, `${name}@${dependencies[name]}`], { stdio: "ignore" }),
  );
  if (!isThere) return undefined;
  const script = join(folder, `${name}.mjs`);
  copyFileSync(join(own, `${name}.mjs`), script);
  return script;
}

/** A program that is installed, or comes from Debian's packages. Its path, or undefined. */
export function installProgram(name) {
  try {
    return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
  } catch {
    const folder = join(cache, `debian-${name}`);
    const isThere = once(folder, () => {
      execFileSync("apt-get", ["download", name], { cwd: folder, stdio: "ignore" });
      const [file] = readdirSync(folder).filter((one) => one.endsWith(".deb"));
      execFileSync("dpkg", ["-x", file, "."], { cwd: folder, stdio: "ignore" });
    });
    return isThere ? join(folder, "usr/bin", name) : undefined;
  }
}
