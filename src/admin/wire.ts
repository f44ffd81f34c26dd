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
export const RecordView = Type.Record(Type.String(), Type.Unknown());

export const timeOf = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));
