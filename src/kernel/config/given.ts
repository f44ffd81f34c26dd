/** Values as they are given: in a configuration file, by a program, or as text. */
import { readFileSync } from "node:fs";
import { ConfigError, type Setting } from "./setting.ts";

/** A file or a program may use JSON numbers, booleans and lists. */
export function textOf(given: unknown): string {
  if (typeof given === "string") return given;
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  if (Array.isArray(given) && given.every((one) => typeof one === "string")) return given.join(",");
  throw new ConfigError(
    `${JSON.stringify(given)} is neither a text, a number, true, false nor a list of texts`,
  );
}

export function naming(what: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${what}: ${(error as Error).message}`);
  }
}

export function readConfigFile(path: string, settings: readonly Setting[]): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (content === null || typeof content !== "object" || Array.isArray(content))
      throw new Error("it is not a JSON object");
    const strange = Object.keys(content).find((name) => !settings.some(({ flag }) => flag === name));
    if (strange !== undefined) throw new Error(`there is no setting named "${strange}"`);
    return content as Record<string, unknown>;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new ConfigError(
      `--config ${path}: ${isMissing ? "there is no such file" : (error as Error).message}`,
    );
  }
}
