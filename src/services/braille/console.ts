/** What the console shows. */
import type { ConsoleView } from "#kernel/operation";
import { brailleTables } from "./domain/tables.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Braille tables",
    columns: ["Name", "Language", "Grade", "Dots", "Code"],
    rows: async (_context, limit) =>
      brailleTables
        .slice(0, limit)
        .map(({ name, language, grade, dots, title }) => [name, language, grade, dots, title]),
  },
];
