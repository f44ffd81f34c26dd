/** Notes: declarations with thin handlers. */
import { Type } from "@sinclair/typebox";
import { parseInstant } from "#kernel/clock";
import { answer, type Context, noBody, operationsFor } from "#kernel/operation";
import { checkReminder, checkRoom } from "../domain.ts";
import { errors } from "../errors.ts";
import { setReminder } from "../jobs.ts";
import type { State } from "../state.ts";
import * as store from "../store.ts";
import type { Tables } from "../tables.ts";
import * as wire from "../wire.ts";

const operation = operationsFor<Tables, State>();
const named = Type.Object({ id: wire.NoteId });
const example = { title: "Water the plants", colour: "green", remindAt: "2030-05-01T08:00:00Z" };

const viewOf = (note: store.StoredNote, { state }: Context<Tables, State>) =>
  wire.noteViewOf(note, state.countWords);
async function getNote({ db, account }: Context<Tables, State>, id: string): Promise<store.StoredNote> {
  const note = await store.findNote(db, account, id);
  if (!note) throw errors.noteNotFound(`There is no note ${id}.`);
  return note;
}

const createNote = operation({
  id: "sketchbook.notes.create",
  summary: "Writes a note",
  method: "POST",
  path: "/notes",
  permission: "sketchbook:CreateNote",
  body: wire.NewNote,
  answers: { 201: wire.NoteView },
  errors: [errors.tooManyNotes, errors.reminderInThePast],
  examples: { body: example },
  async handle({ body }, context) {
    const { db, account, clock, ids } = context;
    const nowMs = clock.nowMs();
    const remindAtMs = body.remindAt === undefined ? undefined : parseInstant(body.remindAt);
    checkReminder(nowMs, remindAtMs);
    checkRoom(await store.countNotes(db, account));
    const note: store.StoredNote = {
      id: ids.sortable(),
      title: body.title,
      text: body.text ?? "",
      colour: body.colour ?? "yellow",
      remindAtMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    await store.insertNote(db, account, note);
    if (remindAtMs !== undefined) await setReminder(context, note);
    return answer(201, viewOf(note, context));
  },
});

const readNote = operation({
  id: "sketchbook.notes.get",
  summary: "Reads a note",
  method: "GET",
  path: "/notes/{id}",
  permission: "sketchbook:GetNote",
  params: named,
  answers: { 200: wire.NoteView },
  errors: [errors.noteNotFound],
  handle: async ({ params }, context) => viewOf(await getNote(context, params.id), context),
});

const listNotes = operation({
  id: "sketchbook.notes.list",
  summary: "Notes in the order they were written in",
  method: "GET",
  path: "/notes",
  permission: "sketchbook:ListNotes",
  query: Type.Object({
    colour: Type.Optional(wire.ColourName),
    size: wire.PageSize,
    next: Type.Optional(wire.NextToken),
  }),
  answers: {
    200: Type.Object({
      notes: Type.Array(wire.NoteView, { description: "The notes of this page." }),
      next: Type.Optional(wire.NextToken),
    }),
  },
  async handle({ query: { colour, size, next } }, context) {
    const { db, account, pages } = context;
    const { rows, nextToken } = await pages.of(
      { size, token: next, filter: { colour } },
      (note: store.StoredNote) => [note.id],
      (after, limit) => store.listNotes(db, account, { colour, after: after?.[0], limit }),
    );
    return {
      notes: rows.map((note) => viewOf(note, context)),
      ...(nextToken !== undefined && { next: nextToken }),
    };
  },
});

const changeNote = operation({
  id: "sketchbook.notes.update",
  summary: "Changes what is given of a note",
  method: "PATCH",
  path: "/notes/{id}",
  permission: "sketchbook:UpdateNote",
  params: named,
  body: wire.NoteChange,
  answers: { 200: wire.NoteView },
  errors: [errors.noteNotFound, errors.reminderInThePast],
  examples: { body: { colour: "blue", remindAt: null } },
  async handle({ params, body: { remindAt, ...changes } }, context) {
    const { db, account, clock } = context;
    const before = await getNote(context, params.id);
    const note: store.StoredNote = {
      ...before,
      ...changes,
      ...(remindAt !== undefined && { remindAtMs: remindAt === null ? undefined : parseInstant(remindAt) }),
      updatedAtMs: clock.nowMs(),
    };
    checkReminder(clock.nowMs(), note.remindAtMs, before.remindAtMs);
    await store.updateNote(db, account, note);
    if (note.remindAtMs !== before.remindAtMs) await setReminder(context, note);
    return viewOf(note, context);
  },
});

const removeNote = operation({
  id: "sketchbook.notes.delete",
  summary: "Throws a note away, and its reminder with it",
  method: "DELETE",
  path: "/notes/{id}",
  permission: "sketchbook:DeleteNote",
  params: named,
  answers: { 204: noBody },
  errors: [errors.noteNotFound],
  async handle({ params }, context) {
    const { id } = await getNote(context, params.id);
    await store.deleteNote(context.db, context.account, id);
    await setReminder(context, { id, remindAtMs: undefined });
  },
});

export const noteOperations = [createNote, readNote, listNotes, changeNote, removeNote];
