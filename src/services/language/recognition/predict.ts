/** Predicts the intent and the entities of an utterance with a loaded model. */
import type { ChildEntity, FeatureRelation } from "../domain/content.ts";
import { isCommonWord } from "../learning/common-words.ts";
import { type IntentShares, intentSharesOf } from "../learning/intent-model.ts";
import type { LoadedModel } from "../learning/model.ts";
import type { TokenFeatures } from "../learning/sequence-learner.ts";
import { COMPOSITES, ENTITIES, entityOfTag, pathOf } from "../learning/sequence-lessons.ts";
import { type FoundSpan, findSpans } from "../learning/sequence-model.ts";
import { rawFeaturesOf } from "../learning/text-features.ts";
import { type Finding, namesOf, tokenFeaturesOf } from "../learning/token-features.ts";
import { type DynamicList, findWithoutLearning, hintsOf, tokensWithin } from "./findings.ts";
import { type Matchable, matchPattern, type Taken } from "./pattern-matching.ts";
import type { FoundPrebuilt } from "./prebuilts.ts";
import type { FoundEntity, Prediction, ScoredIntent } from "./prediction.ts";
import { type Read, readUtterance } from "./reading.ts";

export type ExternalEntity = {
  readonly entity: string;
  readonly start: number;
  readonly end: number;
  readonly resolution: unknown;
  readonly score: number | undefined;
};

export type PredictOptions = {
  /** Found before, by a worker. */
  readonly prebuilts?: readonly FoundPrebuilt[];
  readonly longRegexes?: readonly FoundEntity[];
  readonly dynamicLists?: readonly DynamicList[];
  readonly externalEntities?: readonly ExternalEntity[];
  readonly preferExternalEntities?: boolean;
};

const NONE = "none";
/** The factor that a matching pattern applies to the remaining doubt in its intent. */
const DOUBT_LEFT_BY_PATTERN = 0.02;

export function predict(model: LoadedModel, text: string, options: PredictOptions = {}): Prediction {
  const { definition, finders } = model;
  const read = readUtterance(text, definition.rules);
  const known = findWithoutLearning(read, finders, {
    prebuilts: options.prebuilts ?? [],
    dynamicLists: options.dynamicLists ?? [],
  });
  const given = (options.externalEntities ?? []).map(externalFound);
  const helpful = new Set(definition.helpfulPrebuilts);
  const hints = hintsOf(
    read,
    [...known, ...given].filter(({ source, entity }) => source !== "prebuilt" || helpful.has(entity)),
    finders,
  );
  const features = tokenFeaturesOf(read, hints, (word) => isCommonWord(model.commonWords, word));
  const seen: Seen = { model, read, features, hints };
  const learned = findLearned(seen);
  const found = [...known, ...(options.longRegexes ?? [])];
  const flat = withExternal([...withRoles(found, learned), ...learned.filter(isOwn(model))], given, options);
  const { intent, taken } = matchPatterns(seen, flat);
  const entities = withComposites(seen, withTaken(seen, flat, taken));
  return {
    intents: intentsOf(model, intentSharesOf(model.intents, rawFeaturesOf(read, namesOf(hints))), {
      patternIntent: intent,
      hints,
    }),
    entities: [...entities].sort((one, other) => one.start - other.start || other.end - one.end),
  };
}

type Seen = {
  readonly model: LoadedModel;
  readonly read: Read;
  readonly features: TokenFeatures;
  readonly hints: readonly Finding[];
};

const externalFound = ({ entity, start, end, resolution, score }: ExternalEntity): FoundEntity => ({
  entity,
  role: undefined,
  start,
  end,
  score,
  source: "external",
  type: entity,
  resolution,
  children: [],
});

