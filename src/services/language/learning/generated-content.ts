/** Applications that are made rather than written: how well they can be learned at best is known. */
import type { Entity, Label, Utterance, VersionContent } from "../domain/content.ts";
import { randomFrom } from "./random.ts";

export const emptyContent = (more: Partial<VersionContent>): VersionContent => ({
  culture: "en-us",
  tokenizerVersion: "1.0.0",
  settings: {
    normalizePunctuation: false,
    normalizeDiacritics: false,
    normalizeWordForm: false,
    useAllTrainingData: true,
  },
  intents: [],
  entities: [],
  phraseLists: [],
  regexFeatures: [],
  patterns: [],
  utterances: [],
  ...more,
});

export const intentsNamed = (names: readonly string[]): VersionContent["intents"] =>
  names.map((name) => ({ id: name, name, features: [] }));

export const learnedEntity = (
  name: string,
  more: Partial<Extract<Entity, { kind: "learned" }>> = {},
): Entity => ({
  id: name,
  name,
  kind: "learned",
  roles: [],
  children: [],
  features: [],
  ...more,
});

const SYLLABLES = ["ba", "ke", "li", "mo", "nu", "ra", "si", "to", "ve", "zu", "pha", "dro"];

export type GeneratedIntents = {
  readonly content: VersionContent;
  readonly test: readonly Pick<Utterance, "text" | "intent">[];
  /** The part of the test that can be known at best: the rest has words of no intent and is a guess. */
  readonly best: number;
};

/** Each intent has its own words among common words. Some utterances contain only common words. */
export function generateIntents({
  intentCount,
  utterancesEach,
  silentShare,
  seed = 1,
}: {
  readonly intentCount: number;
  readonly utterancesEach: number;
  readonly silentShare: number;
  readonly seed?: number;
}): GeneratedIntents {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const word = (): string =>
    Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(SYLLABLES)).join("");
  const shared = Array.from({ length: 60 }, word);
  const names = Array.from({ length: intentCount }, (_, at) => `Intent${at}`);
  const own = new Map(names.map((name) => [name, Array.from({ length: 12 }, word)]));
  const say = (name: string): string => {
    const words = Array.from({ length: 4 + Math.floor(random() * 4) }, () => pick(shared));
    if (random() >= silentShare)
      for (let count = 0; count < 2; count += 1)
        words.splice(Math.floor(random() * words.length), 0, pick(own.get(name) ?? shared));
    return words.join(" ");
  };
  const utterances: Utterance[] = names.flatMap((intent) =>
    Array.from({ length: utterancesEach }, () => ({ id: 0, text: say(intent), intent, labels: [] })),
  );
  const test = names.flatMap((intent) => Array.from({ length: 20 }, () => ({ text: say(intent), intent })));
  return {
    content: emptyContent({ intents: intentsNamed([...names, "None"]), utterances }),
    test,
    best: 1 - silentShare + silentShare / intentCount,
  };
}

const FRAMES = [
  "go from {origin} to {target}",
  "i want to travel to {target} from {origin}",
  "is there a train from {origin} to {target} today",
  "how do i get to {target}",
  "leaving {origin} now",
];

/** The test uses place names that are not in the training data, so only the context identifies them. */
export function generateJourneys(
  count: number,
  seed = 2,
): { content: VersionContent; test: readonly Utterance[] } {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const place = (): string =>
    Array.from(
      { length: 1 + Math.floor(random() * 2) },
      () => `${pick(SYLLABLES)}${pick(SYLLABLES)}stadt`,
    ).join(" ");
  const say = (id: number): Utterance => {
    let text = "";
    const labels: Label[] = [];
    for (const part of pick(FRAMES).split(/[{}]/)) {
      const isPlace = part === "origin" || part === "target";
      const words = isPlace ? place() : part;
      if (isPlace)
        labels.push({
          start: text.length,
          end: text.length + words.length,
          entity: part,
          role: undefined,
          children: [],
        });
      text += words;
    }
    return { id, text, intent: "Travel", labels };
  };
  const all = Array.from({ length: count + 60 }, (_, id) => say(id));
  return {
    content: emptyContent({
      intents: intentsNamed(["Travel", "None"]),
      entities: [learnedEntity("origin"), learnedEntity("target")],
      utterances: all.slice(0, count),
    }),
    test: all.slice(count),
  };
}
