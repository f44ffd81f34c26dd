/** Shapes that several lists of records share. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";

const Word = Type.String({ maxLength: 2048 });

export const RecordFilter = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: "How many records a page has.",
    examples: [100],
  }),
  nextToken: Type.Optional({ ...Word, description: "Where the next page goes on.", examples: [""] }),
  state: Type.Optional({ ...Word, description: "Records in this state alone.", examples: ["waiting"] }),
  service: Type.Optional({ ...Word, description: "Records of this service alone.", examples: ["voice"] }),
  account: Type.Optional({
    ...Word,
    description: "Records of this account alone; others' are for admins.",
    examples: ["123456789012"],
  }),
  kind: Type.Optional({ ...Word, description: "Records of this kind alone.", examples: ["queue"] }),
};
export const RecordView = Type.Record(Type.String(), Type.Unknown());

export const timeOf = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));
