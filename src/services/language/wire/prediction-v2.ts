/** A prediction in the shape of version 2: lists of intents and entities. */
import type { FoundEntity, Prediction } from "../recognition/prediction.ts";

export function luisResult({ intents, entities }: Prediction, text: string, verbose: boolean) {
  const [top] = intents;
  const composites = entities.filter(({ source }) => source === "composite");
  return {
    query: text,
    topScoringIntent: { intent: top?.name ?? "None", score: top?.score ?? 0 },
    ...(verbose && { intents: intents.map(({ name, score }) => ({ intent: name, score })) }),
    entities: flat(entities).map((one) => entityView(one, text)),
    ...(composites.length > 0 && {
      compositeEntities: composites.map((composite) => ({
        parentType: composite.entity,
        value: wordsOf(composite, text),
        children: composite.children.map((child) => ({ type: typeOf(child), value: wordsOf(child, text) })),
      })),
    }),
  };
}

const flat = (entities: readonly FoundEntity[]): FoundEntity[] =>
  entities.flatMap((one) => [one, ...flat(one.children)]);

const wordsOf = ({ start, end }: FoundEntity, text: string): string => text.slice(start, end).toLowerCase();

const typeOf = ({ source, type, entity }: FoundEntity): string =>
  source === "prebuilt" ? `builtin.${type}` : entity;

function entityView(one: FoundEntity, text: string) {
  return {
    entity: wordsOf(one, text),
    type: typeOf(one),
    startIndex: one.start,
    /** The last character that still belongs to it. */
    endIndex: one.end - 1,
    ...(one.score !== undefined && { score: one.score }),
    ...(one.resolution !== undefined && { resolution: one.resolution }),
    ...(one.role !== undefined && { role: one.role }),
  };
}
