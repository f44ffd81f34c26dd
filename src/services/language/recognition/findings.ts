/** Finds entities without a trained model: lists, expressions, prebuilt entities and phrase lists. */
import type { ListEntity } from "../domain/content.ts";
import type { Definition } from "../learning/definition.ts";
import type { Finding } from "../learning/token-features.ts";
import { PhraseTree } from "./phrases.ts";
import type { FoundPrebuilt } from "./prebuilts.ts";
import type { FoundEntity } from "./prediction.ts";
import type { Read, TextRules } from "./reading.ts";
import { type CompiledRegex, checkRegex, compileRegex } from "./regexes.ts";
import type { Token } from "./tokenize.ts";

export type Canonical = { readonly entity: string; readonly form: string };

export type LongRegex = { readonly entity: string; readonly expression: string };

/** Larger expressions run on a thread, because a long utterance would block the main thread. */
const REGEX_SIZE_MAX = 150;

/** Made once per model. */
export type Finders = {
  readonly lists: ReadonlyMap<string, PhraseTree<string>>;
  readonly regexes: readonly { readonly entity: string; readonly regex: CompiledRegex }[];
  /** Slow expressions. They run on separate threads and are not used as features. */
  readonly longRegexes: readonly LongRegex[];
  readonly phraseLists: readonly { readonly name: string; readonly tree: PhraseTree<true> }[];
};

export function findersOf({ rules, entities, phraseLists }: Definition): Finders {
  const lists = new Map<string, PhraseTree<string>>();
  const regexes: { entity: string; regex: CompiledRegex }[] = [];
  const longRegexes: LongRegex[] = [];
  for (const entity of entities) {
    if (entity.kind === "list") lists.set(entity.name, treeOf(entity, rules));
    if (entity.kind !== "regex" || checkRegex(entity.pattern) !== undefined) continue;
    const regex = compileRegex(entity.pattern);
    if (regex.size > REGEX_SIZE_MAX) longRegexes.push({ entity: entity.name, expression: entity.pattern });
    else regexes.push({ entity: entity.name, regex });
  }
  return {
    lists,
    regexes,
    longRegexes,
    phraseLists: phraseLists.map(({ name, phrases }) => {
      const tree = new PhraseTree<true>(rules);
      for (const phrase of phrases) tree.add(phrase, true);
      return { name, tree };
    }),
  };
}

function treeOf({ subLists }: ListEntity, rules: TextRules): PhraseTree<string> {
  const tree = new PhraseTree<string>(rules);
  for (const { canonicalForm, synonyms } of subLists)
    for (const phrase of [canonicalForm, ...synonyms]) tree.add(phrase, canonicalForm);
  return tree;
}

/** A list entity's further forms, given with a call. */
export type DynamicList = { readonly entity: string; readonly tree: PhraseTree<string> };

export function findWithoutLearning(
  read: Read,
  finders: Finders,
  { prebuilts, dynamicLists }: { prebuilts: readonly FoundPrebuilt[]; dynamicLists: readonly DynamicList[] },
): FoundEntity[] {
  const { text, tokens } = read;
  const inLists = [...finders.lists].map(([entity, tree]) => ({ entity, tree }));
  return [
    ...[...inLists, ...dynamicLists].flatMap(({ entity, tree }) =>
      tree.find(read).map(
        ({ start, end, values }): FoundEntity => ({
          ...plain(entity, tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0),
          source: "list",
          type: entity,
          resolution: { values },
        }),
      ),
    ),
    ...finders.regexes.flatMap(({ entity, regex }) => foundByRegex(entity, regex.find(text))),
    ...prebuilts.map(
      ({ name, start, end, type, resolution }): FoundEntity => ({
        ...plain(name, start, end),
        source: "prebuilt",
        type,
        resolution,
      }),
    ),
  ];
}

export const foundByRegex = (
  entity: string,
  spans: readonly { readonly start: number; readonly end: number }[],
): FoundEntity[] =>
  spans.map(({ start, end }) => ({
    ...plain(entity, start, end),
    source: "regex",
    type: entity,
    resolution: undefined,
  }));

const plain = (entity: string, start: number, end: number) => ({
  entity,
  role: undefined,
  start,
  end,
  score: undefined,
  children: [],
});

/** Findings as features for the learners, by token positions. */
export function hintsOf(read: Read, found: readonly FoundEntity[], finders: Finders): Finding[] {
  const { tokens } = read;
  return [
    ...finders.phraseLists.flatMap(({ name, tree }) =>
      tree.find(read).map(({ start, end }) => ({ start, end, name: `phrases ${name}` })),
    ),
    ...found.flatMap(({ entity, start, end }) => {
      const place = tokensWithin(tokens, start, end);
      return place ? [{ ...place, name: `entity ${entity}` }] : [];
    }),
  ];
}

/** The tokens that a span of characters touches, in places. */
export function tokensWithin(
  tokens: readonly Token[],
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const first = tokens.findIndex((token) => token.end > start && token.start < end);
  if (first < 0) return undefined;
  let last = first;
  while ((tokens[last + 1]?.start ?? Number.POSITIVE_INFINITY) < end) last += 1;
  return { start: first, end: last + 1 };
}
