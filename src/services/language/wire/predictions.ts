/** Shapes of questions and answers of predictions, in both published versions. */
import { Type } from "@sinclair/typebox";
import { Guid, VersionName } from "./shared.ts";

/** The public limit of an utterance. */
export const QUERY_LENGTH_MAX = 500;
const EXTERNAL_MAX = 100;
const DYNAMIC_LISTS_MAX = 10;
const FORMS_MAX = 1000;

export const SlotParams = Type.Object({
  appId: Guid,
  slotName: Type.String({
    maxLength: 20,
    description: "Where the application was published: production or staging.",
    examples: ["production"],
  }),
});
export const VersionParams = Type.Object({ appId: Guid, versionId: VersionName });
export const ApplicationParams = Type.Object({ appId: Guid });

const query = {
  maxLength: QUERY_LENGTH_MAX,
  minLength: 1,
  description: "What was said.",
  examples: ["book a flight to Cairo"],
};
const AskingV3 = {
  verbose: Type.Boolean({
    default: false,
    description: "Whether to tell of each entity where it stands, what found it and how surely.",
    examples: [true],
  }),
  "show-all-intents": Type.Boolean({
    default: false,
    description: "Whether to answer all intents rather than the likeliest.",
    examples: [true],
  }),
  log: Type.Boolean({
    default: false,
    description: "Whether the query is kept in the application's query log.",
    examples: [true],
    // `bf luis:application:query` sends it where `--log` is not given.
    "x-strays": ["undefined"],
  }),
};
export const QueryV3 = Type.Object(AskingV3);
export const GetQueryV3 = Type.Object({ query: Type.String(query), ...AskingV3 });

export const PredictionRequest = Type.Object({
  query: Type.String(query),
  options: Type.Optional(
    Type.Object(
      {
        datetimeReference: Type.Optional(
          Type.String({
            maxLength: 50,
            description: "What dates count from, with the speaker's offset from UTC; now unless said.",
            examples: ["2026-03-04T10:00:00+01:00"],
          }),
        ),
        preferExternalEntities: Type.Optional(
          Type.Boolean({
            description: "Whether an external entity replaces one of the same name that overlaps it.",
            examples: [true],
          }),
        ),
      },
      { description: "How to read the query.", examples: [{ preferExternalEntities: true }] },
    ),
  ),
  externalEntities: Type.Optional(
    Type.Array(
      Type.Object({
        entityName: Type.String({
          maxLength: 100,
          description: "The entity that it is.",
          examples: ["City"],
        }),
        startIndex: Type.Integer({
          minimum: 0,
          maximum: QUERY_LENGTH_MAX,
          description: "Its first character.",
          examples: [17],
        }),
        entityLength: Type.Integer({
          minimum: 1,
          maximum: QUERY_LENGTH_MAX,
          description: "How many characters it has.",
          examples: [5],
        }),
        resolution: Type.Optional(
          Type.Any({ description: "What the answer gives for it.", examples: [{ airport: "CAI" }] }),
        ),
        score: Type.Optional(
          Type.Number({ minimum: 0, maximum: 1, description: "How sure the caller is.", examples: [0.9] }),
        ),
      }),
      {
        maxItems: EXTERNAL_MAX,
        description: "Entities that the caller has found.",
        examples: [[{ entityName: "City", startIndex: 17, entityLength: 5 }]],
      },
    ),
  ),
  dynamicLists: Type.Optional(
    Type.Array(
      Type.Object({
        listEntityName: Type.String({
          maxLength: 100,
          description: "The list entity that is extended.",
          examples: ["Cabin"],
        }),
        requestLists: Type.Array(
          Type.Object({
            name: Type.Optional(
              Type.String({ maxLength: 500, description: "A name for the form.", examples: ["Premium"] }),
            ),
            canonicalForm: Type.String({
              minLength: 1,
              maxLength: 500,
              description: "What its synonyms stand for.",
              examples: ["premium"],
            }),
            synonyms: Type.Optional(
              Type.Array(Type.String({ maxLength: 500 }), {
                maxItems: FORMS_MAX,
                description: "Words for it.",
                examples: [["comfort"]],
              }),
            ),
          }),
          {
            maxItems: FORMS_MAX,
            description: "Further forms of the list.",
            examples: [[{ canonicalForm: "premium", synonyms: ["comfort"] }]],
          },
        ),
      }),
      {
        maxItems: DYNAMIC_LISTS_MAX,
        description: "Forms that list entities have for this query alone.",
        examples: [[{ listEntityName: "Cabin", requestLists: [{ canonicalForm: "premium" }] }]],
      },
    ),
  ),
});

