/** Schemas of names, texts and numbers that many operations share. */
import { type TProperties, Type } from "@sinclair/typebox";

const PATH_PART = "(`[a-zA-Z0-9_ -]+`|[a-zA-Z0-9_-]+)";
const ATTRIBUTE_PATH = `^${PATH_PART}(\\.${PATH_PART})*$`;

export const InputName = Type.String({
  pattern: "^[a-zA-Z][a-zA-Z0-9_]*$",
  minLength: 1,
  maxLength: 128,
  description: "The input's name.",
  examples: ["PressureInput"],
});
const modelName = (description: string, example: string) =>
  Type.String({
    pattern: "^[a-zA-Z0-9_-]+$",
    minLength: 1,
    maxLength: 128,
    description,
    examples: [example],
  });
export const DetectorModelName = modelName("The detector model's name.", "motor-pressure");
export const AlarmModelName = modelName("The alarm model's name.", "pressure-alarm");
export const Description = Type.String({
  maxLength: 1024,
  description: "What it is for.",
  examples: ["Watches the pressure of each motor."],
});
export const RoleArn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The role of this account that its actions are done in.",
  examples: ["arn:vendor:iam::123456789012:role/events"],
});
export const ResourceArn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The ARN of an input, a detector model or an alarm model.",
  examples: ["arn:vendor:iotevents:us-east-1:123456789012:detectorModel/motor-pressure"],
});
export const KeyPath = Type.String({
  pattern: ATTRIBUTE_PATH,
  minLength: 1,
  maxLength: 128,
  description:
    "The path in messages to what tells one device from another; without one there is one instance.",
  examples: ["motorid"],
});
export const InputDefinition = Type.Object(
  {
    attributes: Type.Array(
      Type.Object({
        jsonPath: Type.String({
          pattern: ATTRIBUTE_PATH,
          minLength: 1,
          maxLength: 128,
          description: "The path to it.",
        }),
      }),
      { minItems: 1, maxItems: 200, description: "The parts." },
    ),
  },
  {
    description: "The parts of messages that models can read.",
    examples: [{ attributes: [{ jsonPath: "motorid" }, { jsonPath: "pressure" }] }],
  },
);
export const Version = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "The version; the latest without it.",
  examples: ["1"],
});
export const EvaluationMethod = Type.Union([Type.Literal("BATCH"), Type.Literal("SERIAL")], {
  description:
    "Whether variables change after all events of a state are looked at, or one event after the other.",
  examples: ["BATCH"],
});
export const Severity = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: "How grave the alarm is, as its reader counts.",
  examples: [3],
});
export const Tags = Type.Array(
  Type.Object({
    key: Type.String({ minLength: 1, maxLength: 128, description: "The tag's name." }),
    value: Type.String({ maxLength: 256, description: "Its value." }),
  }),
  { maxItems: 50, description: "Tags.", examples: [[{ key: "plant", value: "north" }]] },
);
export const TagKeys = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: 50,
  description: "The names of the tags.",
  examples: [["plant"]],
});
export const KeyValue = Type.String({
  pattern: "^[a-zA-Z0-9_:-]+$",
  minLength: 1,
  maxLength: 128,
  description: "Which of the model's instances; without it, the one of a model without a key.",
  examples: ["motor-7"],
});
export const MaxResults = Type.Integer({
  minimum: 1,
  maximum: 250,
  default: 250,
  description: "How many a page has at most.",
  examples: [50],
});
export const NextToken = Type.String({
  maxLength: 4000,
  description: "Where the next page goes on, as the page before it said.",
  examples: [""],
});
/** Seconds since 1970, with fractions. */
export const Time = Type.Number();
export const timeOf = (ms: number): number => ms / 1000;

/** Paging members of requests and answers. */
export const page = { maxResults: MaxResults, nextToken: Type.Optional(NextToken) };
export const pageOf = <T extends TProperties>(members: T) =>
  Type.Object({ ...members, nextToken: Type.Optional(NextToken) });
export const Nothing = Type.Object({});
