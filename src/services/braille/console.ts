/** Tables that the console shows for this service. */
import type { ConsoleView } from "#kernel/operation";
import { cellPictureOf } from "./domain/picture.ts";
import { brailleTables } from "./domain/tables.ts";

const ALL_SIX_DOTS = 0b111111;

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Braille tables",
    columns: ["Name", "Language", "Grade", "Dots", "Code"],
    rows: async (_context, limit) =>
      brailleTables
        .slice(0, limit)
        .map(({ name, language, grade, dots, title }) => [name, language, grade, dots, title]),
    async widgets() {
      const bytes = Buffer.from(cellPictureOf(ALL_SIX_DOTS));
      return [{ kind: "picture", title: "A cell with its six dots", type: "image/svg+xml", bytes }];
    },
  },
];
