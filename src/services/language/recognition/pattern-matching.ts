/** Matches patterns against utterances, in time that grows with the utterance and the pattern alone, not with their choices. */
import type { PatternNode } from "./patterns.ts";
import { isPunctuation } from "./reading.ts";

export type Matchable = {
  /** As the version's settings see them. */
  readonly words: readonly string[];
  /** The possible ends of an entity that starts at a token, the preferred end first. */
  readonly endsOf: (entity: string, start: number) => readonly number[];
  /** Whether it also matches any words (Pattern.Any). */
  readonly isAny: (entity: string) => boolean;
};

export type Taken = {
  readonly entity: string;
  readonly role: string | undefined;
  readonly start: number;
  readonly end: number;
};

/** A path to a token: the entities taken on it, the last first. */
type Way = { readonly taken: Taken; readonly before: Way | undefined } | undefined;
/** By place of a token: the first way that reaches it. */
type Reached = Map<number, Way>;

/**
 * Matches a pattern against the whole utterance and returns its entities, or undefined. Punctuation at the end is
 * ignored. If there are several matches, the first one in the order of `endsOf` wins.
 */
export function matchPattern(pattern: PatternNode, given: Matchable): readonly Taken[] | undefined {
  const reached = advance(pattern, new Map([[0, undefined]]), given);
  let end = given.words.length;
  for (;;) {
    if (reached.has(end)) return takenOn(reached.get(end));
    if (end === 0 || !isPunctuation(given.words[end - 1] ?? "")) return undefined;
    end -= 1;
  }
}

function takenOn(way: Way): readonly Taken[] {
  const taken: Taken[] = [];
  for (let step = way; step; step = step.before) taken.unshift(step.taken);
  return taken;
}

/** From every place reached to every place that the node leads on to. */
function advance(node: PatternNode, reached: Reached, given: Matchable): Reached {
  if (reached.size === 0) return reached;
  if (node.kind === "sequence")
    return node.parts.reduce((soFar, part) => advance(part, soFar, given), reached);
  const next: Reached = new Map();
  for (const [place, way] of stepsFrom(node, reached, given)) if (!next.has(place)) next.set(place, way);
  return next;
}

function* stepsFrom(
  node: Exclude<PatternNode, { kind: "sequence" }>,
  reached: Reached,
  given: Matchable,
): Generator<readonly [number, Way]> {
  if (node.kind === "choice") {
    for (const option of node.options) yield* advance(option, reached, given);
    return;
  }
  if (node.kind === "word") {
    for (const [place, way] of reached) if (given.words[place] === node.word) yield [place + 1, way];
    return;
  }
  yield* entitySteps(node, reached, given);
}

function* entitySteps(
  { entity, role }: Extract<PatternNode, { kind: "entity" }>,
  reached: Reached,
  given: Matchable,
): Generator<readonly [number, Way]> {
  const isAny = given.isAny(entity);
  // From a start, any words reach every later position. Ends that an earlier start has reached are not
  // repeated.
  let saidFrom = given.words.length;
  for (const [start, before] of reached) {
    for (const end of given.endsOf(entity, start))
      yield [end, { taken: { entity, role, start, end }, before }];
    if (!isAny) continue;
    for (let end = start + 1; end <= saidFrom; end += 1)
      yield [end, { taken: { entity, role, start, end }, before }];
    saidFrom = Math.min(saidFrom, start);
  }
}
