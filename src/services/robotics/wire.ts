/** Shapes exactly as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { COLOURS } from "./domain.ts";
import type { StoredNote } from "./store.ts";

export const NoteId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The note's id.",
  examples: ["1m7fqc7680000eyv1bw2px5"],
});
const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "What the note is called.",
  examples: ["Water the plants"],
});
const Text = Type.String({
  maxLength: 100_000,
  description: "What it says.",
  examples: ["All but the cactus."],
});
export const ColourName = Type.Union(
  COLOURS.map((colour) => Type.Literal(colour)),
  { description: "The colour of its paper.", examples: ["green"] },
);
const RemindAt = Type.String({
  format: "date-time",
  maxLength: 40,
  description: "When to send a reminder.",
  examples: ["2030-05-01T08:00:00Z"],
});

export const NewNote = Type.Object({
  title: Title,
  text: Type.Optional(Text),
  colour: Type.Optional(ColourName),
  remindAt: Type.Optional(RemindAt),
});
/** What is left out stays; null takes the reminder back. */
export const NoteChange = Type.Partial(
  Type.Object({
    title: Title,
    text: Text,
    colour: ColourName,
    remindAt: Type.Union([RemindAt, Type.Null()], {
      description: "When to send a reminder; null for not at all.",
      examples: ["2030-05-01T08:00:00Z"],
    }),
  }),
);
export const NoteView = Type.Object({
  id: NoteId,
  title: Title,
  text: Text,
  colour: ColourName,
  words: Type.Integer({ minimum: 0, description: "How many words the text has.", examples: [4] }),
  remindAt: Type.Optional(RemindAt),
  createdAt: Type.String({
    format: "date-time",
    description: "When it was written.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
  updatedAt: Type.String({
    format: "date-time",
    description: "When it was changed last.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
});
export const PageSize = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 20,
  description: "How many notes a page has.",
  examples: [20],
});
export const NextToken = Type.String({
  maxLength: 2000,
  description: "Where the next page goes on.",
  examples: [""],
});

export const noteViewOf = (
  note: StoredNote,
  countWords: (text: string) => number,
): Static<typeof NoteView> => ({
  id: note.id,
  title: note.title,
  text: note.text,
  colour: note.colour,
  words: countWords(note.text),
  ...(note.remindAtMs !== undefined && { remindAt: isoOf(note.remindAtMs) }),
  createdAt: isoOf(note.createdAtMs),
  updatedAt: isoOf(note.updatedAtMs),
});
