/** How well a model does on labelled utterances: precision, recall and F of every intent and entity. */
import type { Label, Utterance } from "../domain/content.ts";
import type { FoundEntity, Prediction } from "../recognition/prediction.ts";

export type Measured = {
  readonly name: string;
  readonly precision: number;
  readonly recall: number;
  readonly fScore: number;
  /** How often it was labelled. */
  readonly support: number;
};

export type Miss = Pick<Label, "entity" | "role" | "start" | "end">;

export type TestedUtterance = {
  readonly text: string;
  readonly labelledIntent: string;
  readonly foundIntent: string;
  readonly falsePositives: readonly Miss[];
  readonly falseNegatives: readonly Miss[];
};

export type Evaluation = {
  readonly intents: readonly Measured[];
  readonly entities: readonly Measured[];
  readonly utterances: readonly TestedUtterance[];
  /** Over all intents together: the part that was understood rightly. */
  readonly intentAccuracy: number;
  readonly entityFScore: number;
};

type Counts = { right: number; found: number; labelled: number };

export function evaluate(
  tested: readonly {
    readonly labelled: Pick<Utterance, "text" | "intent" | "labels">;
    readonly predicted: Prediction;
  }[],
): Evaluation {
  const intents = new Map<string, Counts>();
  const entities = new Map<string, Counts>();
  const utterances = tested.map(({ labelled, predicted }): TestedUtterance => {
    const foundIntent = predicted.intents[0]?.name ?? "";
    countOf(intents, labelled.intent).labelled += 1;
    countOf(intents, foundIntent).found += 1;
    if (foundIntent === labelled.intent) countOf(intents, foundIntent).right += 1;
    const misses = compareEntities(entities, flatLabels(labelled.labels), flatFound(predicted.entities));
    return { text: labelled.text, labelledIntent: labelled.intent, foundIntent, ...misses };
  });
  const right = utterances.filter(({ labelledIntent, foundIntent }) => labelledIntent === foundIntent).length;
  return {
    intents: measuredOf(intents),
    entities: measuredOf(entities),
    utterances,
    intentAccuracy: utterances.length === 0 ? 0 : right / utterances.length,
    entityFScore: measureOf("", sumOf([...entities.values()])).fScore,
  };
}

/** Nested labels are distinguished by their path. */
function flatLabels(labels: readonly Label[], path = ""): Miss[] {
  return labels.flatMap(({ entity, role, start, end, children }) => [
    { entity: path + entity, role, start, end },
    ...flatLabels(children, `${path}${entity}.`),
  ]);
}

/** Lists, expressions and prebuilt entities need no labels, so finding them is not an error. */
function flatFound(found: readonly FoundEntity[], path = ""): Miss[] {
  return found
    .filter(({ source }) => source === "model" || source === "composite")
    .flatMap(({ entity, role, start, end, children }) => [
      { entity: path + entity, role, start, end },
      ...flatFound(children, `${path}${entity}.`),
    ]);
}

function compareEntities(
  counts: Map<string, Counts>,
  labels: readonly Miss[],
  found: readonly Miss[],
): Pick<TestedUtterance, "falsePositives" | "falseNegatives"> {
  const isIn = (one: Miss, others: readonly Miss[]): boolean =>
    others.some(({ entity, start, end }) => one.entity === entity && one.start === start && one.end === end);
  for (const label of labels) countOf(counts, label.entity).labelled += 1;
  for (const one of found) {
    const ofEntity = countOf(counts, one.entity);
    ofEntity.found += 1;
    if (isIn(one, labels)) ofEntity.right += 1;
  }
  return {
    falsePositives: found.filter((one) => !isIn(one, labels)),
    falseNegatives: labels.filter((label) => !isIn(label, found)),
  };
}

function countOf(counts: Map<string, Counts>, name: string): Counts {
  const known = counts.get(name);
  if (known) return known;
  const fresh = { right: 0, found: 0, labelled: 0 };
  counts.set(name, fresh);
  return fresh;
}

function sumOf(counts: readonly Counts[]): Counts {
  const sum = { right: 0, found: 0, labelled: 0 };
  for (const { right, found, labelled } of counts) {
    sum.right += right;
    sum.found += found;
    sum.labelled += labelled;
  }
  return sum;
}

const measuredOf = (counts: ReadonlyMap<string, Counts>): Measured[] =>
  [...counts]
    .map(([name, ofName]) => measureOf(name, ofName))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

/** An entity that was neither labelled nor found counts as perfect. */
function measureOf(name: string, { right, found, labelled }: Counts): Measured {
  const precision = found === 0 ? (labelled === 0 ? 1 : 0) : right / found;
  const recall = labelled === 0 ? (found === 0 ? 1 : 0) : right / labelled;
  const fScore = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { name, precision, recall, fScore, support: labelled };
}
