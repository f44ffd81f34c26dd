/** The list of braille tables. */
import { operationsFor } from "#kernel/operation";
import { brailleTables, defaultTable } from "../domain/tables.ts";
import { engineChoiceOf } from "../settings.ts";
import { findEngines } from "../translator/index.ts";
import * as wire from "../wire.ts";

export const listTables = operationsFor<unknown>()({
  id: "braille.tables.list",
  summary: "Lists the languages and grades of braille",
  description:
    "`engine` names the translator of each table; it depends on what is installed. Other tables of an engine can be named too.",
  method: "GET",
  path: "/tables",
  permission: "braille:ListTables",
  answers: { 200: wire.TableList },
  async handle(_input, { config }) {
    const engines = await findEngines(engineChoiceOf(config));
    return {
      success: { total: brailleTables.length },
      contents: {
        tables: brailleTables.map((table) => ({
          name: table.name,
          title: table.title,
          language: table.language,
          language_name: table.languageName,
          grade: table.grade,
          dots: table.dots,
          engine: engines.titleOf(engines.engineFor(table.file)),
          default: table === defaultTable,
        })),
      },
    };
  },
});
