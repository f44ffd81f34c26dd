/** Text of `medley help`. */
import { settings } from "#app";
import { variableOf } from "#kernel/config";
import type { Command } from "./command.ts";

const FLAG_WIDTH = 24;
const VARIABLE_WIDTH = 30;

export function helpOf(commands: readonly Command[]): string {
  const lines = commands.map(
    ({ usage, summary }) => `${usage.map((one) => `  ${one}`).join("\n")}\n      ${summary}`,
  );
  return [
    "medley: one process that really does what HTTP services promise (which ones: medley services)",
    "",
    ...lines,
    "",
    "Every flag of serve also has a MEDLEY_* variable; all of them: medley help serve.",
    "Commands find a running server through the data folder (--data), or take --url and --token (MEDLEY_URL, MEDLEY_TOKEN).",
    "Exit codes: 0 done, 1 failed, 2 misunderstood.",
  ].join("\n");
}

export const helpOfOne = (command: Command): string =>
  [
    ...command.usage.map((one) => `medley ${one}`),
    `    ${command.summary}`,
    ...(command.details ? ["", command.details()] : []),
  ].join("\n");

/** Each setting with its environment variable. */
export function settingsTable(): string {
  const rows = settings.map(
    ({ flag, help }) =>
      `  ${`--${flag}`.padEnd(FLAG_WIDTH)} ${variableOf(flag).padEnd(VARIABLE_WIDTH)} ${help}`,
  );
  const file = `  ${"--config".padEnd(FLAG_WIDTH)} ${"MEDLEY_CONFIG".padEnd(VARIABLE_WIDTH)} JSON file of settings by the names of flags: {"port": 5000}`;
  return [...rows, file, "", "Flags win over variables, variables over the file."].join("\n");
}
