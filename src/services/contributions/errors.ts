/** What can go wrong. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  noteNotFound: ["NoteNotFound", 404],
  tooManyNotes: ["TooManyNotes", 409],
  reminderInThePast: ["ReminderInThePast", 400],
});
