/** Locations of the system's liblouis and its tables, and tables that were renamed since 2017. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Name for the dynamic loader. The ABI version covers all releases since 3.0. */
export const SYSTEM_LIBRARY = process.platform === "darwin" ? "liblouis.20.dylib" : "liblouis.so.20";

const TABLE_FOLDERS = [
  "/usr/local/share/liblouis/tables",
  "/usr/share/liblouis/tables",
  "/opt/homebrew/share/liblouis/tables",
];

const RENAMED: ReadonlyMap<string, string> = new Map([
  ["de-de-g0.utb", "de-g0.utb"],
  ["de-de-g1.ctb", "de-g1.ctb"],
  ["de-de-g2.ctb", "de-g2.ctb"],
  ["he.ctb", "he-IL-comp8.utb"],
  ["hr.ctb", "hr-comp8.utb"],
  ["mn-MN.utb", "mn-MN-g1.utb"],
  ["ru-ru-g1.utb", "ru-litbrl.ctb"],
  ["Se-Se-g1.utb", "sv-g0.utb"],
  ["vi-g1.ctb", "vi-vn-g0.utb"],
]);

export const findSystemTablesFolder = (): string | undefined =>
  TABLE_FOLDERS.find((folder) => existsSync(folder));

/** Files that are complete tables, not include files. */
const TABLE_FILE = /^([A-Za-z0-9_.-]{1,60})\.(?:ctb|utb|tbl)$/;
/** Tables of a folder by lower-case name, with and without extension. */
export function tableFilesIn(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const file of readdirSync(folder).sort()) {
    const name = TABLE_FILE.exec(file)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    if (!files.has(name)) files.set(name, file);
    files.set(file.toLowerCase(), file);
  }
  return files;
}

/** Undefined if the system lacks the table. The bundled engine is then used. */
export function findSystemTable(folder: string, tableFile: string): string | undefined {
  const names = [tableFile, RENAMED.get(tableFile)];
  return names.find((name) => name !== undefined && existsSync(join(folder, name)));
}
