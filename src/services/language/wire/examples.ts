/** Labelled utterances and suggestions, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import type { Entity, Label, Utterance } from "../domain/content.ts";
import { flattened, type GivenLabel, type Token, tokensOf } from "../domain/labels.ts";
import { LEVELS_MAX } from "../domain/limits.ts";
import type { FoundEntity, Prediction } from "../learning/index.ts";
import { Count, Guid, nested, Status } from "./shared.ts";

const OptionalText = Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]));
export const GivenLabelShape = Type.Unsafe<GivenLabel>(
  nested(
    {
      entityName: Type.String({ maxLength: 1_000 }),
      startCharIndex: Type.Integer(),
      endCharIndex: Type.Integer(),
      role: Type.Optional(Type.String({ maxLength: 1_000 })),
    },
    LEVELS_MAX,
  ),
);
export const NewExample = Type.Object({
  text: OptionalText,
  intentName: OptionalText,
  entityLabels: Type.Optional(Type.Array(GivenLabelShape, { maxItems: 500 })),
});
export type GivenExample = Static<typeof NewExample>;
export const Nesting = Type.Object({
  enableNestedChildren: Type.Boolean({
    default: false,
    description: "Whether labels of children are inside those of their parents, rather than beside them.",
    examples: [false],
  }),
});

export const ExampleAnswer = Type.Object({ UtteranceText: Type.String(), ExampleId: Type.Integer() });
export const exampleShown = ({ id, text }: Pick<Utterance, "id" | "text">) => ({
  UtteranceText: text,
  ExampleId: id,
});
export const BatchAnswer = Type.Array(
  Type.Object({
    value: Type.Optional(ExampleAnswer),
    hasError: Type.Boolean(),
    error: Type.Optional(Status),
  }),
);
export const TextOfModel = Type.Object({ id: Count, text: Type.String() });

type LabelShown = {
  readonly entityName: string;
  readonly startTokenIndex: number;
  readonly endTokenIndex: number;
  readonly role?: string;
  readonly roleId?: string;
  readonly children?: readonly LabelShown[];
};
type FoundShown = {
  readonly entityName: string;
  readonly startTokenIndex: number;
  readonly endTokenIndex: number;
  readonly phrase: string;
  readonly children?: readonly FoundShown[];
};
const SPAN = { entityName: Type.String(), startTokenIndex: Type.Integer(), endTokenIndex: Type.Integer() };
const LabelView = Type.Unsafe<LabelShown>(
  nested({ ...SPAN, role: Type.Optional(Type.String()), roleId: Type.Optional(Guid) }, LEVELS_MAX),
);
const FoundView = Type.Unsafe<FoundShown>(nested({ ...SPAN, phrase: Type.String() }, LEVELS_MAX));
const PREDICTED = {
  text: Type.String(),
  tokenizedText: Type.Array(Type.String()),
  intentPredictions: Type.Array(Type.Object({ name: Type.String(), score: Type.Number() })),
  entityPredictions: Type.Array(FoundView),
};
export const SuggestionView = Type.Object(PREDICTED);
export const ReviewView = Type.Object({
  id: Count,
  ...PREDICTED,
  intentLabel: Type.String(),
  entityLabels: Type.Array(LabelView),
});

type Seen = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly isNested: boolean;
  /** The prediction of the version's model, if it was trained. */
  readonly prediction: Prediction | undefined;
};
const foundShown = (found: FoundEntity, { text, tokens, isNested }: Seen): FoundShown => ({
  entityName: found.entity,
  ...tokensOf(found, tokens),
  phrase: text.slice(found.start, found.end),
  ...(isNested &&
    found.children.length > 0 && {
      children: found.children.map((child) =>
        foundShown(child, { text, tokens, isNested, prediction: undefined }),
      ),
    }),
});
export function suggestionShown(seen: Seen): Static<typeof SuggestionView> {
  const { text, tokens, isNested, prediction } = seen;
  const entities = prediction?.entities ?? [];
  return {
    text,
    tokenizedText: tokens.map(({ start, end }) => text.slice(start, end)),
    intentPredictions: (prediction?.intents ?? []).map(({ name, score }) => ({ name, score })),
    entityPredictions: (isNested ? entities : flattened(entities)).map((found) => foundShown(found, seen)),
  };
}
function labelShown(label: Label, seen: Seen, entities: readonly Entity[]): LabelShown {
  const entity = entities.find(({ name }) => name === label.entity.split("::")[0]);
  const role = entity?.roles.find(({ name }) => name === label.role);
  return {
    entityName: label.entity,
    ...tokensOf(label, seen.tokens),
    ...(role && { role: role.name, roleId: role.id }),
    ...(seen.isNested &&
      label.children.length > 0 && {
        children: label.children.map((child) => labelShown(child, seen, [])),
      }),
  };
}
export function reviewShown(
  { id, intent, labels }: Utterance,
  seen: Seen,
  entities: readonly Entity[],
): Static<typeof ReviewView> {
  return {
    id,
    ...suggestionShown(seen),
    intentLabel: intent,
    entityLabels: (seen.isNested ? labels : flattened(labels)).map((label) =>
      labelShown(label, seen, entities),
    ),
  };
}
