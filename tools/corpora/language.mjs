/** Sets of utterances with intents and entities, every JSON file of a folder: the figures of tools/language-figures.mjs for each. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TOOL = fileURLToPath(new URL("../language-figures.mjs", import.meta.url));

/** With names of files only those. */
export function figures(folder, words) {
  const names = readdirSync(folder).filter(
    (name) => name.endsWith(".json") && (words.length === 0 || words.includes(name)),
  );
  return Object.fromEntries(
    names.map((name) => {
      const file = join(folder, name);
      const kind = "sentences" in JSON.parse(readFileSync(file, "utf8")) ? "corpus" : "intents";
      return [name, `\n${execFileSync(process.execPath, [TOOL, kind, file], { encoding: "utf8" })}`];
    }),
  );
}
