/** What the console shows. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { listNotes } from "./store.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Notes",
    columns: ["Id", "Title", "Colour", "Reminder", "Changed"],
    async rows({ db, account }, limit) {
      const notes = await listNotes(db, account, { limit });
      return notes.map(({ id, title, colour, remindAtMs, updatedAtMs }) => [
        id,
        title,
        colour,
        remindAtMs === undefined ? "" : isoOf(remindAtMs),
        isoOf(updatedAtMs),
      ]);
    },
  },
];
