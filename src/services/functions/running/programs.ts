/** Programs of other languages on this machine. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SYSTEM_PATH } from "./sandbox.ts";

/** As a function finds it. */
export const hasProgram = (name: string): boolean =>
  SYSTEM_PATH.split(":").some((folder) => existsSync(join(folder, name)));

const SETTINGS = /^(?:java-\d|java$|php$|ruby$|dotnet$|perl$)/;
/** Folders without which some languages do not start. */
export const settingsOfLanguages = (): readonly string[] =>
  readdirSync("/etc")
    .filter((name) => SETTINGS.test(name))
    .map((name) => join("/etc", name));
