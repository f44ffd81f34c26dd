/** Durable work: it commits with the change that causes it, and its effect commits with its completion. */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import type { Note } from "./domain.ts";
import type { State } from "./state.ts";
import { findNote } from "./store.ts";
import type { Tables } from "./tables.ts";

const remind = jobsFor<Tables, State>()({
  name: "sketchbook.remind",
  payload: Type.Object({ id: Type.String() }),
  async run({ id }, { db, account, outbox }) {
    const note = await findNote(db, account, id);
    if (!note) return;
    await outbox.send({ kind: "mail", target: `notes@${account}`, subject: note.title, body: note.text });
  },
});
export const jobs = [remind];

const keyOf = (id: string): string => `remind:${id}`;

/** Of each note one reminder waits at the most: a later one takes its place, and none takes it back. */
export async function setReminder(
  context: Context<Tables, State>,
  { id, remindAtMs }: Pick<Note, "id" | "remindAtMs">,
): Promise<void> {
  if (remindAtMs === undefined) await context.cancelJob(remind, keyOf(id));
  else await context.enqueue(remind, { id }, { key: keyOf(id), runAtMs: remindAtMs });
}
