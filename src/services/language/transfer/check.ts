/** Validates imported content by the same rules as individual changes. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChildEntity, Entity, FeatureRelation, Label, VersionContent } from "../domain/content.ts";
import { checkedLabels, type GivenLabel, type Token } from "../domain/labels.ts";
import * as limits from "../domain/limits.ts";
import { checkLength, checkName, checkRoom, keyOf, textKeyOf } from "../domain/limits.ts";
import { levelsBelow, NONE, sameFeature } from "../domain/models.ts";
import { mentionsIn } from "../domain/patterns.ts";
import { PREBUILTS_OF_THE_MAKER } from "../domain/prebuilt-names.ts";
import { errors } from "../errors.ts";
import { checkPattern, checkRegex, isKeptOnly, prebuiltNames, tokenize } from "../learning/index.ts";

/** Throws if a name occurs twice. */
function checkUnique(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(keyOf(name))) throw errors.badArgument(`The ${what}: { ${name} } are there more than once.`);
    seen.add(keyOf(name));
  }
}

class Names {
  readonly #models: ReadonlyMap<string, string>;
  readonly #phraseLists: ReadonlyMap<string, string>;
  constructor({ intents, entities, phraseLists }: VersionContent) {
    const spelt = (named: readonly { readonly name: string }[]) =>
      new Map(named.map(({ name }) => [keyOf(name), name]));
    this.#models = spelt([...intents, ...entities]);
    this.#phraseLists = spelt(phraseLists);
  }
  model(name: string, of: string): string {
    const found = this.#models.get(keyOf(name));
    if (found === undefined) throw errors.badArgument(`${of} names the model ${name}, which does not exist.`);
    return found;
  }
  /** Each once. */
  features(given: readonly FeatureRelation[], of: string): readonly FeatureRelation[] {
    const features: FeatureRelation[] = [];
    for (const feature of given.map((one) => this.#feature(one, of))) {
      if (features.some((one) => sameFeature(one, feature))) continue;
      features.push(feature);
      checkRoom("features of a model", features.length, limits.FEATURES_PER_MODEL_MAX);
    }
    return features;
  }
  /** Older files name a phrase list where a model is expected. This is accepted. */
  #feature(feature: FeatureRelation, of: string): FeatureRelation {
    const name = "phraseList" in feature ? feature.phraseList : feature.model;
    const { isRequired } = feature;
    const list = this.#phraseLists.get(keyOf(name));
    if (list !== undefined && ("phraseList" in feature || !this.#models.has(keyOf(name))))
      return { phraseList: list, isRequired };
    if ("phraseList" in feature && !this.#models.has(keyOf(name)))
      throw errors.badArgument(`${of} names the phrase list ${name}, which does not exist.`);
    return { model: this.model(name, of), isRequired };
  }
}

function checkedChildren(
  children: readonly ChildEntity[],
  parent: string,
  names: Names,
): readonly ChildEntity[] {
  checkRoom("children of an entity", children.length, limits.CHILDREN_MAX);
  checkUnique(
    children.map(({ name }) => name),
    `children of ${parent}`,
  );
  return children.map((child) => ({
    ...child,
    name: checkName("child", child.name),
    instanceOf: child.instanceOf === undefined ? undefined : names.model(child.instanceOf, child.name),
    features: names.features(child.features, child.name),
    children: checkedChildren(child.children, child.name, names),
  }));
}

function checkedEntity(entity: Entity, names: Names, culture: string): Entity {
  const name = checkName("entity", entity.name);
  const roles = entity.roles.map((role) => ({ ...role, name: checkName("role", role.name) }));
  checkRoom("roles of an entity", roles.length, limits.ROLES_PER_ENTITY_MAX);
  checkUnique(
    roles.map((role) => role.name),
    `roles of ${name}`,
  );
  const own = { name, roles };
  switch (entity.kind) {
    case "learned": {
      const children = checkedChildren(entity.children, name, names);
      if (levelsBelow(children) > limits.LEVELS_MAX - 1)
        throw errors.badArgument(`Entities are nested to ${limits.LEVELS_MAX} levels at the most.`);
      const features = names.features(entity.features, name);
      return { ...entity, ...own, children, features };
    }
    case "composite":
      checkRoom("children of an entity", entity.children.length, limits.CHILDREN_MAX);
      return {
        ...entity,
        ...own,
        children: entity.children.map((child) => {
          const [first = "", ...below] = child.name.split("::");
          return { ...child, name: [names.model(first, name), ...below].join("::") };
        }),
      };
    case "hierarchical":
      checkRoom("children of an entity", entity.children.length, limits.CHILDREN_MAX);
      return {
        ...entity,
        ...own,
        children: entity.children.map((child) => ({ ...child, name: checkName("child", child.name) })),
      };
    case "list":
      checkRoom("sub-lists of a list entity", entity.subLists.length, limits.SUB_LISTS_MAX);
      for (const { canonicalForm, synonyms } of entity.subLists)
        for (const word of [canonicalForm, ...synonyms])
          checkLength("value of a list", word, limits.WORD_LENGTH_MAX);
      return { ...entity, ...own };
    case "regex": {
      checkLength("regular expression", entity.pattern, limits.REGEX_LENGTH_MAX);
      const reason = checkRegex(entity.pattern);
      if (reason !== undefined && !isKeptOnly(entity.pattern))
        throw errors.badArgument(`The regular expression of ${name} is not supported: ${reason}`);
      return { ...entity, ...own };
    }
    case "pattern-any":
      checkRoom("items of an explicit list", entity.explicitList.length, limits.EXPLICIT_LIST_MAX);
      return { ...entity, ...own };
    default: {
      const known = prebuiltNames(culture).find((one) => keyOf(one) === keyOf(name));
      const ofTheMaker = known ?? PREBUILTS_OF_THE_MAKER.find((one) => keyOf(one) === keyOf(name));
      if (ofTheMaker === undefined)
        throw errors.badArgument(`There is no prebuilt entity ${name} for the culture ${culture}.`);
      return { ...entity, name: ofTheMaker, roles };
    }
  }
}

const givenOf = ({ start, end, entity, role, children }: Label): GivenLabel => ({
  entityName: entity,
  startCharIndex: start,
  endCharIndex: end - 1,
  role,
  children: children.map(givenOf),
});

const EXACT_KINDS = new Set(["prebuilt", "list", "regex"]);

/**
 * Older files also label entities that are found without training. Such labels are dropped, because they may
 * cross others.
 */
function withoutFound(labels: readonly Label[], entities: ReadonlyMap<string, Entity>): readonly Label[] {
  return labels.filter(({ entity, role }) => {
    const kind = entities.get(keyOf(entity))?.kind;
    return role !== undefined || kind === undefined || !EXACT_KINDS.has(kind);
  });
}

/** Files label parts of words as well: the label is then of the whole words. */
function onTokens(label: GivenLabel, tokens: readonly Token[]): GivenLabel {
  const first = tokens.find(({ end }) => end > label.startCharIndex);
  const last = tokens.findLast(({ start }) => start <= label.endCharIndex);
  const isWithin = first && last && label.startCharIndex >= 0 && label.startCharIndex <= label.endCharIndex;
  if (!isWithin || first.start > last.start) return label;
  return {
    ...label,
    startCharIndex: first.start,
    endCharIndex: label.endCharIndex >= last.end + 1 ? label.endCharIndex : last.end - 1,
    children: label.children?.map((child) => onTokens(child, tokens)),
  };
}

/** Number of utterances to check before yielding. */
const UTTERANCES_PER_TURN = 250;

async function checkedUtterances(
  content: VersionContent,
  entities: readonly Entity[],
): Promise<VersionContent["utterances"]> {
  const intents = new Map(content.intents.map(({ name }) => [keyOf(name), name]));
  const byName = new Map(entities.map((entity) => [keyOf(entity.name), entity]));
  const byText = new Map<string, VersionContent["utterances"][number]>();
  for (const [at, utterance] of content.utterances.entries()) {
    if (at % UTTERANCES_PER_TURN === UTTERANCES_PER_TURN - 1) await nextTurn();
    const { text, labels } = utterance;
    if (text.trim() === "") throw errors.badArgument("An utterance has no text.");
    checkLength("utterance", text, limits.UTTERANCE_LENGTH_MAX);
    const intent = intents.get(keyOf(utterance.intent || NONE));
    if (intent === undefined)
      throw errors.badArgument(
        `The utterance '${text}' is of the intent ${utterance.intent}, which does not exist.`,
      );
    const given = withoutFound(labels, byName).map(givenOf);
    const tokens = given.length === 0 ? [] : tokenize(text, content.culture);
    const placed = given.map((label) => onTokens(label, tokens));
    byText.set(textKeyOf(text), {
      ...utterance,
      intent,
      labels: labelsOf(text, () => checkedLabels(placed, text, tokens, entities)),
    });
  }
  checkRoom("utterances in a version", byText.size, limits.UTTERANCES_MAX);
  return [...byText.values()];
}
function labelsOf(text: string, check: () => readonly Label[]): readonly Label[] {
  try {
    return check();
  } catch (error) {
    throw errors.badArgument(`The utterance '${text}': ${error instanceof Error ? error.message : error}`);
  }
}

function checkedPatterns(
  { patterns, intents }: VersionContent,
  entities: readonly Entity[],
): VersionContent["patterns"] {
  checkRoom("patterns", patterns.length, limits.PATTERNS_MAX);
  return patterns.map((pattern) => {
    checkLength("pattern", pattern.text, limits.PATTERN_LENGTH_MAX);
    const reason = checkPattern(pattern.text, { mayBeEmpty: true });
    if (reason !== undefined)
      throw errors.badArgument(`The pattern '${pattern.text}' is not well formed: ${reason}`);
    const intent = intents.find(({ name }) => keyOf(name) === keyOf(pattern.intent))?.name;
    if (intent === undefined)
      throw errors.badArgument(
        `The pattern '${pattern.text}' is of the intent ${pattern.intent}, which does not exist.`,
      );
    for (const { entity } of mentionsIn(pattern.text))
      if (!entities.some(({ name }) => keyOf(name) === keyOf(entity.split("::")[0] ?? "")))
        throw errors.badArgument(
          `The pattern '${pattern.text}' names the entity ${entity}, which does not exist.`,
        );
    return { ...pattern, intent };
  });
}

function checkCounts({ intents, entities, phraseLists }: VersionContent): void {
  const count = (...kinds: readonly Entity["kind"][]) =>
    entities.filter(({ kind }) => kinds.includes(kind)).length;
  checkRoom("intents", intents.length, limits.INTENTS_MAX);
  checkRoom(
    "machine-learned entities",
    count("learned", "hierarchical", "composite"),
    limits.LEARNED_ENTITIES_MAX,
  );
  checkRoom("list entities", count("list"), limits.LIST_ENTITIES_MAX);
  checkRoom("regular-expression entities", count("regex"), limits.REGEX_ENTITIES_MAX);
  checkRoom("Pattern.Any entities", count("pattern-any"), limits.PATTERN_ANY_ENTITIES_MAX);
  checkRoom("phrase lists", phraseLists.length, limits.PHRASE_LISTS_MAX);
  for (const { phrases } of phraseLists)
    checkRoom("phrases in a phrase list", phrases.length, limits.PHRASES_MAX);
}

/** Entities that are stored and exported, but not found: prebuilt ones of other cultures, and expressions. */
export const entitiesWithoutEffect = ({ entities, culture }: VersionContent): readonly string[] =>
  entities
    .filter((entity) =>
      entity.kind === "regex"
        ? isKeptOnly(entity.pattern)
        : entity.kind === "prebuilt" && !prebuiltNames(culture).includes(entity.name),
    )
    .map(({ name }) => name);

/** The same, with names as they are spelt where they are declared; throws where something is wrong. */
export async function checkedContent(given: VersionContent, newId: () => string): Promise<VersionContent> {
  const hasNone = given.intents.some(({ name }) => keyOf(name) === keyOf(NONE));
  const content = hasNone
    ? given
    : { ...given, intents: [...given.intents, { id: newId(), name: NONE, features: [] }] };
  checkCounts(content);
  for (const models of [content.intents, content.entities])
    checkUnique(
      models.map(({ name }) => name),
      "models",
    );
  checkUnique(
    content.phraseLists.map(({ name }) => name),
    "phrase lists",
  );
  const names = new Names(content);
  const intents = content.intents.map((intent) => ({
    ...intent,
    name: checkName("intent", intent.name),
    features: names.features(intent.features, intent.name),
  }));
  const entities = content.entities.map((entity) => checkedEntity(entity, names, content.culture));
  return {
    ...content,
    intents,
    entities,
    patterns: checkedPatterns(content, entities),
    utterances: await checkedUtterances(content, entities),
  };
}
