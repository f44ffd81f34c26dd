/** Flags of a command: the settings of `serve`, each also a `MEDLEY_*` variable, and the command's own. */
import { parseArgs } from "node:util";
import { type Config, readConfig, settings } from "#kernel/config";

const SWITCHES = new Set(["tls", "memory", "strict-parents", "strict-answers"]);

type Own = Readonly<Record<string, "text" | "switch" | "list">>;
export type Parsed = {
  readonly config: Config;
  readonly words: readonly string[];
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  has(name: string): boolean;
};

export function parseFlags(given: readonly string[], own: Own = {}): Parsed {
  const option = (name: string, kind: "text" | "switch" | "list") =>
    [
      name,
      { type: kind === "switch" ? ("boolean" as const) : ("string" as const), multiple: kind === "list" },
    ] as const;
  const options = Object.fromEntries([
    ...[...settings.map(({ flag }) => flag), "config"].map((flag) =>
      option(flag, SWITCHES.has(flag) ? "switch" : "text"),
    ),
    ...Object.entries(own).map(([name, kind]) => option(name, kind)),
  ]);
  const { values, positionals } = parseArgs({
    args: [...given],
    options,
    strict: true,
    allowPositionals: true,
  });
  const found: Record<string, string | boolean | string[] | undefined> = values as Record<
    string,
    string | boolean | string[]
  >;
  return {
    config: readConfig(values as Record<string, string | boolean | undefined>),
    words: positionals,
    text: (name) => (typeof found[name] === "string" ? found[name] : undefined),
    list: (name) => (Array.isArray(found[name]) ? found[name] : []),
    has: (name) => found[name] === true,
  };
}
