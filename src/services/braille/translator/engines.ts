/** Detects the available engines, and selects one for a table. */
import type { EngineChoice } from "../settings.ts";
import { bundledTablesFolder } from "./bundled-module.ts";
import type { EngineName } from "./engine.ts";
import { findSystemVersion } from "./system-engine.ts";
import { findSystemTable, tableFilesIn } from "./system-tables.ts";

const BUNDLED_TITLE = "liblouis 3.2.0 (bundled)";

export type Engines = {
  /** Title of the preferred engine. */
  readonly preferred: string;
  /** Why the system's engine is unavailable. */
  readonly systemProblem?: string;
  titleOf(engine: EngineName): string;
  engineFor(tableFile: string): EngineName;
  /** File of any table of an engine, by name with or without extension. Undefined if it does not exist. */
  findTableFile(name: string): string | undefined;
};

const bundledAlone = (systemProblem?: string): Engines => ({
  preferred: BUNDLED_TITLE,
  ...(systemProblem !== undefined && { systemProblem }),
  titleOf: () => BUNDLED_TITLE,
  engineFor: () => "bundled",
  findTableFile: (name) => bundledFiles().get(name.toLowerCase()),
});

let bundled: ReadonlyMap<string, string> | undefined;
function bundledFiles(): ReadonlyMap<string, string> {
  bundled ??= tableFilesIn(bundledTablesFolder());
  return bundled;
}
let systemFiles: ReadonlyMap<string, string> | undefined;

/** Cached, because installed libraries do not change while the process runs. */
let system: ReturnType<typeof findSystemVersion> | undefined;

export async function findEngines(choice: EngineChoice): Promise<Engines> {
  if (choice === "bundled") return bundledAlone();
  system ??= findSystemVersion();
  const found = await system;
  if ("problem" in found) return bundledAlone(found.problem);
  const systemTitle = `liblouis ${found.version} (system)`;
  return {
    preferred: systemTitle,
    titleOf: (engine) => (engine === "system" ? systemTitle : BUNDLED_TITLE),
    engineFor: (tableFile) =>
      findSystemTable(found.tablesFolder, tableFile) === undefined ? "bundled" : "system",
    findTableFile(name) {
      systemFiles ??= tableFilesIn(found.tablesFolder);
      return systemFiles.get(name.toLowerCase()) ?? bundledFiles().get(name.toLowerCase());
    },
  };
}