function findLearned(seen: Seen): FoundEntity[] {
  const sequence = seen.model.sequences.get(ENTITIES);
  if (!sequence) return [];
  return findSpans(sequence, seen.features).flatMap((span) => {
    const { entity } = entityOfTag(span.name);
    const definition = seen.model.definition.entities.find(({ name }) => name === entity);
    if (definition?.kind !== "learned") return [foundBySpan(seen, span, [])];
    if (!hasRequired(seen, span, requiredOf(definition.features))) return [];
    return [foundBySpan(seen, span, findChildren(seen, span, definition.children, pathOf(ENTITIES, entity)))];
  });
}

function foundBySpan({ read }: Seen, span: FoundSpan, children: readonly FoundEntity[]): FoundEntity {
  const { entity, role } = entityOfTag(span.name);
  return {
    entity,
    role,
    start: read.tokens[span.start]?.start ?? 0,
    end: read.tokens[span.end - 1]?.end ?? 0,
    score: span.score,
    source: "model",
    type: entity,
    resolution: undefined,
    children,
  };
}

function findChildren(
  seen: Seen,
  parent: FoundSpan,
  children: readonly ChildEntity[],
  path: string,
): FoundEntity[] {
  const sequence = seen.model.sequences.get(path);
  if (!sequence) return [];
  return findSpans(sequence, seen.features.slice(parent.start, parent.end)).flatMap((inside) => {
    const span = { ...inside, start: inside.start + parent.start, end: inside.end + parent.start };
    const child = children.find(({ name }) => name === span.name);
    if (!child) return [];
    const required = [
      ...requiredOf(child.features),
      ...(child.instanceOf !== undefined && canBeRequired(seen, child.instanceOf)
        ? [`entity ${child.instanceOf}`]
        : []),
    ];
    if (!hasRequired(seen, span, required)) return [];
    return [foundBySpan(seen, span, findChildren(seen, span, child.children, pathOf(path, child.name)))];
  });
}

/** A child that is an instance of a learned entity is found by its own labels; others must be found by their own means. */
function canBeRequired({ model: { definition } }: Seen, entity: string): boolean {
  const kind = definition.entities.find(({ name }) => name === entity)?.kind;
  if (kind === "prebuilt") return definition.helpfulPrebuilts.includes(entity);
  return kind === "list" || kind === "regex";
}

/** The features that are required for a model. */
const requiredOf = (features: readonly FeatureRelation[]): string[] =>
  features
    .filter(({ isRequired }) => isRequired)
    .map((relation) =>
      "phraseList" in relation ? `phrases ${relation.phraseList}` : `entity ${relation.model}`,
    );

function hasRequired(
  { hints }: Seen,
  span: { start: number; end: number },
  required: readonly string[],
): boolean {
  return required.every((name) =>
    hints.some((hint) => hint.name === name && hint.start < span.end && span.start < hint.end),
  );
}

/** For lists, expressions and prebuilt entities, the sequence model contributes only their roles. */
const isOwn =
  ({ definition }: LoadedModel) =>
  ({ entity }: FoundEntity): boolean => {
    const kind = definition.entities.find(({ name }) => name === entity)?.kind;
    return kind === undefined || kind === "learned" || kind === "hierarchical";
  };

const overlap = (one: { start: number; end: number }, other: { start: number; end: number }): boolean =>
  one.start < other.end && other.start < one.end;

function withRoles(known: readonly FoundEntity[], learned: readonly FoundEntity[]): FoundEntity[] {
  return known.map((found) => {
    const telling = learned.find(
      ({ entity, role, ...span }) => entity === found.entity && role && overlap(span, found),
    );
    return telling ? { ...found, role: telling.role } : found;
  });
}

/** Adds the caller's entities. Where they overlap, the preferred source wins. */
function withExternal(
  found: readonly FoundEntity[],
  given: readonly FoundEntity[],
  { preferExternalEntities = true }: PredictOptions,
): FoundEntity[] {
  const collides = (one: FoundEntity, others: readonly FoundEntity[]): boolean =>
    others.some((other) => other.entity === one.entity && overlap(one, other));
  return preferExternalEntities
    ? [...found.filter((one) => !collides(one, given)), ...given]
    : [...found, ...given.filter((one) => !collides(one, found))];
}

