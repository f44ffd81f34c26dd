/** The version of the package: it is beside the built files, some folders up. */
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  for (const up of ["../package.json", "../../package.json", "../../../package.json"]) {
    try {
      const content = JSON.parse(readFileSync(new URL(up, import.meta.url), "utf8"));
      if (content.name === "medley") return content.version;
    } catch {
      // Not here: try the next folder up.
    }
  }
  return "unknown";
}