export const PredictionAnswer = Type.Object({
  query: Type.String({ description: "What was said.", examples: ["book a flight to Cairo"] }),
  prediction: Type.Object(
    {
      topIntent: Type.String({ description: "The likeliest intent.", examples: ["BookFlight"] }),
      intents: Type.Record(
        Type.String(),
        Type.Object({ score: Type.Number({ description: "From 0 to 1.", examples: [0.97] }) }),
        { description: "Intents with their scores.", examples: [{ BookFlight: { score: 0.97 } }] },
      ),
      entities: Type.Record(Type.String(), Type.Any(), {
        description: "What was found of each entity, by role or name; `$instance` tells more of each.",
        examples: [{ City: ["Cairo"] }],
      }),
    },
    {
      description: "What it means.",
      examples: [{ topIntent: "BookFlight", intents: {}, entities: {} }],
    },
  ),
});

const AskingV2 = {
  timezoneOffset: Type.Number({
    default: 0,
    minimum: -1440,
    maximum: 1440,
    description: "How many minutes the speaker's clock is before UTC.",
    examples: [60],
  }),
  verbose: Type.Boolean({
    default: false,
    description: "Whether to answer all intents rather than the likeliest.",
    examples: [true],
  }),
  staging: Type.Boolean({
    default: false,
    description: "Whether to ask the staging slot.",
    examples: [false],
  }),
  spellCheck: Type.Optional(
    Type.Boolean({
      description: "Taken, but nothing is corrected here: there is no `alteredQuery`.",
      examples: [false],
    }),
  ),
  "bing-spell-check-subscription-key": Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Taken and not used: nothing is corrected here.",
      examples: ["none"],
    }),
  ),
  log: Type.Boolean({
    default: true,
    description: "Whether the query is kept in the application's query log.",
    examples: [true],
  }),
};
export const QueryV2 = Type.Object(AskingV2);
export const GetQueryV2 = Type.Object({ q: Type.String(query), ...AskingV2 });
export const QueryText = Type.String(query);

const IntentV2 = Type.Object({
  intent: Type.String({ description: "Its name.", examples: ["BookFlight"] }),
  score: Type.Number({ description: "From 0 to 1.", examples: [0.97] }),
});
export const LuisResult = Type.Object({
  query: Type.String({ description: "What was said.", examples: ["book a flight to Cairo"] }),
  topScoringIntent: Type.Composite([IntentV2], {
    description: "The likeliest intent.",
    examples: [{ intent: "BookFlight", score: 0.97 }],
  }),
  intents: Type.Optional(
    Type.Array(IntentV2, {
      description: "All intents, the likeliest first.",
      examples: [[{ intent: "BookFlight", score: 0.97 }]],
    }),
  ),
  entities: Type.Array(
    Type.Object({
      entity: Type.String({ description: "The words, in small letters.", examples: ["cairo"] }),
      type: Type.String({ description: "The entity's name.", examples: ["City"] }),
      startIndex: Type.Integer({ description: "Its first character.", examples: [17] }),
      endIndex: Type.Integer({ description: "Its last character.", examples: [21] }),
      score: Type.Optional(Type.Number({ description: "From 0 to 1.", examples: [0.93] })),
      resolution: Type.Optional(
        Type.Any({ description: "What it stands for.", examples: [{ values: ["Cairo"] }] }),
      ),
      role: Type.Optional(Type.String({ description: "Its role.", examples: ["destination"] })),
    }),
    {
      description: "What was found.",
      examples: [[{ entity: "cairo", type: "City", startIndex: 17, endIndex: 21 }]],
    },
  ),
  compositeEntities: Type.Optional(
    Type.Array(
      Type.Object({
        parentType: Type.String({ description: "The composite's name.", examples: ["Trip"] }),
        value: Type.String({ description: "Its words.", examples: ["to cairo"] }),
        children: Type.Array(
          Type.Object({
            type: Type.String({ description: "The entity's name.", examples: ["City"] }),
            value: Type.String({ description: "Its words.", examples: ["cairo"] }),
          }),
          { description: "What it holds.", examples: [[{ type: "City", value: "cairo" }]] },
        ),
      }),
      {
        description: "What holds others.",
        examples: [[{ parentType: "Trip", value: "to cairo", children: [] }]],
      },
    ),
  ),
});