type PatternMatch = { readonly intent: string | undefined; readonly taken: readonly Taken[] };

/** Of the patterns that match, the one that takes most entities. */
function matchPatterns({ model, read }: Seen, found: readonly FoundEntity[]): PatternMatch {
  let best: PatternMatch = { intent: undefined, taken: [] };
  if (model.patterns.length === 0) return best;
  const placed = found.flatMap(({ entity, start, end }) => {
    const place = tokensWithin(read.tokens, start, end);
    return place ? [{ entity, ...place }] : [];
  });
  const explicit = [...model.explicitLists].flatMap(([entity, tree]) =>
    tree.find(read).map(({ start, end }) => ({ entity, start, end })),
  );
  const given: Matchable = {
    words: read.words,
    endsOf: (entity, start) =>
      [...explicit, ...placed]
        .filter((one) => one.entity === entity && one.start === start)
        .map(({ end }) => end),
    isAny: (entity) => model.explicitLists.has(entity),
  };
  for (const { intent, pattern } of model.patterns) {
    const taken = matchPattern(pattern, given);
    if (taken && (best.intent === undefined || taken.length > best.taken.length)) best = { intent, taken };
  }
  return best;
}

/** A matching pattern adds its Pattern.Any entities and assigns roles. */
function withTaken(
  { model, read: { tokens } }: Seen,
  found: readonly FoundEntity[],
  taken: readonly Taken[],
): FoundEntity[] {
  let all = [...found];
  for (const { entity, role, ...place } of taken) {
    const span = { start: tokens[place.start]?.start ?? 0, end: tokens[place.end - 1]?.end ?? 0 };
    if (model.explicitLists.has(entity))
      all.push({
        ...span,
        entity,
        role,
        score: undefined,
        source: "pattern",
        type: entity,
        resolution: undefined,
        children: [],
      });
    else if (role !== undefined)
      all = all.map((one) => (one.entity === entity && overlap(one, span) ? { ...one, role } : one));
  }
  return all;
}

/** A composite contains the entities within its span that belong to it. */
function withComposites(seen: Seen, found: readonly FoundEntity[]): readonly FoundEntity[] {
  const sequence = seen.model.sequences.get(COMPOSITES);
  if (!sequence) return found;
  let rest = [...found];
  const composites = findSpans(sequence, seen.features).flatMap((span) => {
    const composite = foundBySpan(seen, span, []);
    const definition = seen.model.definition.entities.find(({ name }) => name === composite.entity);
    if (definition?.kind !== "composite") return [];
    const names = new Set(definition.children.map(({ name }) => name));
    const children = rest.filter(
      (one) => names.has(one.entity) && one.start >= composite.start && one.end <= composite.end,
    );
    if (children.length === 0) return [];
    rest = rest.filter((one) => !children.includes(one));
    return [{ ...composite, source: "composite" as const, children }];
  });
  return [...composites, ...rest];
}

/** "None" gets the probability that the others lack. A matching pattern outranks the trained model. */
function intentsOf(
  { definition: { intents } }: LoadedModel,
  { shares, trust }: IntentShares,
  { patternIntent, hints }: { patternIntent: string | undefined; hints: readonly Finding[] },
): ScoredIntent[] {
  const names = new Set(hints.map(({ name }) => name));
  const scored = intents.map(({ name, features }, at) => {
    const isPossible = requiredOf(features).every((required) => names.has(required));
    const share = (shares[at] ?? 0) * (isPossible ? 1 : 0);
    const score = name.toLowerCase() === NONE ? 1 - trust + trust * share : trust * share;
    if (patternIntent === undefined) return { name, score };
    return {
      name,
      score: name === patternIntent ? 1 - DOUBT_LEFT_BY_PATTERN * (1 - score) : DOUBT_LEFT_BY_PATTERN * score,
    };
  });
  return scored.sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1));
}
