/** Settings of a program: checked like flags, because a misspelt option must not be ignored. */
import { naming, textOf } from "./given.ts";
import { ConfigError, type Setting } from "./setting.ts";

/** Takes options by name, and returns values by the keys of settings. Unset ones are left out. */
export function readOptions(
  options: Readonly<Record<string, unknown>>,
  settings: readonly Setting[],
): Record<string, unknown> {
  const byName = new Map(settings.map((setting) => [optionOf(setting), setting]));
  const read: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(options)) {
    const setting = byName.get(name);
    if (!setting)
      throw new ConfigError(
        `there is no option named "${name}"; there are ${[...byName.keys()].sort().join(", ")}`,
      );
    if (given !== undefined) read[setting.key] = naming(name, () => checked(given, setting));
  }
  return read;
}
const optionOf = ({ option, key }: Setting): string => option ?? key;

function checked(given: unknown, { read, readObject }: Setting): unknown {
  const isList = Array.isArray(given);
  if (readObject && typeof given === "object" && given !== null && !isList) return readObject({ ...given });
  const value = read(textOf(given));
  if (!isList) return value;
  if (!Array.isArray(value))
    throw new ConfigError(`${JSON.stringify(given)} is a list, where one value is expected`);
  // A list needs no commas between its members, so these may contain commas.
  return given;
}
