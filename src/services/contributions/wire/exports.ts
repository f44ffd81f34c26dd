/** Exports as clients see them. */
import { type Static, Type } from "@sinclair/typebox";
import { MEDIA_FORMATS } from "../export/choice.ts";
import { filterParameters } from "./filter.ts";

const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [true] }));

export const ExportQuery = Type.Object({
  ...filterParameters,
  tagged: flag("The same as format=tagged, as older clients spell it."),
  combined: flag("One text of all of them; the choice of those who choose no other text."),
  individual: flag("A text of each."),
  format: Type.Optional(
    Type.Union(
      MEDIA_FORMATS.map((format) => Type.Literal(format)),
      {
        description:
          "Pictures and films: none; fullsize, without what cameras note; tagged, which names headline and author in them; original, as they were sent, for those who may have that.",
        examples: ["fullsize"],
      },
    ),
  ),
  json: flag("What the interface answers of each."),
});
export const Export = Type.Object({
  id: Type.String({ description: "The export's id.", examples: ["8d0c7c0e-13b5-4d9a-8f42-6a3d6f1e2b33"] }),
  owner: Type.String({ description: "Who asked for it.", examples: ["123456789012"] }),
  started: Type.String({
    format: "date-time",
    description: "When it was asked for.",
    examples: ["2026-05-01T12:30:00Z"],
  }),
  finished: Type.Optional(
    Type.String({
      format: "date-time",
      description: "When it ended; absent while it is under way.",
      examples: ["2026-05-01T12:30:09Z"],
    }),
  ),
  progress: Type.Number({ description: "How much is done, in percent.", examples: [40] }),
  step: Type.String({ description: "What is being done.", examples: ["writing contributions"] }),
  downloadUrl: Type.Optional(
    Type.String({
      description: "Where the archive is, for an hour; once it is there.",
      examples: ["http://localhost:8000/contributions/1/exports/8d0c7c0e/download?token=eyJh"],
    }),
  ),
});
export const ExportSummary = Type.Object({
  contributions: Type.Number({ description: "How many contributions.", examples: [120] }),
  media: Type.Number({ description: "How many pictures and films.", examples: [180] }),
  totalMediaSize: Type.Number({
    description: "How many bytes these are as format=fullsize exports them.",
    examples: [734003200],
  }),
  estimatedSize: Type.String({ description: "The same in words.", examples: ["700.0 MB"] }),
});
export type ExportView = Static<typeof Export>;
