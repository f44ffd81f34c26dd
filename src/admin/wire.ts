/** Shapes that several lists of records share. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";

const word = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 2048, description, examples: [example] }));

export const ServiceName = Type.String({ description: "The service's name.", examples: ["voice"] });

export const RecordFilter = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: "How many records a page has.",
    examples: [100],
  }),
  nextToken: word("Where the next page goes on.", ""),
  state: word("Records in this state alone.", "waiting"),
  service: word("Records of this service alone.", "voice"),
  account: word("Records of this account alone; others' are for admins.", "123456789012"),
  kind: word("Records of this kind alone.", "queue"),
};
/** Effects of a request or a job. */
export const Caused = Type.Object({
  kind: Type.Union([Type.Literal("job"), Type.Literal("message"), Type.Literal("resource")], {
    description: "Work, a message or a resource.",
  }),
  id: Type.String({
    description: "Its id; of a resource, its ARN.",
    examples: ["job_1m7fqc7680000eyv1bw2px5"],
  }),
  name: Type.String({ description: "What it is called.", examples: ["voice.speak"] }),
  change: Type.Optional(
    Type.Union([Type.Literal("made"), Type.Literal("changed"), Type.Literal("removed")], {
      description: "Of a resource: what happened to it.",
    }),
  ),
  by: Type.Optional(
    Type.String({
      description: "The job that did it, where the request itself did not.",
      examples: ["job_1m7fqc7680000eyv1bw2px5"],
    }),
  ),
});

export const timeOf = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));
