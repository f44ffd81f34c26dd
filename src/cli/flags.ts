/** Flags of a command: settings of `serve`, each also a `MEDLEY_*` variable, and flags of the command. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { settings } from "#app";
import { type Config, readConfig } from "#kernel/config";
import { type FlagKind, UsageError } from "#kernel/manifest";
import { didYouMean } from "./did-you-mean.ts";
import { refuseSurplus } from "./surplus.ts";

export type OwnFlags = Readonly<Record<string, FlagKind>>;
export type Parsed = {
  readonly config: Config;
  readonly words: readonly string[];
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  has(name: string): boolean;
};

/** The error for an unknown flag suggests the closest known one. */
function readArgs(given: readonly string[], options: NonNullable<ParseArgsConfig["options"]>) {
  try {
    return parseArgs({ args: [...given], options, strict: true, allowPositionals: true });
  } catch (error) {
    const { message } = error as Error;
    const isUnfinished = / argument (?:is ambiguous|missing)/.test(message);
    const [, unfinished] = (isUnfinished && /^Option '--([^' ]+)/.exec(message)) || [];
    if (unfinished !== undefined) throw new UsageError(`--${unfinished} needs a value`);
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
    if (unknown === undefined) throw error;
    const flags = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`there is no flag --${unknown}${didYouMean(`--${unknown}`, flags)}`);
  }
}

/** `usage`: usage lines of the command, as in its help. Other words are rejected. */
export function parseFlags(given: readonly string[], usage: readonly string[], own: OwnFlags = {}): Parsed {
  const option = (name: string, kind: FlagKind) =>
    [
      name,
      { type: kind === "switch" ? ("boolean" as const) : ("string" as const), multiple: kind === "list" },
    ] as const;
  const options = Object.fromEntries([
    option("config", "text"),
    ...settings.map(({ flag, isSwitch }) => option(flag, isSwitch ? "switch" : "text")),
    ...Object.entries(own).map(([name, kind]) => option(name, kind)),
  ]);
  const { values, positionals } = readArgs(given, options);
  const found: Record<string, string | boolean | string[] | undefined> = values as Record<
    string,
    string | boolean | string[]
  >;
  refuseSurplus(positionals, usage);
  return {
    config: readConfig(values as Record<string, string | boolean | undefined>, undefined, settings),
    words: positionals,
    text: (name) => (typeof found[name] === "string" ? found[name] : undefined),
    list: (name) => (Array.isArray(found[name]) ? found[name] : []),
    has: (name) => found[name] === true,
  };
}
