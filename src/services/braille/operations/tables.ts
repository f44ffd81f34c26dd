/** The list of braille tables. */
import { operationsFor } from "#kernel/operation";
import { brailleTables, defaultTable } from "../domain/tables.ts";
import * as wire from "../wire.ts";

export const listTables = operationsFor<unknown>()({
  id: "braille.tables.list",
  summary: "The languages and grades that texts can be translated to",
  method: "GET",
  path: "/tables",
  permission: "braille:ListTables",
  answers: { 200: wire.TableList },
  handle: () => ({
    success: { total: brailleTables.length },
    contents: {
      tables: brailleTables.map((table) => ({
        name: table.name,
        title: table.title,
        language: table.language,
        language_name: table.languageName,
        grade: table.grade,
        dots: table.dots,
        default: table === defaultTable,
      })),
    },
  }),
});
