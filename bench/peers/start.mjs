/** Starts another maker's server, installing it on first use. Undefined where it cannot be had. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startProcess } from "../load.mjs";

const folder = new URL("./", import.meta.url);

export async function startPeer(name) {
  if (!existsSync(new URL(`node_modules/${name}/`, folder))) {
    try {
      execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], {
        cwd: fileURLToPath(folder),
        stdio: "ignore",
      });
    } catch {
      return undefined;
    }
  }
  return startProcess(new URL(`./${name}.mjs`, folder));
}
