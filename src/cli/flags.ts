/** Flags of a command: the settings of `serve`, each also a `MEDLEY_*` variable. */
import { parseArgs } from "node:util";
import { settings } from "#kernel/config";

const FLAGS = new Set(["tls", "memory", "strict-parents", "strict-answers"]);

export function parseFlags(words: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    [...settings.map(({ flag }) => flag), "config"].map((flag) => [
      flag,
      { type: FLAGS.has(flag) ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values as Record<
    string,
    string | boolean | undefined
  >;
}
