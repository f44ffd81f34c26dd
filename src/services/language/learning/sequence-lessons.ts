/** From labelled utterances to lessons of the sequence models: one for entities, one for composites, one for the children of each. */
import type { ChildEntity, Entity, Label, VersionContent } from "../domain/content.ts";
import { tokensWithin } from "../recognition/findings.ts";
import type { Read } from "../recognition/reading.ts";
import type { SequenceLesson, Span, TokenFeatures } from "./sequence-learner.ts";

/**
 * Keys of the models: `""` finds entities, COMPOSITES finds composites, and a path of names finds the
 * children of an entity.
 */
export const ENTITIES = "";
export const COMPOSITES = "\u0000composites";
const PATH_MARK = "\u0000";
const ROLE_MARK = "\u0001";

export const pathOf = (...names: readonly string[]): string => names.join(PATH_MARK);

export const tagNameOf = (entity: string, role: string | undefined): string =>
  role === undefined ? entity : `${entity}${ROLE_MARK}${role}`;

export function entityOfTag(name: string): { readonly entity: string; readonly role: string | undefined } {
  const mark = name.indexOf(ROLE_MARK);
  return mark < 0
    ? { entity: name, role: undefined }
    : { entity: name.slice(0, mark), role: name.slice(mark + 1) };
}

export type ReadUtterance = {
  readonly read: Read;
  readonly features: TokenFeatures;
  readonly labels: readonly Label[];
};

/** Unlabelled utterances are negative examples. This number of them is enough. */
const UNLABELLED_MIN = 1000;

export function sequenceLessonsOf(
  utterances: readonly ReadUtterance[],
  { entities }: Pick<VersionContent, "entities">,
): ReadonlyMap<string, SequenceLesson[]> {
  const kindOf = new Map(entities.map(({ name, kind }) => [name, kind]));
  const isComposite = (label: Label): boolean => kindOf.get(label.entity) === "composite";
  const lessons = new Map<string, SequenceLesson[]>();
  const unlabelledMax = Math.max(UNLABELLED_MIN, utterances.filter(({ labels }) => labels.length > 0).length);
  let unlabelled = 0;
  for (const { read, features, labels } of utterances) {
    if (labels.length === 0) {
      unlabelled += 1;
      if (unlabelled > unlabelledMax) continue;
    }
    const isLearnable = (label: Label): boolean => isTaughtByLabels(kindOf.get(label.entity), label);
    const flat = labels.flatMap((label) => (isComposite(label) ? label.children : [label]));
    addTo(lessons, ENTITIES, { features, spans: spansOf(read, flat.filter(isLearnable)) });
    addTo(lessons, COMPOSITES, { features, spans: spansOf(read, labels.filter(isComposite)) });
  }
  for (const entity of entities) if (entity.kind === "learned") addChildLessons(lessons, utterances, entity);
  for (const [key, ofModel] of lessons)
    if (ofModel.every(({ spans }) => spans.length === 0)) lessons.delete(key);
  return lessons;
}

/** Lists, expressions and prebuilt ones are found anyway: only their roles are learned. */
function isTaughtByLabels(kind: Entity["kind"] | undefined, { role }: Label): boolean {
  if (kind === undefined || kind === "learned" || kind === "hierarchical") return true;
  return kind !== "composite" && role !== undefined;
}

function addTo(lessons: Map<string, SequenceLesson[]>, key: string, lesson: SequenceLesson): void {
  const ofModel = lessons.get(key);
  if (ofModel) ofModel.push(lesson);
  else lessons.set(key, [lesson]);
}

/** Labels that overlap an earlier one are left out. */
function spansOf({ tokens }: Read, labels: readonly Label[], offset = 0): Span[] {
  const spans: Span[] = [];
  for (const { entity, role, start, end } of [...labels].sort((one, other) => one.start - other.start)) {
    const place = tokensWithin(tokens, start, end);
    if (!place || place.start < (spans.at(-1)?.end ?? 0) + offset) continue;
    spans.push({ start: place.start - offset, end: place.end - offset, name: tagNameOf(entity, role) });
  }
  return spans;
}

type Parent = { readonly name: string; readonly children: readonly ChildEntity[] };

/** The children of an entity are looked for within it alone, with the words around it in sight. */
function addChildLessons(
  lessons: Map<string, SequenceLesson[]>,
  utterances: readonly ReadUtterance[],
  entity: Parent,
): void {
  const addBelow = (utterance: ReadUtterance, parent: Parent, label: Label, path: string): void => {
    if (parent.children.length === 0) return;
    const place = tokensWithin(utterance.read.tokens, label.start, label.end);
    if (!place) return;
    const names = new Map(parent.children.map((child) => [child.name, child]));
    const inside = label.children.filter((child) => names.has(child.entity));
    const roleless = inside.map((child) => ({ ...child, role: undefined }));
    addTo(lessons, path, {
      features: utterance.features.slice(place.start, place.end),
      spans: spansOf(utterance.read, roleless, place.start),
    });
    for (const child of inside) {
      const definition = names.get(child.entity);
      if (definition) addBelow(utterance, definition, child, pathOf(path, child.entity));
    }
  };
  for (const utterance of utterances)
    for (const label of utterance.labels)
      if (label.entity === entity.name) addBelow(utterance, entity, label, pathOf(ENTITIES, entity.name));
}
