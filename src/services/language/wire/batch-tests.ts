/** Shapes of tests with many utterances. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { type BatchTest, TEST_UTTERANCES_MAX } from "../domain/batch-tests.ts";
import type { Label } from "../domain/content.ts";
import type { Evaluation, Measured } from "../learning/index.ts";
import { QUERY_LENGTH_MAX } from "./predictions.ts";
import { nested } from "./shared.ts";

const LEVELS_MAX = 5;

const LabelledEntity = nested(
  {
    entity: Type.String({ maxLength: 100, description: "The entity's name.", examples: ["City"] }),
    startPos: Type.Integer({
      minimum: 0,
      maximum: QUERY_LENGTH_MAX,
      description: "Its first character.",
      examples: [17],
    }),
    endPos: Type.Integer({
      minimum: 0,
      maximum: QUERY_LENGTH_MAX,
      description: "Its last character.",
      examples: [21],
    }),
    role: Type.Optional(Type.String({ maxLength: 100, description: "Its role.", examples: ["destination"] })),
  },
  LEVELS_MAX,
);

export const TestSet = Type.Object({
  LabeledTestSetUtterances: Type.Array(
    Type.Object({
      text: Type.String({
        minLength: 1,
        maxLength: QUERY_LENGTH_MAX,
        description: "What is said.",
        examples: ["book a flight to Cairo"],
      }),
      intent: Type.String({
        maxLength: 100,
        description: "What should be understood.",
        examples: ["BookFlight"],
      }),
      entities: Type.Array(LabelledEntity, {
        maxItems: 100,
        description: "What should be found.",
        examples: [[{ entity: "City", startPos: 17, endPos: 21 }]],
      }),
    }),
    {
      minItems: 1,
      maxItems: TEST_UTTERANCES_MAX,
      description: "Utterances that the application has not learned from.",
      examples: [[{ text: "book a flight to Cairo", intent: "BookFlight", entities: [] }]],
    },
  ),
});

type LabelGiven = {
  readonly entity: string;
  readonly startPos: number;
  readonly endPos: number;
  readonly role?: string;
  readonly children?: readonly LabelGiven[];
};

export const labelOf = ({ entity, startPos, endPos, role, children = [] }: LabelGiven): Label => ({
  entity,
  role,
  start: startPos,
  end: endPos + 1,
  children: children.map(labelOf),
});

export const givenOf = ({ entity, role, start, end, children }: Label): LabelGiven => ({
  entity,
  startPos: start,
  endPos: end - 1,
  ...(role !== undefined && { role }),
  ...(children.length > 0 && { children: children.map(givenOf) }),
});

export const TestBegun = Type.Object({
  operationId: Type.String({
    description: "By which its state and result are asked for.",
    examples: ["0f0b8b52-8a34-4a3e-9c8b-1f5c1c2d3e4f"],
  }),
  status: Type.String({
    description: "notstarted, running, succeeded or failed.",
    examples: ["notstarted"],
  }),
  createdDateTime: Type.String({ description: "When it was begun.", examples: ["2026-03-04T10:00:00.000Z"] }),
  lastUpdatedDateTime: Type.String({
    description: "When its state last changed.",
    examples: ["2026-03-04T10:00:01.000Z"],
  }),
});

export const testView = ({ id, status, createdAtMs, changedAtMs }: BatchTest) => ({
  operationId: id,
  status,
  createdDateTime: isoOf(createdAtMs),
  lastUpdatedDateTime: isoOf(changedAtMs),
});

const ModelStats = Type.Object({
  modelName: Type.String({ description: "The model's name.", examples: ["BookFlight"] }),
  modelType: Type.String({ description: "What it is.", examples: ["Intent Classifier"] }),
  precision: Type.Number({ description: "Of what was found, the part that is right.", examples: [0.9] }),
  recall: Type.Number({ description: "Of what is right, the part that was found.", examples: [0.8] }),
  fScore: Type.Number({ description: "Both in one number.", examples: [0.85] }),
});
const Missed = Type.Object({
  entityName: Type.String({ description: "The entity's name.", examples: ["City"] }),
  startCharIndex: Type.Integer({ description: "Its first character.", examples: [17] }),
  endCharIndex: Type.Integer({ description: "Its last character.", examples: [21] }),
});
const MISSED_EXAMPLE = [{ entityName: "City", startCharIndex: 17, endCharIndex: 21 }];
const STATS_EXAMPLE = [
  { modelName: "BookFlight", modelType: "Intent Classifier", precision: 1, recall: 1, fScore: 1 },
];

export const TestResult = Type.Object({
  intentModelsStats: Type.Array(ModelStats, { description: "Of every intent.", examples: [STATS_EXAMPLE] }),
  entityModelsStats: Type.Array(ModelStats, { description: "Of every entity.", examples: [STATS_EXAMPLE] }),
  utterancesStats: Type.Array(
    Type.Object({
      text: Type.String({ description: "What was said.", examples: ["book a flight to Cairo"] }),
      predictedIntentName: Type.String({ description: "What was understood.", examples: ["BookFlight"] }),
      labeledIntentName: Type.String({ description: "What should be understood.", examples: ["BookFlight"] }),
      falsePositiveEntities: Type.Array(Missed, {
        description: "Found, but not labelled.",
        examples: [MISSED_EXAMPLE],
      }),
      falseNegativeEntities: Type.Array(Missed, {
        description: "Labelled, but not found.",
        examples: [MISSED_EXAMPLE],
      }),
    }),
    { description: "Of every utterance.", examples: [[]] },
  ),
});

export function resultView({ intents, entities, utterances }: Evaluation) {
  const stats =
    (modelType: string) =>
    ({ name, precision, recall, fScore }: Measured) => ({
      modelName: name,
      modelType,
      precision,
      recall,
      fScore,
    });
  const missed = ({ entity, start, end }: Evaluation["utterances"][number]["falsePositives"][number]) => ({
    entityName: entity,
    startCharIndex: start,
    endCharIndex: end - 1,
  });
  return {
    intentModelsStats: intents.map(stats("Intent Classifier")),
    entityModelsStats: entities.map(stats("Entity Extractor")),
    utterancesStats: utterances.map((one) => ({
      text: one.text,
      predictedIntentName: one.foundIntent,
      labeledIntentName: one.labelledIntent,
      falsePositiveEntities: one.falsePositives.map(missed),
      falseNegativeEntities: one.falseNegatives.map(missed),
    })),
  };
}
